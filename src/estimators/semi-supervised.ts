import {
  type GivenOptions,
  type OptionSpec,
  type OptionValues,
  readOptions,
  real,
  unchecked,
} from '../core/options.ts';
import { mapCells, type Shape } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { requireGoing } from '../data/limits.ts';
import type { Matrix } from '../data/matrix.ts';
import { requireLengths, softLabels } from '../data/soft-labels.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { PolyaError, refuse } from '../errors.ts';
import { countRows, type Splittable, selectRows } from '../evaluate/rows.ts';
import { requireList } from '../evaluate/targets.ts';
import { CountingClassifier } from './classifier.ts';
import type { AnyClassifier } from './copy.ts';
import { requireCandidate } from './fold-learning.ts';
import { logParameterPrior } from './parameter-posterior.ts';
import type { Pipeline } from './pipeline.ts';
import { type InputOf, isTransformer, type Step } from './pipeline-step.ts';
import { restore } from './restore.ts';

const spec = {
  /** The weight of an unlabelled row relative to a labelled one. Default: 1. */
  weight: real({ default: 1, min: Number.MIN_VALUE }),
  /** The most steps of expectation–maximisation. Default: 30. */
  maxIter: real({ default: 30, min: 0 }),
  /** Stops when the relative increase of the objective is below this. Default: 1e-4. */
  tol: real({ default: 1e-4, min: 0 }),
  /**
   * Rows of counts are scaled to this sum. Otherwise the posteriors of long documents are 0 or 1, and EM converges too early. Scale rows
   * that you score with the result in the same way; the predicted class hardly depends on it. Default: no scaling.
   */
  documentLength: unchecked<number>(),
  /** One weight per row, labelled or not. Default: 1 for every row. */
  sampleWeight: unchecked<Weights>(),
  /** Aborts the work with E_CANCELLED. Default: none. */
  signal: unchecked<AbortSignal>(),
} satisfies OptionSpec;

/** Options of `fitSemiSupervised`. */
export type SemiSupervisedOptions = GivenOptions<typeof spec>;

/** The progress of the objective, and whether it converged. */
export interface SemiSupervisedReport {
  /** Σ ln p(x, y) + weight · Σ ln p(u) + ln p(θ), after the labelled fit and after every step. */
  readonly objective: readonly number[];
  readonly converged: boolean;
  /** How many rows had a label, and how many had none. */
  readonly labelled: number;
  readonly unlabelled: number;
}

/** Labels of rows; null or undefined where a row has none. */
export type PartialLabels = ArrayLike<Label | null | undefined>;

/** Unlabelled rows are counted this many at a time. */
const ROWS_AT_ONCE = 512;

/**
 * Semi-supervised learning by expectation–maximisation: rows without a label are counted for each class by the share that the
 * current model gives it, and the model is estimated again from all counts, until the objective converges. For a classifier that
 * counts, or a pipeline that ends in one; transformers learn from all rows, those that need labels from the labelled ones.
 * Nigam, McCallum, Thrun & Mitchell, Text Classification from Labeled and Unlabeled Documents using EM (2000).
 */
export function fitSemiSupervised<Steps extends readonly Step[]>(
  estimator: Pipeline<Steps>,
  X: InputOf<Pipeline<Steps>>,
  y: PartialLabels,
  options?: SemiSupervisedOptions,
): SemiSupervisedReport;
export function fitSemiSupervised<S extends Shape, P extends Shape, Input>(
  estimator: CountingClassifier<OptionSpec, S, P, Input>,
  X: Input,
  y: PartialLabels,
  options?: SemiSupervisedOptions,
): SemiSupervisedReport;
export function fitSemiSupervised(
  estimator: AnyClassifier | Pipeline<readonly Step[]>,
  X: unknown,
  y: PartialLabels,
  options: SemiSupervisedOptions = {},
): SemiSupervisedReport {
  const read = readOptions('fitSemiSupervised', spec, options);
  const { documentLength } = read;
  requireCandidate(estimator);
  const labels = divide(requireList(y, 'y') as PartialLabels);
  const all =
    estimator instanceof CountingClassifier ? { rows: X, steps: [], last: estimator } : before(estimator, X, labels);
  const rows = (documentLength === null ? all.rows : scaled(all.rows, documentLength)) as Splittable;
  const { state, ...report } = maximise(all.last, rows, labels, read);
  if (estimator instanceof CountingClassifier) restore(estimator, state);
  else estimator.restore({ ...state, steps: [...all.steps.map((step) => step.toState()), state] });
  return report;
}

/** The numbers of the rows with a label and of those without, and the labels. */
interface Known {
  readonly labelled: number[];
  readonly unlabelled: number[];
  readonly labels: Label[];
}

function divide(y: PartialLabels): Known {
  const known: Known = { labelled: [], unlabelled: [], labels: [] };
  for (let i = 0; i < y.length; i++) {
    const label = y[i];
    if (label === null || label === undefined) known.unlabelled.push(i);
    else {
      known.labelled.push(i);
      known.labels.push(label);
    }
  }
  if (known.labelled.length === 0)
    refuse('E_LABEL_MISSING', 'no row has a label; at least a few labels are needed', {});
  return known;
}

/** The transformers of a pipeline, fitted, with the rows that they make; and the classifier at its end. */
function before(pipeline: Pipeline<readonly Step[]>, X: unknown, { labelled, labels }: Known) {
  const steps = pipeline.steps.slice(0, -1).map((step) => step.clone());
  const last = pipeline.steps.at(-1);
  if (!(last instanceof CountingClassifier)) {
    const kind = last?.kind ?? 'nothing';
    return refuse('E_PARAM', `a pipeline that ends in ${kind} does not learn from unlabelled rows`, { step: kind });
  }
  let rows = X;
  for (const step of steps) {
    if (!isTransformer(step)) continue; // only the last step is not a transformer
    try {
      step.fit(rows);
    } catch (cause) {
      if (!(cause instanceof PolyaError)) throw cause;
      step.fit(selectRows(rows as Splittable, labelled), labels); // needs labels
    }
    rows = step.transform(rows);
  }
  return { rows, steps, last: last as AnyClassifier };
}

function maximise(estimator: AnyClassifier, X: Splittable, known: Known, options: OptionValues<typeof spec>) {
  const { weight, maxIter, tol, sampleWeight, signal } = options;
  const { labelled, unlabelled, labels } = known;
  requireLengths(countRows(X), labelled.length + unlabelled.length);
  const weights = readWeights(sampleWeight ?? undefined, labelled.length + unlabelled.length);
  const [certain, others] = [selectRows(X, labelled), selectRows(X, unlabelled)];
  const [wCertain, wOthers] = [labelled, unlabelled].map((part) => Float64Array.from(part, (i) => weights[i]));
  const first = estimator.clone().fit(certain, labels, { sampleWeight: wCertain });
  const state = first.toState();
  const valueOf = (model: AnyClassifier): number => {
    const joint: Matrix = model.predictJointLogProba(certain);
    const place = new Map(model.classes.map((label, c) => [label, c]));
    let sum = logParameterPrior(model);
    for (let i = 0; i < labels.length; i++) sum += wCertain[i] * joint.at(i, place.get(labels[i]) as number);
    const evidence = unlabelled.length > 0 ? model.logEvidence(others) : [];
    for (let i = 0; i < evidence.length; i++) sum += weight * wOthers[i] * evidence[i];
    return sum;
  };
  let current: AnyClassifier = first;
  const objective = [valueOf(current)];
  let converged = unlabelled.length === 0;
  for (let step = 0; step < maxIter && !converged; step++) {
    requireGoing(signal ?? undefined);
    const next = restore(estimator.clone(), state);
    for (let from = 0; from < unlabelled.length; from += ROWS_AT_ONCE) {
      const places = unlabelled.slice(from, from + ROWS_AT_ONCE);
      const part = selectRows(X, places);
      const own = Float64Array.from(places, (i) => weight * weights[i]);
      next.partialFit(part, softLabels(current.predictProba(part), current.classes), { sampleWeight: own });
    }
    const value = valueOf(next);
    converged = value - objective[objective.length - 1] <= tol * Math.abs(value);
    objective.push(value);
    current = next;
  }
  return {
    state: current.toState(),
    objective,
    converged,
    labelled: labelled.length,
    unlabelled: unlabelled.length,
  };
}

/** Rows of counts, each scaled to the same sum; a row without counts stays as it is. */
function scaled(X: unknown, documentLength: number): SparseMatrix {
  const { rows } = readFeatures(X as Features, { sparse: true, extra: 'ignore' });
  const cells = mapCells(rows, (value) => value);
  for (let i = 0; i < cells.rows; i++) {
    const row = cells.values.subarray(cells.indptr[i], cells.indptr[i + 1]);
    const length = row.reduce((sum, value) => sum + value, 0);
    if (length > 0) for (let k = 0; k < row.length; k++) row[k] *= documentLength / length;
  }
  return SparseMatrix.tidy(cells.rows, cells.features, cells.indptr, cells.indices, cells.values);
}
