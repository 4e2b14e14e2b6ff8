import { type DrawScore, type Insight, wordCells } from '../core/insight.ts';
import { priorDraws } from '../core/posterior-draws.ts';
import { tellingBy } from '../core/telling.ts';
import { sliceRows, toDense } from '../data/batch.ts';
import type { Random } from '../math/random.ts';
import type { Sums } from '../stats/sums.ts';
import { counted, type PoissonOptions, type RatePrior, type Rates, ratesLeaveOneOut } from './poisson.ts';
import { exposureAt, logCell, logFactorial } from './poisson-cells.ts';

/** λ, or its mean. */
function rateAt(rates: Rates, c: number, j: number): number {
  const cell = rates.cells[j * rates.classes + c];
  if (!rates.predictive) return Math.exp(cell);
  return cell === 0 ? 0 : cell / exposureAt(rates, j, c);
}

/** The most steps on the axis of a nomogram. */
const STEPS = 10;

/** The insights that rates have. */
export const poissonInsight: Insight<Sums, Rates, PoissonOptions> = {
  cells: () => wordCells,

  telling: (rates) => tellingBy(rates, rates.logPrior, (c, j) => rateAt(rates, c, j)),

  /** Whole numbers up to three deviations above the largest rate. */
  points(rates, j) {
    let most = 0;
    for (let c = 0; c < rates.classes; c++) most = Math.max(most, rateAt(rates, c, j));
    const end = Math.max(1, Math.ceil(most + 3 * Math.sqrt(most)));
    const step = Math.ceil(end / STEPS);
    return Float64Array.from({ length: Math.ceil(end / step) + 1 }, (_, k) => k * step);
  },

  contribution(rates, j, value, out) {
    for (let c = 0; c < rates.classes; c++) out[c] = logCell(rates, j, c, value);
  },

  drawScores(stats, { prior, classPrior }, rows) {
    const added = addedBy(prior);
    const drawPrior = priorDraws(stats.n, classPrior);
    return (i) => drawRates(stats, added, drawPrior, toDense(sliceRows(rows, i, i + 1)).x);
  },

  leaveOneOut: ratesLeaveOneOut,
};

/** The parameters of the prior itself, whichever point of the posterior is in use. */
function addedBy(prior: RatePrior) {
  return prior.rule === 'mle' ? { count: 0, exposure: 0 } : { count: prior.shape, exposure: prior.rate };
}

/** λ ~ Gamma(A, B); what was never looked for does not happen. */
function drawLogRate(random: Random, count: number, exposure: number): number {
  return count > 0 && exposure > 0 ? random.logGamma(count) - Math.log(exposure) : -Infinity;
}

/** Cells without events need the sum of their rates alone, which is Gamma distributed where all have one exposure. */
function drawRates(stats: Sums, added: ReturnType<typeof addedBy>, drawPrior: DrawScore, row: Float64Array): DrawScore {
  const { classes, m } = stats;
  const spoken = [...row.keys()].filter((j) => row[j] > 0);
  const silent = [...row.keys()].filter((j) => row[j] === 0);
  const groups = m.length > 0 ? silent.map((j) => [j]) : silent.length > 0 ? [silent] : [];
  const shapes = Array.from({ length: classes }, (_, c) =>
    groups.map((group) => {
      const count = group.reduce((total, j) => total + counted(stats, added, c, j)[0], 0);
      return [count, counted(stats, added, c, group[0])[1]] as const;
    }),
  );
  return (random, out) => {
    drawPrior(random, out);
    for (let c = 0; c < classes; c++) {
      for (const [count, exposure] of shapes[c]) out[c] -= Math.exp(drawLogRate(random, count, exposure));
      for (const j of spoken) {
        const log = drawLogRate(random, ...counted(stats, added, c, j));
        out[c] += row[j] * log - Math.exp(log) - logFactorial(row[j]);
      }
    }
  };
}
