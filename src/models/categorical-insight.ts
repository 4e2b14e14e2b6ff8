import { type Insight, levelCells } from '../core/insight.ts';
import { drawCoin, priorDraws } from '../core/posterior-draws.ts';
import { divergenceAt, restOf } from '../core/telling.ts';
import { toDense } from '../data/batch.ts';
import { argmax, sum } from '../math/arrays.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { CategoricalDice, CategoricalOptions } from './categorical.ts';
import { levelsLeaveOneOut } from './categorical-held-out.ts';

/** What each level of feature j adds to the divergence of each class from the others: byLevel[v][c]. */
function levelDivergences({ classes, levels, logPrior, logFaces }: CategoricalDice, j: number): Float64Array[] {
  const start = sum(Float64Array.from(levels.subarray(0, j)));
  const priors = logPrior.map(Math.exp);
  return Array.from({ length: levels[j] }, (_, v) => {
    const own = logFaces.subarray((start + v) * classes, (start + v + 1) * classes).map(Math.exp);
    const rest = restOf(own, priors);
    return own.map((share, c) => divergenceAt(share, rest[c]));
  });
}

/** What the dice of features tell of themselves. */
export const categoricalInsight: Insight<Histogram, CategoricalDice, CategoricalOptions> = {
  cells: () => levelCells,

  /** Σᵥ θ ln(θ / θ of the others), never negative: some level is always more frequent than elsewhere. */
  telling(dice) {
    const { classes, features } = dice;
    const out = new Float64Array(classes * features);
    for (let j = 0; j < features; j++) {
      const byLevel = levelDivergences(dice, j);
      for (let c = 0; c < classes; c++) {
        const divergence = byLevel.reduce((total, level) => total + level[c], 0);
        out[c * features + j] = Math.max(0, divergence);
      }
    }
    return out;
  },

  tellingLevel(dice, c, j) {
    const byLevel = levelDivergences(dice, j);
    return byLevel.length === 0 ? Number.NaN : argmax(Float64Array.from(byLevel, (level) => level[c]));
  },

  points: ({ levels }, j) => Float64Array.from({ length: levels[j] }, (_, v) => v),

  contribution({ classes, levels, logFaces, logUnseen }, j, value, out) {
    const start = sum(Float64Array.from(levels.subarray(0, j)));
    for (let c = 0; c < classes; c++) {
      if (Number.isNaN(value)) out[c] = 0;
      else out[c] = value < levels[j] ? logFaces[(start + value) * classes + c] : logUnseen[j * classes + c];
    }
  },

  /** A row shows one face of each die, and one face of a Dirichlet draw is a coin. */
  drawScores({ classes, features, levels, n, h }, { alpha, classPrior }, rows) {
    const { x } = toDense(rows);
    const offsets = levelOffsets(levels);
    const width = offsets[features];
    const drawPrior = priorDraws(n, classPrior);
    const sides = (c: number, j: number, level: number): [number, number] => {
      const from = c * width + offsets[j];
      const own = (level < levels[j] ? h[from + level] : 0) + alpha;
      return [own, Math.max(0, sum(h, from, levels[j]) + alpha * levels[j] - own)];
    };
    return (i) => {
      const shown = [...x.subarray(i * features, (i + 1) * features).keys()].filter(
        (j) => levels[j] > 0 && !Number.isNaN(x[i * features + j]),
      );
      const coins = Array.from({ length: classes }, (_, c) => shown.map((j) => sides(c, j, x[i * features + j])));
      return (random, out) => {
        drawPrior(random, out);
        for (let c = 0; c < classes; c++) for (const coin of coins[c]) out[c] += drawCoin(random, ...coin)[0];
      };
    };
  },

  /** The posterior mean with pseudo-count α is the mode under Dirichlet(α + 1): α Σ ln θ. */
  logParameterPrior: ({ logFaces }, { alpha }) => (alpha > 0 ? alpha * sum(logFaces) : 0),

  leaveOneOut: levelsLeaveOneOut,
};
