import { count, type Statistic } from '../core/model.ts';
import { type Batch, isSparse, type Shape } from '../data/batch.ts';
import type { Expectation, Features } from '../data/input.ts';
import { type Label, moves, requireSameType, uniteClasses } from '../data/labels.ts';
import { type Moments, moments } from '../stats/moments.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { documentInformation, informationFromSums, presence, wordInformation } from './events.ts';
import { gainRatio, informationGain } from './gain.ts';
import { mutualInfoClassif } from './mutual-information.ts';
import { chi2, chi2FromSums, fClassif, fFromMoments, type Scores } from './scores.ts';
import { sparseMoments } from './sparse-moments.ts';

/** A score for every feature, with or without p-values. */
export type ScoreResult = ArrayLike<number> | readonly [statistics: ArrayLike<number>, pValues: ArrayLike<number>];

/** A score function for feature selection. */
export type ScoreFunction = (X: Features, y: ArrayLike<Label>) => ScoreResult;

/** A score derived from a statistic, so that it can be learned in parts, merged and updated. */
export interface Scorer<S extends Shape> {
  readonly statistic: Statistic<S>;
  readonly expectation: Expectation;
  count(batch: Batch): S;
  score(stats: S): Float64Array | Scores;
}

/** The score functions by name: what a model file may name. */
export const scoreFunctions = {
  fClassif,
  chi2,
  mutualInfoClassif,
  documentInformation,
  wordInformation,
  informationGain,
  gainRatio,
} as const;

/** The name of a score function. */
export type ScoreName = keyof typeof scoreFunctions;

const ofCounts = { sparse: true, nonNegative: true };

const countSums = (batch: Batch): Sums => count(sums, batch);

const onSums = (score: Scorer<Sums>['score'], read = countSums): Scorer<Sums> => ({
  statistic: sums,
  expectation: ofCounts,
  count: read,
  score,
});

const onMoments: Scorer<Moments> = {
  statistic: moments,
  expectation: { sparse: true },
  count: (batch) => (isSparse(batch) ? sparseMoments(batch) : count(moments, batch)),
  score: fFromMoments,
};

/** The scores that follow from a statistic. */
export const scorers: Partial<Record<ScoreName, Scorer<Sums> | Scorer<Moments>>> = {
  fClassif: onMoments,
  chi2: onSums(chi2FromSums),
  documentInformation: onSums(informationFromSums, (batch) => countSums(presence(batch))),
  wordInformation: onSums((stats) => informationFromSums(stats, { events: 'words' })),
};

/** A result as statistics and p-values. */
export function splitScores(result: ScoreResult): { scores: Float64Array; pvalues: Float64Array | undefined } {
  const [first] = Array.from(result as ArrayLike<unknown>);
  if (typeof first !== 'object' || first === null) {
    return { scores: Float64Array.from(result as ArrayLike<number>), pvalues: undefined };
  }
  const [statistics, pValues] = result as Scores;
  return { scores: Float64Array.from(statistics), pvalues: pValues && Float64Array.from(pValues) };
}

/** The name of a score function, 'custom' for a user-defined one. */
export function nameOfScore(given: ScoreFunction | ScoreName | 'custom'): ScoreName | 'custom' {
  if (typeof given === 'string') return given;
  return (Object.keys(scoreFunctions) as ScoreName[]).find((name) => scoreFunctions[name] === given) ?? 'custom';
}

/** A counted statistic and the classes it counts. */
export interface ScoreStatistic {
  readonly classes: readonly Label[];
  readonly stats: Shape;
}

/** Merges two statistics over the classes of both; neither is changed. */
export function unite(statistic: Statistic<Shape>, a: ScoreStatistic | undefined, b: ScoreStatistic): ScoreStatistic {
  if (!a) return b;
  requireSameType(a.classes[0], b.classes[0], 0);
  const classes = uniteClasses(a.classes, b.classes);
  const spread = ({ stats, classes: own }: ScoreStatistic) =>
    statistic.reshape(stats, { ...stats, classes: classes.length }, { classes: moves(own, classes) });
  const stats = spread(a);
  statistic.merge(stats, spread(b));
  return { classes, stats };
}
