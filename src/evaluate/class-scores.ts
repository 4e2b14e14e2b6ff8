import { type GivenOptions, type Option, type OptionSpec, readOptions } from '../core/options.ts';
import type { Answers } from './label-rows.ts';
import {
  averageScores,
  type ClassScoreOptions,
  type ClassTotals,
  classScoreSpec,
  meanOfDefined,
  type NoAverage,
  type PerClass,
  readTotals,
  scoreClasses,
} from './precision-recall.ts';

type Options = ReturnType<typeof readOptions<typeof classScoreSpec>>;

const beta: Option<number> = {
  kind: 'real',
  default: 1,
  expects: 'a number ≥ 0',
  accept: (value) => (typeof value === 'number' && value >= 0 ? value : undefined),
};
const averagedSpec = {
  ...classScoreSpec,
  /** The average over classes; null (or 'none') gives one value per class. Default: null. */
  average: { ...classScoreSpec.average, default: null as NoAverage },
  /** The weight of recall relative to precision; Infinity is recall alone. Default: 1. */
  beta,
} satisfies OptionSpec;

/** Options of `precisionRecallFscoreSupport`: as for F, but by default beta is 1 and average is null. */
export type PrecisionRecallOptions = GivenOptions<typeof averagedSpec>;

/** Options of `fbetaScore`. */
export type FbetaScoreOptions = ClassScoreOptions & {
  /** The weight of recall relative to precision; Infinity is recall alone. */
  readonly beta: number;
};

const isNone = (average: unknown): average is NoAverage => average === null || average === 'none';

/** One of precision, recall and F, by class or averaged. */
function pick(
  field: 'precision' | 'recall' | 'fscore',
  totals: ClassTotals,
  { average, zeroDivision }: Options,
  beta = 1,
): number | number[] {
  if (isNone(average)) return scoreClasses(totals, beta, zeroDivision)[field];
  return averageScores(totals, average, beta, zeroDivision)[field];
}

/**
 * Precision: of the rows predicted as a class, the share that is of it. By default of the positive class of two; `average` names other
 * ways, and null (or 'none') gives one value per class, in the order of `labels`.
 */
export function precisionScore(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function precisionScore(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function precisionScore(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  const read = readOptions('precisionScore', classScoreSpec, options);
  return pick('precision', readTotals(yTrue, yPred, read), read);
}

/** Recall: of the rows of a class, the share that was predicted as it. Options as for `precisionScore`. */
export function recallScore(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function recallScore(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function recallScore(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  const read = readOptions('recallScore', classScoreSpec, options);
  return pick('recall', readTotals(yTrue, yPred, read), read);
}

/** F₁: the harmonic mean of precision and recall, 2r / (t + p). Options as for `precisionScore`. */
export function f1Score(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function f1Score(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function f1Score(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  const read = readOptions('f1Score', classScoreSpec, options);
  return pick('fscore', readTotals(yTrue, yPred, read), read);
}

/** F_β = (1 + β²) r / (β² t + p), with r right of p predicted and t true. Options as for `precisionScore`. */
export function fbetaScore(yTrue: Answers, yPred: Answers, options: PerClass<FbetaScoreOptions>): number[];
export function fbetaScore(yTrue: Answers, yPred: Answers, options: FbetaScoreOptions): number;
export function fbetaScore(yTrue: Answers, yPred: Answers, options: FbetaScoreOptions): number | number[] {
  const required = { ...beta, default: undefined } as unknown as Option<number>;
  const { beta: factor, ...read } = readOptions('fbetaScore', { ...classScoreSpec, beta: required }, options);
  return pick('fscore', readTotals(yTrue, yPred, read), read, factor);
}

/** Jaccard: r / (t + p − r), what is shared over what either list has. Options as for `precisionScore`. */
export function jaccardScore(yTrue: Answers, yPred: Answers, options: PerClass<ClassScoreOptions>): number[];
export function jaccardScore(yTrue: Answers, yPred: Answers, options?: ClassScoreOptions): number;
export function jaccardScore(yTrue: Answers, yPred: Answers, options: ClassScoreOptions = {}): number | number[] {
  const read = readOptions('jaccardScore', classScoreSpec, options);
  const totals = readTotals(yTrue, yPred, read);
  const either = totals.actual.map((t, c) => t + totals.predicted[c] - totals.right[c]);
  // r / (t + p − r) is a recall whose "true" rows are those of either list.
  const shared = { ...totals, actual: either };
  if (read.average !== 'weighted') return pick('recall', shared, read);
  return meanOfDefined(scoreClasses(shared, 1, read.zeroDivision).recall, totals.actual);
}

/** Precision, recall and F by class with their support, or one value each (and no support) under an average. */
export function precisionRecallFscoreSupport(
  yTrue: Answers,
  yPred: Answers,
  options: Omit<PrecisionRecallOptions, 'average'> & { readonly average?: NoAverage | undefined },
): [precision: number[], recall: number[], fscore: number[], support: number[]];
export function precisionRecallFscoreSupport(
  yTrue: Answers,
  yPred: Answers,
  options?: PrecisionRecallOptions,
): [precision: number | number[], recall: number | number[], fscore: number | number[], support: number[] | null];
export function precisionRecallFscoreSupport(
  yTrue: Answers,
  yPred: Answers,
  options: PrecisionRecallOptions = {},
): [precision: number | number[], recall: number | number[], fscore: number | number[], support: number[] | null] {
  const { beta: factor, ...read } = readOptions('precisionRecallFscoreSupport', averagedSpec, options);
  const totals = readTotals(yTrue, yPred, read);
  const support = isNone(read.average) ? [...totals.actual] : null;
  return [pick('precision', totals, read), pick('recall', totals, read), pick('fscore', totals, read, factor), support];
}
