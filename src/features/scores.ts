import { count } from '../core/model.ts';
import { type GivenOptions, readOptions, weightOption } from '../core/options.ts';
import { isSparse } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { chi2Tail, fTail } from '../math/tails.ts';
import { type Moments, moments } from '../stats/moments.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { type CountedFeatures, type CountedMoments, type Spread, spreads, toSums } from './counted.ts';
import { readLabelled } from './labelled.ts';
import { sparseMoments } from './sparse-moments.ts';

/** A test statistic for every feature and its p-value. */
export type Scores = [statistics: Float64Array, pValues: Float64Array];

/** Options of the scores. */
export type ScoreOptions = GivenOptions<typeof weightOption>;

/**
 * χ² of counts against the class, from sums by class:
 *
 *   χ²[j] = Σ_c (s[c,j] − e[c,j])² / e[c,j],   e[c,j] = (n[c] / N) Σ_c s[c,j],   K − 1 degrees of freedom.        (1)
 *
 * NaN for a feature that never occurs, and where there is a single class. Classes of weight zero are ignored.
 */
export function chi2FromSums(counted: Sums | CountedFeatures): Scores {
  const { classes, features, n, s, m } = toSums(counted);
  const present = (c: number, j: number) => n[c] - (m.length > 0 ? m[c * features + j] : 0);
  return score(features, (j) => {
    let [total, weight, k] = [0, 0, 0];
    for (let c = 0; c < classes; c++) {
      total += s[c * features + j];
      weight += present(c, j);
      if (present(c, j) > 0) k++;
    }
    if (k < 2 || total === 0) return [Number.NaN, Number.NaN];
    let statistic = 0;
    for (let c = 0; c < classes; c++) {
      const expected = (present(c, j) / weight) * total;
      if (expected > 0) statistic += (s[c * features + j] - expected) ** 2 / expected;
    }
    return [statistic, chi2Tail(statistic, k - 1)];
  });
}

/**
 * F of a one-way analysis of variance, from moments by class:
 *
 *   F[j] = (Σ_c n[c] (μ[c,j] − μ[j])² / (K − 1)) / (Σ_c n[c] σ²[c,j] / (N − K)).        (2)
 *
 * NaN for a constant feature, Infinity for one that is constant within every class only.
 */
export function fFromMoments(counted: Moments | CountedMoments): Scores {
  const { classes, features, at } = spreads(counted);
  return score(features, (j) => {
    const groups: Spread[] = [];
    for (let c = 0; c < classes; c++) if (at(c, j).weight > 0) groups.push(at(c, j));
    return analyse(groups);
  });
}

function analyse(groups: readonly Spread[]): [number, number] {
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  const origin = groups[0]?.mean ?? 0; // distances from one of the means lose no digits to a common offset
  const mean = groups.reduce((sum, group) => sum + (group.weight / total) * (group.mean - origin), 0);
  let [between, within] = [0, 0];
  for (const group of groups) {
    between += group.weight * (group.mean - origin - mean) ** 2;
    within += group.weight * group.variance;
  }
  const [above, below] = [groups.length - 1, total - groups.length];
  const f = between / above / (within / below);
  return [f, Number.isNaN(f) ? f : fTail(f, above, below)];
}

function score(features: number, test: (j: number) => [number, number]): Scores {
  const statistics = new Float64Array(features);
  const pValues = new Float64Array(features);
  for (let j = 0; j < features; j++) [statistics[j], pValues[j]] = test(j);
  return [statistics, pValues];
}

/** χ² of every non-negative feature against the class, by (1). Sparse rows cost their stored cells. */
export function chi2(X: Features, y: ArrayLike<Label>, options: ScoreOptions = {}): Scores {
  const { sampleWeight } = readOptions('chi2', weightOption, options);
  const { batch } = readLabelled(X, y, { sparse: true, nonNegative: true }, sampleWeight ?? undefined);
  return chi2FromSums(count(sums, batch));
}

/** F of every feature against the class, by (2). Sparse rows cost their stored cells. */
export function fClassif(X: Features, y: ArrayLike<Label>, options: ScoreOptions = {}): Scores {
  const { sampleWeight } = readOptions('fClassif', weightOption, options);
  const { batch } = readLabelled(X, y, { sparse: true }, sampleWeight ?? undefined);
  return fFromMoments(isSparse(batch) ? sparseMoments(batch) : count(moments, batch));
}
