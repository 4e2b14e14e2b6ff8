import { flag, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { type Answers, readLabelSets, rowTotals, setTotals } from './label-rows.ts';
import { classTotals } from './precision-recall.ts';
import { labels, readClassList, readPair, sampleWeight } from './targets.ts';

/** Options of `multilabelConfusionMatrix`. */
export interface MultilabelConfusionOptions {
  /** The classes, in the order of the columns or of the result. Default: the sorted classes found in the data. */
  readonly labels?: ArrayLike<Label> | null | undefined;
  /** One weight per row. Default: 1 for every row. */
  readonly sampleWeight?: Weights | null | undefined;
  /** A table for each row instead of each label. Default: false. */
  readonly samplewise?: boolean | undefined;
}

const spec = {
  labels,
  sampleWeight,
  /** A table for each row instead of each label. */
  samplewise: flag({ default: false }),
} satisfies OptionSpec;

/**
 * A table of two rows and columns for every label: [[neither, only predicted], [only true, both]]. Labels that exclude each other are
 * taken one against the rest.
 */
export function multilabelConfusionMatrix(
  yTrue: Answers,
  yPred: Answers,
  options: MultilabelConfusionOptions = {},
): Matrix[] {
  const read = readOptions('multilabelConfusionMatrix', spec, options);
  const wanted = read.labels === null ? undefined : readClassList(read.labels);
  const sets = readLabelSets(yTrue, yPred, read.sampleWeight);
  if (read.samplewise && !sets) refuse('E_PARAM', 'samplewise needs several labels for a row', { name: 'samplewise' });
  const pair = sets ?? readPair(yTrue, yPred, read.sampleWeight);
  const all = sum(pair.weights);
  const { right, predicted, actual, weights } = sets
    ? read.samplewise
      ? rowTotals(sets, wanted)
      : setTotals(sets, wanted)
    : classTotals(pair as ReturnType<typeof readPair>, wanted);
  const size = (wanted ?? pair.classes).length;
  return right.map((r, c) => {
    const [both, guessed, meant] = [r, predicted[c] - r, actual[c] - r];
    const factor = weights?.[c] ?? 1;
    const cells = [(weights ? size : all) - both - guessed - meant, guessed, meant, both];
    return new Matrix(
      2,
      2,
      Float64Array.from(cells, (cell) => cell * factor),
    );
  });
}

/**
 * The likelihood ratios of a test for the second of two classes: sensitivity / (1 − specificity), and (1 − sensitivity) / specificity.
 * NaN where a ratio is undefined.
 */
export function classLikelihoodRatios(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options: Omit<MultilabelConfusionOptions, 'samplewise'> = {},
): [positive: number, negative: number] {
  const read = readOptions('classLikelihoodRatios', { labels, sampleWeight }, options);
  const pair = readPair(yTrue, yPred, read.sampleWeight);
  const classes = read.labels === null ? pair.classes : readClassList(read.labels);
  if (classes.length !== 2) refuse('E_PARAM', `likelihood ratios are of two classes, got ${classes.length}`, {});
  const { right, predicted, actual } = classTotals(pair, classes);
  const [trueNegative, truePositive] = right;
  const [falseNegative, falsePositive] = [predicted[0] - right[0], predicted[1] - right[1]];
  const ratio = (hits: number, misses: number) => {
    const undefinedRatio = actual[1] === 0 || actual[0] === 0 || misses === 0;
    return undefinedRatio ? Number.NaN : hits / actual[1] / (misses / actual[0]);
  };
  return [ratio(truePositive, falsePositive), ratio(falseNegative, trueNegative)];
}
