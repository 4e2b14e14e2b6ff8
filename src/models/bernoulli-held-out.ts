import { logClassPrior, pseudoAt, pseudoCount } from '../core/prior.ts';
import { type Batch, toSparse } from '../data/batch.ts';
import { logRatio, softplus } from '../math/logs.ts';
import type { Sums } from '../stats/sums.ts';
import { type BernoulliOptions, bernoulli } from './bernoulli.ts';

/** The coins of one class without a row of a certain weight, before the row's own heads are taken away. */
interface Lighter {
  readonly logPrior: Float64Array;
  readonly logTails: number;
  readonly certain: number;
}

/**
 * Scores every row without itself. Taking a row of weight w from class c changes the tails of all coins of c alike for all
 * such rows, so that sum is kept by (c, w); only the coins that the row shows are corrected one by one.
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
        else sum += before; // softplus(before) − softplus(−before), for less
        if (c === own && !gap) sum -= softplus(-oddsWithout(cell, weight, weight));
      }
      out[i * classes + c] = owed > 0 ? -Infinity : sum;
    }
  }
}

/** The log-odds of a coin when `gone` of its tosses are taken away, `heads` of which showed heads. */
function coinsWithout({ classes, features, n, s, m }: Sums, { prior }: BernoulliOptions) {
  const k = pseudoCount(prior);
  const tosses = Float64Array.from({ length: classes * features }, (_, cell) => {
    return n[Math.floor(cell / features)] - (m.length > 0 ? m[cell] : 0);
  });
  return (cell: number, gone: number, heads: number): number => {
    const pseudo = pseudoAt(k, features, Math.floor(cell / features), cell % features);
    const [head, tail] = [s[cell] - heads, tosses[cell] - s[cell] - (gone - heads)];
    return logRatio(Math.max(0, head) + pseudo, Math.max(0, tail) + pseudo);
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
