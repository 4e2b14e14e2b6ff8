import { flag, type GivenOptions, type Option, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { classTotals } from './class-scores.ts';
import { type Answers, readLabelSets, rowTotals, setTotals } from './label-rows.ts';
import { labelsOption, readClassList, readPair } from './targets.ts';

const spec = {
  ...labelsOption,
  ...weightOption,
  /** A table for each row instead of each label. Default: false. */
  samplewise: flag({ default: false }),
} satisfies OptionSpec;

/** Options of `multilabelConfusionMatrix`. */
export type MultilabelConfusionOptions = GivenOptions<typeof spec>;

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

interface Ratios {
  readonly 'LR+': number;
  readonly 'LR-': number;
}

/** What stands for ratios that divide by zero. */
const replaceUndefinedBy: Option<Ratios> = {
  kind: 'custom',
  default: { 'LR+': Number.NaN, 'LR-': Number.NaN },
  expects: "NaN, 1, or { 'LR+': a number ≥ 1 or NaN, 'LR-': a number from 0 to 1 or NaN }",
  accept(value: unknown) {
    if (Number.isNaN(value) || value === 1) return { 'LR+': value as number, 'LR-': value as number };
    const { 'LR+': positive, 'LR-': negative, ...others } = Object(value) as Record<string, unknown>;
    const known = typeof positive === 'number' && typeof negative === 'number' && Object.keys(others).length === 0;
    return known && !(positive < 1) && !(negative < 0 || negative > 1)
      ? { 'LR+': positive, 'LR-': negative }
      : undefined;
  },
};

const ratioSpec = { ...labelsOption, ...weightOption, replaceUndefinedBy } satisfies OptionSpec;

/** The two classes, the weights, and what stands for ratios that divide by zero. */
export type LikelihoodRatioOptions = Omit<GivenOptions<typeof ratioSpec>, 'replaceUndefinedBy'> & {
  /** What replaces a ratio that divides by zero: one number, or one for each ratio. Default: NaN. */
  readonly replaceUndefinedBy?: number | Ratios | undefined;
};

/**
 * The likelihood ratios of a test for the second of two classes: sensitivity / (1 − specificity), and (1 − sensitivity) / specificity.
 * NaN where a ratio is undefined; `replaceUndefinedBy` stands for a division by zero.
 */
export function classLikelihoodRatios(
  yTrue: ArrayLike<Label>,
  yPred: ArrayLike<Label>,
  options: LikelihoodRatioOptions = {},
): [positive: number, negative: number] {
  const read = readOptions('classLikelihoodRatios', ratioSpec, options);
  const pair = readPair(yTrue, yPred, read.sampleWeight);
  const classes = read.labels === null ? pair.classes : readClassList(read.labels);
  if (classes.length !== 2) refuse('E_PARAM', `likelihood ratios are of two classes, got ${classes.length}`, {});
  const { right, predicted, actual } = classTotals(pair, classes);
  const [trueNegative, truePositive] = right;
  const [falseNegative, falsePositive] = [predicted[0] - right[0], predicted[1] - right[1]];
  const ratio = (hits: number, misses: number, instead: number) => {
    if (misses === 0) return instead;
    return actual[1] === 0 ? Number.NaN : hits / actual[1] / (misses / actual[0]);
  };
  const { 'LR+': positive, 'LR-': negative } = read.replaceUndefinedBy;
  return [ratio(truePositive, falsePositive, positive), ratio(falseNegative, trueNegative, negative)];
}
