import { type GivenOptions, type OptionSpec, unchecked } from '../core/options.ts';
import { type Label, moves, uniteClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { f1Score, jaccardScore, precisionScore, recallScore } from '../evaluate/class-scores.ts';
import { d2BrierScore, d2LogLossScore } from '../evaluate/gain-metrics.ts';
import { accuracyScore, balancedAccuracyScore, cohenKappaScore, matthewsCorrcoef } from '../evaluate/metrics.ts';
import { brierScoreLoss, logLoss, topKAccuracyScore } from '../evaluate/probability-metrics.ts';
import { averagePrecisionScore, rocAucScore } from '../evaluate/ranking-scores.ts';
import type { Candidate, Scored } from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';

/** The predictions of a fitted estimator for labelled rows, each computed once on demand. */
interface Answers {
  readonly y: ArrayLike<Label>;
  /** All classes of the rows: the columns of the probabilities. */
  readonly labels: readonly Label[];
  readonly sampleWeight: Weights | null;
  predicted(): Label[];
  probabilities(): Matrix;
  /** Scores that rank rows: of the decision function where there is one. */
  ranking(): Matrix;
}

type Metric = (answers: Answers) => number;

const byLabel =
  (
    score: typeof accuracyScore | typeof balancedAccuracyScore | typeof matthewsCorrcoef | typeof cohenKappaScore,
  ): Metric =>
  ({ y, predicted, sampleWeight }) =>
    score(y, predicted(), { sampleWeight });

const byClass =
  (
    score: (y: ArrayLike<Label>, predicted: ArrayLike<Label>, options: object) => number,
    average: 'binary' | 'micro' | 'macro' | 'weighted' = 'binary',
  ): Metric =>
  ({ y, predicted, sampleWeight }) =>
    score(y, predicted(), { average, sampleWeight });

const area =
  (multiClass: 'raise' | 'ovr' | 'ovo', average: 'macro' | 'weighted' = 'macro'): Metric =>
  ({ y, labels, sampleWeight, probabilities, ranking }) =>
    rocAucScore(y, multiClass === 'raise' ? ranking() : probabilities(), { labels, multiClass, average, sampleWeight });

/** scikit-learn's names of scores; greater is better, so losses carry a minus. */
const metrics = {
  accuracy: byLabel(accuracyScore),
  balanced_accuracy: byLabel(balancedAccuracyScore),
  cohen_kappa: byLabel(cohenKappaScore),
  matthews_corrcoef: byLabel(matthewsCorrcoef),
  f1: byClass(f1Score),
  f1_micro: byClass(f1Score, 'micro'),
  f1_macro: byClass(f1Score, 'macro'),
  f1_weighted: byClass(f1Score, 'weighted'),
  precision: byClass(precisionScore),
  precision_micro: byClass(precisionScore, 'micro'),
  precision_macro: byClass(precisionScore, 'macro'),
  precision_weighted: byClass(precisionScore, 'weighted'),
  recall: byClass(recallScore),
  recall_micro: byClass(recallScore, 'micro'),
  recall_macro: byClass(recallScore, 'macro'),
  recall_weighted: byClass(recallScore, 'weighted'),
  jaccard: byClass(jaccardScore),
  jaccard_micro: byClass(jaccardScore, 'micro'),
  jaccard_macro: byClass(jaccardScore, 'macro'),
  jaccard_weighted: byClass(jaccardScore, 'weighted'),
  roc_auc: area('raise'),
  roc_auc_ovr: area('ovr'),
  roc_auc_ovr_weighted: area('ovr', 'weighted'),
  roc_auc_ovo: area('ovo'),
  roc_auc_ovo_weighted: area('ovo', 'weighted'),
  average_precision: ({ y, ranking, sampleWeight }) => averagePrecisionScore(y, ranking(), { sampleWeight }),
  top_k_accuracy: ({ y, labels, probabilities, sampleWeight }) =>
    topKAccuracyScore(y, probabilities(), { labels, sampleWeight }),
  // scikit-learn's scorer reads 1 − p for two classes, so its value for rows near 0 and 1 depends on the order of labels
  neg_log_loss: ({ y, labels, probabilities, sampleWeight }) => -logLoss(y, probabilities(), { labels, sampleWeight }),
  neg_brier_score: ({ y, labels, probabilities, sampleWeight }) =>
    -brierScoreLoss(y, probabilities(), { labels, sampleWeight }),
  d2_log_loss_score: ({ y, labels, probabilities, sampleWeight }) =>
    d2LogLossScore(y, probabilities(), { labels, sampleWeight }),
  d2_brier_score: ({ y, labels, probabilities, sampleWeight }) =>
    d2BrierScore(y, probabilities(), { labels, sampleWeight }),
} satisfies Record<string, Metric>;

/** The names of scores. */
export type ScoringName = keyof typeof metrics;

/**
 * A user-defined score of a fitted estimator on labelled rows. Greater is better. `TunedThresholdClassifierCV` gives it `classes`,
 * `predict`, `predictProba` and `decisionFunction` of the estimator, and no other methods.
 */
export type Scorer<E extends Candidate = Candidate> = (
  estimator: E,
  X: InputOf<E>,
  y: Label[],
  options: { readonly sampleWeight?: Weights },
) => number;

/** One score: its name, or a function. */
export type Scoring<E extends Candidate = Candidate> = ScoringName | Scorer<E>;

/** Several scores: a list of names, or scores by your own names. */
export type Scorings<E extends Candidate = Candidate> = readonly ScoringName[] | Readonly<Record<string, Scoring<E>>>;

/** Checked scores by name; of one alone the name is `score`. */
export type ReadScoring = ReadonlyMap<string, ScoringName | Scorer>;

/** The option of what is scored. */
export const scoringSpec = {
  /** Names or functions of scores. */
  scoring: { ...unchecked<unknown>(), default: 'accuracy' as unknown },
} satisfies OptionSpec;

/** Options of a function that scores, as a caller may give them. */
export type ScoringOptions<Spec extends OptionSpec, S> = Omit<GivenOptions<Spec>, 'scoring'> & {
  /** The score or scores. Default: 'accuracy'. */
  readonly scoring?: S | undefined;
};

/** Checks what is to be scored. */
export function readScoring(scoring: unknown): ReadScoring {
  if (typeof scoring !== 'object' || scoring === null) return new Map([['score', readOne(scoring)]]);
  const entries = Array.isArray(scoring) ? scoring.map((name) => [name, name] as const) : Object.entries(scoring);
  if (entries.length === 0) refuse('E_PARAM', 'scoring names no score', { name: 'scoring' });
  return new Map(entries.map(([name, one]) => [String(name), readOne(one)]));
}

/** The same for a function that takes one score; `sentence` says so. */
export function readSingle(scoring: unknown, sentence: string): ReadScoring {
  const read = readScoring(scoring);
  return read.has('score') && read.size === 1 ? read : refuse('E_PARAM', sentence, { name: 'scoring' });
}

function readOne(scoring: unknown): ScoringName | Scorer {
  if (typeof scoring === 'function') return scoring as Scorer;
  if (typeof scoring === 'string' && Object.hasOwn(metrics, scoring)) return scoring as ScoringName;
  const names = Object.keys(metrics).join(', ');
  return refuse('E_PARAM', `there is no score ${show(scoring)}; there are ${names}`, { name: 'scoring' });
}

/** The scores of a fitted estimator on labelled rows, by name. */
export function scoreRows(
  estimator: Scored,
  part: { X: unknown; y: ArrayLike<Label>; sampleWeight: Weights | undefined },
  labels: readonly Label[],
  scoring: ReadScoring,
): Map<string, number> {
  const answers = answersOf(estimator, part, labels);
  const { sampleWeight } = part;
  const own = (scorer: Scorer) => {
    const options = sampleWeight === undefined ? {} : { sampleWeight };
    const value: unknown = scorer(estimator as never, part.X as never, Array.from(part.y), options);
    return typeof value === 'number' ? value : refuse('E_TYPE', `a score is a number, got ${show(value)}`);
  };
  const one = (scorer: ScoringName | Scorer) => (typeof scorer === 'string' ? metrics[scorer](answers) : own(scorer));
  return new Map(Array.from(scoring, ([name, scorer]) => [name, one(scorer)]));
}

function answersOf(
  estimator: Scored,
  { X, y, sampleWeight }: { X: unknown; y: ArrayLike<Label>; sampleWeight: Weights | undefined },
  known: readonly Label[],
): Answers {
  const labels = uniteClasses(known, estimator.classes);
  const probabilities = once(() => spread(requireProbabilities(estimator, X), estimator.classes, labels, 0));
  const ranking = once(() =>
    decides(estimator) && estimator.classes.length === labels.length ? estimator.decisionFunction(X) : probabilities(),
  );
  const predicted = once(() => estimator.predict(X));
  return { y, labels, sampleWeight: sampleWeight ?? null, predicted, probabilities, ranking };
}

/** Whether it has a decision function: a pipeline has that of its last step, a search that of its estimator. */
export function decides<E extends object>(estimator: E): estimator is E & Required<Pick<Scored, 'decisionFunction'>> {
  if (!('decisionFunction' in estimator)) return false;
  const { steps, estimator: searched } = estimator as { steps?: readonly object[]; estimator?: object };
  const inner = steps?.at(-1) ?? searched;
  return inner === undefined || decides(inner);
}

/** p(c | x) of an estimator that has probabilities. */
export function requireProbabilities(estimator: Scored, X: unknown): Matrix {
  if (!estimator.predictProba) {
    return refuse('E_PARAM', `a ${estimator.kind} has no probabilities to be evaluated by`, {
      estimator: estimator.kind,
    });
  }
  return estimator.predictProba(X);
}

/** Columns of some classes among those of all; the others are filled. */
export function spread(part: Matrix, own: readonly Label[], all: readonly Label[], filling: number): Matrix {
  if (own.length === all.length) return part;
  const whole = new Matrix(part.rows, all.length, new Float64Array(part.rows * all.length).fill(filling));
  const place = moves(own, all);
  for (let i = 0; i < part.rows; i++) {
    for (let c = 0; c < own.length; c++) whole.data[i * all.length + place[c]] = part.at(i, c);
  }
  return whole;
}

function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => (done ??= { value: work() }).value;
}
