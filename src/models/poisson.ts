import type { Model, Terms } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Rows, sliceRows, toDense, toSparse } from '../data/batch.ts';
import { sum } from '../math/arrays.ts';
import { drawGamma } from '../math/draws.ts';
import { drawPoisson } from '../math/poisson.ts';
import { type Sums, sums } from '../stats/sums.ts';
import {
  aboveZero,
  counted,
  exposureAt,
  logFactorial,
  logRate,
  logZero,
  type RatePrior,
  type Rates,
  ratesForm,
  readPrior,
  zeroAt,
} from './poisson-cells.ts';

/** How Poisson rates are estimated. */
export interface PoissonOptions {
  readonly prior: RatePrior;
  readonly classPrior?: ClassPrior;
}

/**
 * Poisson naive Bayes: each feature is a number of events, which come at a rate of their own in each class.
 *
 *   p(x | c) = Πⱼ λ[c,j]^xⱼ e^−λ[c,j] / xⱼ!                                                              (1)
 *   λ[c,j] ~ Gamma(a, b)  ⇒  λ̂[c,j] = (s[c,j] + k) / (n[c] + b)                                          (2)
 *
 * with k = 0 = b for MLE, a − 1 for MAP, a for the posterior mean. Integrating over the rate instead of estimating it gives the
 * negative binomial distribution, with A = s + a and B = n + b:
 *
 *   p(x | c) = Πⱼ Γ(A + xⱼ) / Γ(A) xⱼ! · (B / (B + 1))^A (1 / (B + 1))^xⱼ                                (3)
 *
 * A row costs its non-zero cells: the rest is −Σⱼ λ[c,j] as counted once. Fractional cells are welcome, xⱼ! is Γ(xⱼ + 1). A rate
 * without rows and without prior is zero. Gelman et al., Bayesian Data Analysis (2013), §2.6.
 */
export const poisson: Model<Sums, Rates, PoissonOptions> = {
  name: 'poisson',
  statistic: sums,
  form: ratesForm,

  estimate(stats, { prior, classPrior }) {
    const { classes, features, n, missing } = stats;
    const { predictive, ...added } = readPrior(prior);
    const cells = new Float64Array(classes * features);
    const exposures = new Float64Array(!predictive ? 0 : missing ? classes * features : classes);
    const zeros = Float64Array.from({ length: classes }, (_, c) => {
      const each = new Float64Array(features);
      for (let j = 0; j < features; j++) {
        const [count, exposure] = counted(stats, added, c, j);
        cells[j * classes + c] = predictive ? count : logRate(count, exposure);
        if (predictive) exposures[missing ? j * classes + c : c] = exposure;
        each[j] = logZero(count, exposure, predictive);
      }
      return sum(each);
    });
    const shape = { classes, features, ...(missing && { missing }) };
    return { ...shape, logPrior: logClassPrior(n, classPrior), zeros, predictive, cells, exposures };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1) or (3). */
  score(rates, rows, out) {
    const { classes, logPrior, zeros } = rates;
    const { indptr, indices, values } = toSparse(rows);
    for (let i = 0; i < rows.rows; i++) {
      for (let c = 0; c < classes; c++) out[i * classes + c] = logPrior[c] + zeros[c];
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        const factorial = logFactorial(values[k]);
        for (let c = 0; c < classes; c++) {
          out[i * classes + c] += aboveZero(rates, indices[k], c, values[k]) - factorial;
        }
      }
    }
  },

  logPrior: ({ logPrior }) => logPrior,

  terms(rates, rows, i) {
    return rows.features <= EVERY_FEATURE ? everyTerm(rates, rows, i) : presentTerms(rates, rows, i);
  },

  sample(rates, c, random, row) {
    for (let j = 0; j < rates.features; j++) {
      const cell = rates.cells[j * rates.classes + c];
      const drawn = rates.predictive && cell > 0 ? drawGamma(random, cell) / exposureAt(rates, j, c) : 0;
      row[j] = drawPoisson(random, rates.predictive ? drawn : Math.exp(cell));
    }
  },
};

/** Up to so many features a zero is worth a line of its own in an explanation. */
const EVERY_FEATURE = 1000;

function everyTerm(rates: Rates, rows: Rows, i: number): Terms {
  const { classes, features } = rates;
  const { x } = toDense(sliceRows(rows, i, i + 1));
  const terms = new Float64Array(features * classes);
  for (let j = 0; j < features; j++) {
    for (let c = 0; c < classes; c++) {
      const above = x[j] === 0 ? 0 : aboveZero(rates, j, c, x[j]) - logFactorial(x[j]);
      terms[j * classes + c] = zeroAt(rates, j, c) + above;
    }
  }
  return { features: Uint32Array.from(x.keys()), terms, rest: new Float64Array(classes) };
}

function presentTerms(rates: Rates, rows: Rows, i: number): Terms {
  const { classes, zeros } = rates;
  const { indptr, indices, values } = toSparse(rows);
  const present = indices.slice(indptr[i], indptr[i + 1]);
  const terms = new Float64Array(present.length * classes);
  const rest = zeros.slice();
  for (let f = 0; f < present.length; f++) {
    const x = values[indptr[i] + f];
    for (let c = 0; c < classes; c++) {
      const zero = zeroAt(rates, present[f], c);
      terms[f * classes + c] = zero + aboveZero(rates, present[f], c, x) - logFactorial(x);
      rest[c] -= zero;
    }
  }
  return { features: present, terms, rest };
}
