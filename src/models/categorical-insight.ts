import { type Insight, levelCells } from '../core/insight.ts';
import { drawCoin, posteriorCount, priorDraws } from '../core/posterior-draws.ts';
import { pseudoCount } from '../core/prior.ts';
import { divergenceAt, emptyTelling, logOddsRatio, othersBy } from '../core/telling.ts';
import { toDense } from '../data/batch.ts';
import { argmax, sum } from '../math/arrays.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import {
  type CategoricalOptions,
  type CategoricalParameters,
  faceCounts,
  levelsLeaveOneOut,
  weightOf,
} from './categorical.ts';

/** The share of a level of feature j in each class and in the others, and what it adds to their divergence. */
interface LevelTelling {
  readonly own: Float64Array;
  readonly rest: Float64Array;
  readonly nats: Float64Array;
}

function tellLevels({ classes, levels, logPrior, logFaces }: CategoricalParameters, j: number): LevelTelling[] {
  const start = sum(Float64Array.from(levels.subarray(0, j)));
  const others = othersBy(logPrior.map(Math.exp));
  return Array.from({ length: levels[j] }, (_, v) => {
    const own = logFaces.subarray((start + v) * classes, (start + v + 1) * classes).map(Math.exp);
    const rest = others(own).slice();
    return { own, rest, nats: own.map((share, c) => divergenceAt(share, rest[c])) };
  });
}

/** The level with the strongest evidence for class c; −1 if there is none. */
const bestLevel = (byLevel: readonly LevelTelling[], c: number): number =>
  byLevel.length === 0 ? -1 : argmax(Float64Array.from(byLevel, ({ nats }) => nats[c]));

/** Insights into categorical parameters. */
export const categoricalInsight: Insight<Histogram, CategoricalParameters, CategoricalOptions> = {
  cells: () => levelCells,

  /** Σᵥ θ ln(θ / θ of the others), never negative: some level is always more frequent than elsewhere. */
  telling(dice) {
    const { classes, features } = dice;
    const telling = emptyTelling(dice);
    for (let j = 0; j < features; j++) {
      const byLevel = tellLevels(dice, j);
      for (let c = 0; c < classes; c++) {
        const cell = c * features + j;
        telling.nats[cell] = Math.max(
          0,
          byLevel.reduce((total, { nats }) => total + nats[c], 0),
        );
        const best = byLevel[bestLevel(byLevel, c)];
        if (best) telling.logOdds[cell] = logOddsRatio(best.own[c], best.rest[c]);
      }
    }
    return telling;
  },

  tellingLevel(dice, c, j) {
    const level = bestLevel(tellLevels(dice, j), c);
    return level < 0 ? Number.NaN : level;
  },

  points: ({ levels }, j) => Float64Array.from({ length: levels[j] }, (_, v) => v),

  contribution(dice, j, value, out) {
    const { classes, levels, logFaces, logUnseen } = dice;
    const weight = weightOf(dice, j);
    const start = sum(Float64Array.from(levels.subarray(0, j)));
    for (let c = 0; c < classes; c++) {
      if (Number.isNaN(value) || weight === 0) out[c] = 0;
      else out[c] = weight * (value < levels[j] ? logFaces[(start + value) * classes + c] : logUnseen[j * classes + c]);
    }
  },

  /** A row shows one face of each die, and one face of a Dirichlet draw is a coin. */
  drawScores({ classes, features, levels, n, h }, { classPrior, weights, ...options }, rows) {
    const prior = faceCounts(options, levels, posteriorCount);
    const { x } = toDense(rows);
    const offsets = levelOffsets(levels);
    const width = offsets[features];
    const drawPrior = priorDraws(n, classPrior);
    const sides = (c: number, j: number, level: number): [number, number] => {
      const from = c * width + offsets[j];
      const own = level < levels[j] ? h[from + level] + prior.at(offsets[j] + level) : prior.unknown;
      return [own, Math.max(0, sum(h, from, levels[j]) + prior.total(j) - own)];
    };
    return (i) => {
      const shown = [...x.subarray(i * features, (i + 1) * features).keys()].filter(
        (j) => levels[j] > 0 && !Number.isNaN(x[i * features + j]),
      );
      const coins = Array.from({ length: classes }, (_, c) => shown.map((j) => sides(c, j, x[i * features + j])));
      return (random, out) => {
        drawPrior(random, out);
        for (let c = 0; c < classes; c++) {
          coins[c].forEach((coin, k) => {
            out[c] += weightOf({ weights }, shown[k]) * drawCoin(random, ...coin)[0];
          });
        }
      };
    };
  },

  /** The posterior mean with pseudo-counts α is the mode under Dirichlet(α + 1): Σ αᵥ ln θᵥ. */
  logParameterPrior({ classes, levels, logFaces }, options) {
    const prior = faceCounts(options, levels, pseudoCount);
    let total = 0;
    for (let at = 0; at < logFaces.length; at++) {
      const pseudo = prior.at(Math.floor(at / classes));
      if (pseudo > 0) total += pseudo * logFaces[at];
    }
    return total;
  },

  leaveOneOut: levelsLeaveOneOut,
};
