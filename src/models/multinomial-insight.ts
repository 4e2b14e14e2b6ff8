import { type DrawScore, type Insight, linearInsight } from '../core/insight.ts';
import { posteriorCount, priorDraws } from '../core/posterior-draws.ts';
import { isBackground, pseudoAt, pseudoCount } from '../core/prior.ts';
import { wordTelling } from '../core/telling.ts';
import { type SparseRows, toSparse } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { logSumExp } from '../math/logs.ts';
import type { Sums } from '../stats/sums.ts';
import {
  background,
  backgroundLeaveOneOut,
  diceLeaveOneOut,
  type MultinomialOptions,
  type MultinomialParameters,
} from './multinomial.ts';

/** Insights into multinomial parameters. */
export const multinomialInsight: Insight<Sums, MultinomialParameters, MultinomialOptions> = {
  ...linearInsight,

  telling: (_, stats) => wordTelling(stats),

  drawScores(stats, options, rows) {
    const { classes, features, n } = stats;
    const shape = shapesOf(stats, options);
    const totals = Float64Array.from({ length: classes }, (_, c) =>
      sum(Float64Array.from({ length: features }, (_, j) => shape(c, j))),
    );
    const drawPrior = priorDraws(n, options.classPrior);
    const cells = toSparse(rows);
    return (i) => drawWords(shape, totals, drawPrior, cells, i);
  },

  /** The posterior mean with pseudo-counts k is the mode under Dirichlet(k + 1): Σ k ln θ. A background is no prior of θ. */
  logParameterPrior({ classes, features, weights }, { prior }) {
    if (isBackground(prior)) return 0;
    const k = pseudoCount(prior);
    let total = 0;
    for (let j = 0; j < features; j++) {
      for (let c = 0; c < classes; c++) {
        const pseudo = pseudoAt(k, features, c, j);
        if (pseudo > 0) total += pseudo * weights[j * classes + c];
      }
    }
    return total;
  },

  leaveOneOut(stats, { prior, classPrior }, batch, out) {
    if (isBackground(prior)) backgroundLeaveOneOut(stats, prior, classPrior, batch, out);
    else diceLeaveOneOut(stats, { prior, ...(classPrior && { classPrior }) }, batch, out);
  },
};

type ShapeOf = (c: number, j: number) => number;

/** The parameters of the Dirichlet distribution of every die. */
function shapesOf(stats: Sums, { prior }: MultinomialOptions): ShapeOf {
  const { features, s } = stats;
  if (!isBackground(prior)) {
    const k = posteriorCount(prior);
    return (c, j) => s[c * features + j] + pseudoAt(k, features, c, j);
  }
  if (prior.rule !== 'dirichlet') {
    refuse('E_CONFLICT', `the smoothing '${prior.rule}' is no prior: dice have no posterior distribution to draw from`);
  }
  const shares = background(stats);
  return (c, j) => s[c * features + j] + prior.mu * shares[j];
}

/** Of a Dirichlet draw a row needs its own words and their share of all: one more gamma for all other words. */
function drawWords(
  shape: ShapeOf,
  totals: Float64Array,
  drawPrior: DrawScore,
  { features, indptr, indices, values }: SparseRows,
  i: number,
): DrawScore {
  const words = indices.slice(indptr[i], indptr[i + 1]);
  const counts = values.slice(indptr[i], indptr[i + 1]);
  const shapes = Array.from(totals, (_, c) => Float64Array.from(words, (j) => shape(c, j)));
  const others = totals.map((total, c) => (words.length < features ? Math.max(0, total - sum(shapes[c])) : 0));
  return (random, out) => {
    drawPrior(random, out);
    for (let c = 0; c < totals.length; c++) {
      const logs = Float64Array.from([...shapes[c], others[c]], (a) => (a > 0 ? random.logGamma(a) : -Infinity));
      const logTotal = logSumExp(logs);
      for (let f = 0; f < words.length; f++) {
        out[c] += logs[f] === -Infinity ? -Infinity : counts[f] * (logs[f] - logTotal);
      }
    }
  };
}
