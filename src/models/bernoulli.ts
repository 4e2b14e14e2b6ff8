import { allTerms, type Model, type Terms } from '../core/model.ts';
import {
  type BetaPrior,
  betaSides,
  type ClassPrior,
  logClassPrior,
  pseudoAt,
  pseudoCount,
  requirePseudoLength,
} from '../core/prior.ts';
import { type Batch, type Rows, type Shape, toSparse } from '../data/batch.ts';
import { logRatio, softplus } from '../math/logs.ts';
import { type Sums, sums } from '../stats/sums.ts';

/** Log-odds of heads for every coin, class-major, and the score of a row of only tails. */
export interface BernoulliParameters extends Shape {
  readonly logPrior: Float64Array;
  readonly logOdds: Float64Array; // ln θ − ln(1 − θ)
  readonly logTails: Float64Array; // by class: Σⱼ ln(1 − θ[c,j]) over the coins that can show tails
  readonly certain: Float64Array; // by class: how many coins always show heads
}

/** The options of the estimate. */
export interface BernoulliOptions {
  readonly prior: BetaPrior;
  readonly classPrior?: ClassPrior;
}

/**
 * Bernoulli naive Bayes: each feature is a coin, tossed once per row.
 *
 *   p(x | c) = Πⱼ θ[c,j]^xⱼ (1 − θ[c,j])^(1 − xⱼ)                      (1)
 *   θ[c,j] ~ Beta(a, b)  ⇒  θ̂[c,j] = (s[c,j] + k) / (n[c] + k + l)     (2)
 *
 * with k = 0 = l for MLE, a − 1 and b − 1 for MAP, a and b for the posterior mean. A row costs its heads alone:
 *
 *   ln p(x | c) = Σⱼ ln(1 − θ[c,j]) + Σ{j: xⱼ = 1} ln θ[c,j] / (1 − θ[c,j])        (3)
 *
 * where coins with θ = 1 are kept apart, since (3) would subtract infinities; a missing toss drops out of (1).
 * Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), §13.3.
 */
export const bernoulli: Model<Sums, BernoulliParameters, BernoulliOptions> = {
  name: 'bernoulli',
  statistic: sums,
  form: {
    arrays: {
      logPrior: ['log', 'classes'],
      logOdds: ['odds', 'classes', 'features'],
      logTails: ['log', 'classes'],
      certain: ['weight', 'classes'],
    },
  },

  estimate(stats, { prior, classPrior }) {
    const { classes, features, n, s, m } = stats;
    const [heads, tails] = betaSides(prior).map(pseudoCount);
    requirePseudoLength(heads, classes, features);
    requirePseudoLength(tails, classes, features, 'alphaAbsent');
    const logOdds = new Float64Array(classes * features);
    const logTails = new Float64Array(classes);
    const certain = new Float64Array(classes);
    for (let c = 0; c < classes; c++) {
      for (let j = 0; j < features; j++) {
        const cell = c * features + j;
        const absent = Math.max(0, n[c] - (m.length > 0 ? m[cell] : 0) - s[cell]);
        logOdds[cell] = logRatio(s[cell] + pseudoAt(heads, features, c, j), absent + pseudoAt(tails, features, c, j));
        if (logOdds[cell] === Infinity) certain[c]++;
        else logTails[c] -= softplus(logOdds[cell]);
      }
    }
    return { classes, features, logPrior: logClassPrior(n, classPrior), logOdds, logTails, certain };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (3). */
  score({ classes, features, logPrior, logOdds, logTails, certain }, rows, out) {
    const { indptr, indices, values } = toSparse(rows);
    for (let i = 0; i < rows.rows; i++) {
      for (let c = 0; c < classes; c++) {
        let sum = logPrior[c] + logTails[c];
        let owed = certain[c];
        for (let k = indptr[i]; k < indptr[i + 1]; k++) {
          const odds = logOdds[c * features + indices[k]];
          if (odds === Infinity) owed--;
          else sum += Number.isNaN(values[k]) ? softplus(odds) : odds;
        }
        out[i * classes + c] = owed > 0 ? -Infinity : sum;
      }
    }
  },

  logPrior: ({ logPrior }) => logPrior,

  terms(coins, rows, i) {
    return rows.features <= EVERY_FEATURE ? everyTerm(coins, rows, i) : headTerms(coins, rows, i);
  },

  sample({ features, logOdds }, c, random, row) {
    for (let j = 0; j < features; j++)
      row[j] = random.uniform() < 1 / (1 + Math.exp(-logOdds[c * features + j])) ? 1 : 0;
  },
};

/** Up to this many features an absent word gets its own line in an explanation. */
const EVERY_FEATURE = 1000;

/** ln p(x | c) of one toss: heads, tails, or nothing when it is missing. */
export function logToss(value: number, odds: number): number {
  if (Number.isNaN(value)) return 0;
  return value === 0 ? -softplus(odds) : -softplus(-odds);
}

function everyTerm({ classes, features, logOdds }: BernoulliParameters, rows: Rows, i: number): Terms {
  const values = new Float64Array(features);
  const heads = toSparse(rows);
  for (let k = heads.indptr[i]; k < heads.indptr[i + 1]; k++) values[heads.indices[k]] = heads.values[k];
  return allTerms(classes, features, (j, c) => logToss(values[j], logOdds[c * features + j]));
}

function headTerms(
  { classes, features, logOdds, logTails, certain }: BernoulliParameters,
  rows: Rows,
  i: number,
): Terms {
  const { indptr, indices, values } = toSparse(rows);
  const present = indices.slice(indptr[i], indptr[i + 1]);
  const terms = new Float64Array(present.length * classes);
  const rest = logTails.slice();
  const owed = certain.slice();
  for (let f = 0; f < present.length; f++) {
    for (let c = 0; c < classes; c++) {
      const odds = logOdds[c * features + present[f]];
      terms[f * classes + c] = logToss(values[indptr[i] + f], odds);
      if (odds === Infinity) owed[c]--;
      else rest[c] += softplus(odds);
    }
  }
  return { features: present, terms, rest: rest.map((tails, c) => (owed[c] > 0 ? -Infinity : tails)) };
}

/** The coins of one class without a row of a certain weight, before the heads of the row are subtracted. */
interface Lighter {
  readonly logPrior: Float64Array;
  readonly logTails: number;
  readonly certain: number;
}

/**
 * Scores every row without itself. Removing a row of weight w from class c changes the tails of all coins of c in the same way for all such
 * rows, so that sum is cached by (c, w); only the coins that the row shows are corrected one by one.
 */
export function coinsLeaveOneOut(stats: Sums, options: BernoulliOptions, batch: Batch, out: Float64Array): void {
  const { classes, features, logOdds, logTails, certain } = bernoulli.estimate(stats, options);
  const { indptr, indices, values } = toSparse(batch);
  const oddsWithout = coinsWithout(stats, options);
  const lighter = new Map<string, Lighter>();
  for (let i = 0; i < batch.rows; i++) {
    const [own, weight] = [batch.y[i], batch.w[i]];
    const key = `${own}/${weight}`;
    let base = lighter.get(key);
    if (!base) lighter.set(key, (base = lighten(stats, options, own, weight, oddsWithout)));
    for (let c = 0; c < classes; c++) {
      let sum = base.logPrior[c] + (c === own ? base.logTails : logTails[c]);
      let owed = c === own ? base.certain : certain[c];
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        const cell = c * features + indices[k];
        const gap = Number.isNaN(values[k]);
        const before = c === own ? oddsWithout(cell, weight, 0) : logOdds[cell];
        if (before === Infinity) owed--;
        else if (c === own || gap) sum += softplus(before);
        else sum += before; // cheaper than softplus(before) − softplus(−before)
        if (c === own && !gap) sum -= softplus(-oddsWithout(cell, weight, weight));
      }
      out[i * classes + c] = owed > 0 ? -Infinity : sum;
    }
  }
}

/** The log-odds of a coin after `gone` of its tosses are removed, `heads` of which showed heads. */
function coinsWithout({ classes, features, n, s, m }: Sums, { prior }: BernoulliOptions) {
  const [k, l] = betaSides(prior).map(pseudoCount);
  const tosses = Float64Array.from({ length: classes * features }, (_, cell) => {
    return n[Math.floor(cell / features)] - (m.length > 0 ? m[cell] : 0);
  });
  return (cell: number, gone: number, heads: number): number => {
    const [c, j] = [Math.floor(cell / features), cell % features];
    const [head, tail] = [s[cell] - heads, tosses[cell] - s[cell] - (gone - heads)];
    return logRatio(Math.max(0, head) + pseudoAt(k, features, c, j), Math.max(0, tail) + pseudoAt(l, features, c, j));
  };
}

function lighten(
  { features, n }: Sums,
  { classPrior }: BernoulliOptions,
  c: number,
  weight: number,
  oddsWithout: (cell: number, gone: number, heads: number) => number,
): Lighter {
  let [logTails, certain] = [0, 0];
  for (let cell = c * features; cell < (c + 1) * features; cell++) {
    const odds = oddsWithout(cell, weight, 0);
    if (odds === Infinity) certain++;
    else logTails -= softplus(odds);
  }
  const rest = n.with(c, Math.max(0, n[c] - weight));
  return { logPrior: logClassPrior(rest, classPrior), logTails, certain };
}
