import { type DrawScore, type Insight, wordCells } from '../core/insight.ts';
import { drawCoin, posteriorCount, priorDraws } from '../core/posterior-draws.ts';
import { betaSides, pseudoAt, pseudoCount } from '../core/prior.ts';
import { coinDivergence, logOddsRatio, tellingBy } from '../core/telling.ts';
import { type SparseRows, toSparse } from '../data/batch.ts';
import { trigamma } from '../math/gamma.ts';
import { digammaDifference } from '../math/gamma-ratio.ts';
import { softplus } from '../math/logs.ts';
import type { Sums } from '../stats/sums.ts';
import { type BernoulliOptions, type BernoulliParameters, coinsLeaveOneOut, logToss } from './bernoulli.ts';

/** Insights into Bernoulli parameters. */
export const bernoulliInsight: Insight<Sums, BernoulliParameters, BernoulliOptions> = {
  cells: () => wordCells,

  telling(coins) {
    const { features, logPrior, logOdds } = coins;
    const heads = (c: number, j: number) => 1 / (1 + Math.exp(-logOdds[c * features + j]));
    return tellingBy(coins, logPrior, heads, coinDivergence, logOddsRatio);
  },

  points: () => Float64Array.of(0, 1),

  contribution({ classes, features, logOdds }, j, value, out) {
    for (let c = 0; c < classes; c++) out[c] = logToss(value, logOdds[c * features + j]);
  },

  drawScores(stats, { prior, classPrior }, rows) {
    const [k, l] = betaSides(prior).map(posteriorCount);
    const { features, n, s, m } = stats;
    const sides = (c: number, j: number): [heads: number, tails: number] => {
      const cell = c * features + j;
      const absent = Math.max(0, n[c] - (m.length > 0 ? m[cell] : 0) - s[cell]);
      return [s[cell] + pseudoAt(k, features, c, j), absent + pseudoAt(l, features, c, j)];
    };
    const drawPrior = priorDraws(n, classPrior);
    const cells = toSparse(rows);
    if (features <= EVERY_FEATURE) return (i) => drawEveryCoin(stats, sides, drawPrior, cells, i);
    const silence = Array.from({ length: stats.classes }, (_, c) => silenceOf(features, (j) => sides(c, j)));
    return (i) => drawHeads(sides, silence, drawPrior, cells, i);
  },

  /** The posterior mean with pseudo-counts k and l is the mode under Beta(k + 1, l + 1): Σ k ln θ + l ln(1 − θ). */
  logParameterPrior({ classes, features, logOdds }, { prior }) {
    const [k, l] = betaSides(prior).map(pseudoCount);
    let sum = 0;
    for (let c = 0; c < classes; c++) {
      for (let j = 0; j < features; j++) {
        const odds = logOdds[c * features + j];
        const [heads, tails] = [pseudoAt(k, features, c, j), pseudoAt(l, features, c, j)];
        if (heads > 0) sum -= heads * softplus(-odds);
        if (tails > 0) sum -= tails * softplus(odds);
      }
    }
    return sum;
  },

  leaveOneOut: coinsLeaveOneOut,
};

type Sides = (c: number, j: number) => [heads: number, tails: number];

/** Up to this many features every coin is drawn; beyond, the many that show tails are drawn as one sum. */
const EVERY_FEATURE = 1000;

function drawEveryCoin(
  { classes, features }: Sums,
  sides: Sides,
  drawPrior: DrawScore,
  { indptr, indices, values }: SparseRows,
  i: number,
): DrawScore {
  const row = new Float64Array(features);
  for (let k = indptr[i]; k < indptr[i + 1]; k++) row[indices[k]] = values[k];
  return (random, out) => {
    drawPrior(random, out);
    for (let c = 0; c < classes; c++) {
      for (let j = 0; j < features; j++) {
        if (Number.isNaN(row[j])) continue;
        const [heads, tails] = sides(c, j);
        out[c] += drawCoin(random, heads, tails)[row[j] === 0 ? 1 : 0];
      }
    }
  };
}

/** Mean and variance of Σ ln(1 − θ) over coins, and how many of them never show tails. */
interface Silence {
  mean: number;
  variance: number;
  certain: number;
}

/** Of θ ~ Beta(a, b), ln(1 − θ) has mean ψ(b) − ψ(a + b) and variance ψ′(b) − ψ′(a + b). */
function addSilence(to: Silence, [heads, tails]: [number, number], sign: 1 | -1): void {
  if (heads === 0) return;
  if (tails === 0) {
    to.certain += sign;
    return;
  }
  to.mean -= sign * digammaDifference(tails, heads);
  to.variance += sign * (trigamma(tails) - trigamma(heads + tails));
}

function silenceOf(features: number, sidesOf: (j: number) => [number, number]): Silence {
  const silence = { mean: 0, variance: 0, certain: 0 };
  for (let j = 0; j < features; j++) addSilence(silence, sidesOf(j), 1);
  return silence;
}

/** A sum of more than a thousand independent terms is almost normal; heads are drawn one by one. */
function drawHeads(
  sides: Sides,
  silence: readonly Silence[],
  drawPrior: DrawScore,
  { indptr, indices, values }: SparseRows,
  i: number,
): DrawScore {
  const heads: number[] = [];
  const rest = silence.map((all) => ({ ...all }));
  for (let k = indptr[i]; k < indptr[i + 1]; k++) {
    rest.forEach((tails, c) => {
      addSilence(tails, sides(c, indices[k]), -1);
    });
    if (!Number.isNaN(values[k])) heads.push(indices[k]);
  }
  return (random, out) => {
    drawPrior(random, out);
    rest.forEach(({ mean, variance, certain }, c) => {
      if (certain > 0) out[c] = -Infinity;
      else out[c] += mean + Math.sqrt(Math.max(0, variance)) * random.normal();
      for (const j of heads) out[c] += drawCoin(random, ...sides(c, j))[0];
    });
  };
}
