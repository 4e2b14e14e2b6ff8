import { holdOut, perClassAndWeight } from '../core/leave-one-out.ts';
import { allTerms, type Form, type Model, type Terms } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { type Batch, type Rows, type Shape, sliceRows, toDense, toSparse } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { remainder, sum } from '../math/arrays.ts';
import { drawGamma } from '../math/draws.ts';
import { logRatio } from '../math/logs.ts';
import { drawPoisson } from '../math/poisson.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { aboveZero, exposureAt, logCell, logEvents, logFactorial, logZero, zeroAt } from './poisson-cells.ts';

/** How rates follow from counts, with a Gamma(shape, rate) prior on each; `predictive` integrates over what is not known. */
export type RatePrior =
  | { readonly rule: 'mle' }
  | { readonly rule: 'map'; readonly shape: number; readonly rate: number }
  | { readonly rule: 'bayes'; readonly shape: number; readonly rate: number; readonly predictive?: boolean };

/** What each cell is drawn from, feature-major, and what a row of zeros scores. */
export interface Rates extends Shape {
  readonly logPrior: Float64Array;
  readonly zeros: Float64Array; // by class: Σⱼ ln p(0 | c)
  readonly predictive: boolean;
  readonly cells: Float64Array; // cells[j * classes + c]: ln λ, or the count A of (3)
  readonly exposures: Float64Array; // B of (3), by class, or like the cells where some may be missing; else empty
}

/** Log-rates, or the counts and exposures that are integrated over: what is not in use is empty. */
const ratesForm: Form<Rates, { readonly prior: RatePrior }> = {
  arrays: {
    logPrior: ['log', 'classes'],
    zeros: ['log', 'classes'],
    logRates: ['log', 'any'],
    counts: ['weight', 'any'],
    exposures: ['weight', 'any'],
  },
  pack: ({ logPrior, zeros, predictive, cells, exposures }) => {
    const none = new Float64Array(0);
    return { logPrior, zeros, logRates: predictive ? none : cells, counts: predictive ? cells : none, exposures };
  },
  unpack({ logPrior, zeros, logRates, counts, exposures }, { classes, features, missing }, { prior }) {
    const { predictive } = readPrior(prior);
    const [cells, none] = predictive ? [counts, logRates] : [logRates, counts];
    const looked = !predictive ? 0 : missing ? classes * features : classes;
    if (cells.length !== classes * features || none.length > 0 || exposures.length !== looked) return undefined;
    return { classes, features, ...(missing && { missing }), logPrior, zeros, predictive, cells, exposures };
  },
};

/** What a prior adds to every count and to the rows that were looked at for it. */
interface Added {
  readonly count: number;
  readonly exposure: number;
}

/** What a prior adds; refuses one that the rule has no use for. */
function readPrior(prior: RatePrior): Added & { readonly predictive: boolean } {
  if (prior.rule === 'mle') return { count: 0, exposure: 0, predictive: false };
  const { rule, shape, rate } = prior;
  const least = rule === 'map' ? 1 : 0;
  if (!(shape >= least && shape < Infinity && rate >= 0 && rate < Infinity)) {
    const sentence = `the prior is Gamma(${shape}, ${rate}); the rule ${rule} needs a shape ≥ ${least} and a rate ≥ 0`;
    refuse('E_PARAM', sentence, { name: 'shape', least });
  }
  return { count: shape - least, exposure: rate, predictive: rule === 'bayes' && prior.predictive === true };
}

/** Count and exposure of a cell, the prior included. */
export function counted(
  { features, n, s, m }: Sums,
  added: Added,
  c: number,
  j: number,
): [count: number, exposure: number] {
  const cell = c * features + j;
  const seen = m.length > 0 ? remainder(n[c], m[cell]) : n[c];
  return [s[cell] + added.count, seen + added.exposure];
}

/** ln λ; without exposure nothing is known to happen. */
function logRate(count: number, exposure: number): number {
  return exposure > 0 ? logRatio(count, exposure) : -Infinity;
}

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

/** Up to this many features a zero gets its own line in an explanation. */
const EVERY_FEATURE = 1000;

function everyTerm(rates: Rates, rows: Rows, i: number): Terms {
  const { classes, features } = rates;
  const { x } = toDense(sliceRows(rows, i, i + 1));
  return allTerms(classes, features, (j, c) => logCell(rates, j, c, x[j]));
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

/** Scores every row without itself. */
export function ratesLeaveOneOut(
  stats: Sums,
  { prior, classPrior }: PoissonOptions,
  batch: Batch,
  out: Float64Array,
): void {
  const rates = poisson.estimate(stats, { prior });
  poisson.score({ ...rates, logPrior: new Float64Array(stats.classes) }, batch, out);
  holdOut(stats.n, classPrior, batch, out, ownLikelihood(stats, prior, batch));
}

/**
 * ln p(xᵢ | yᵢ) without row i. Every rate of the class then comes from one row less: what a row of zeros scores is worked out
 * once per class and weight, and each row corrects it where it has events or gaps.
 */
function ownLikelihood(stats: Sums, prior: RatePrior, batch: Batch): (i: number) => number {
  const { features } = stats;
  const { predictive, ...added } = readPrior(prior);
  const { indptr, indices, values } = toSparse(batch);
  const { y, w } = batch;
  const zeroWithout = (c: number, j: number, weight: number) => {
    const [count, exposure] = counted(stats, added, c, j);
    return logZero(count, remainder(exposure, weight), predictive);
  };
  const allZeros = perClassAndWeight((c, weight) =>
    sum(Float64Array.from({ length: features }, (_, j) => zeroWithout(c, j, weight))),
  );
  return (i) => {
    let own = allZeros(y[i], w[i]);
    for (let f = indptr[i]; f < indptr[i + 1]; f++) {
      const [j, x] = [indices[f], values[f]];
      own -= zeroWithout(y[i], j, w[i]);
      if (Number.isNaN(x)) continue;
      const [all, looked] = counted(stats, added, y[i], j);
      const [count, exposure] = [remainder(all, w[i] * x), remainder(looked, w[i])];
      const events = predictive ? logEvents(count, exposure, x) : x * logRate(count, exposure);
      own += logZero(count, exposure, predictive) + events - logFactorial(x);
    }
    return own;
  };
}
