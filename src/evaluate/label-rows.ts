import { encodeLabels, type Label } from '../data/labels.ts';
import { isList, Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { ClassTotals } from './class-scores.ts';
import { readRowWeights, requireLength } from './targets.ts';

/** Several labels for each row: a list of labels for every row, or rows of zeros and ones with a column for every label. */
export type LabelRows = Matrix | ArrayLike<ArrayLike<Label>>;

/** One label for each row, or several. */
export type Answers = ArrayLike<Label> | LabelRows;

/** Whether labels have a list of values for every row. */
export function isLabelRows(y: unknown): y is LabelRows {
  return y instanceof Matrix || (isList(y) && y.length > 0 && Array.from(y as ArrayLike<unknown>).every(isList));
}

/** The rows of several labels as lists. */
export function listsOf(y: LabelRows): Label[][] {
  return y instanceof Matrix ? y.toArray() : Array.from(y, (row) => Array.from(row));
}

/** Whether rows are zeros and ones, one for each label. */
export function areFlags(rows: readonly (readonly Label[])[]): boolean {
  const width = rows[0]?.length ?? 0;
  return width > 0 && rows.every((row) => row.length === width && row.every((cell) => cell === 0 || cell === 1));
}

/** True and predicted sets of labels of the same rows. */
export interface LabelSets {
  readonly classes: readonly Label[];
  readonly truth: readonly ReadonlySet<Label>[];
  readonly guess: readonly ReadonlySet<Label>[];
  readonly weights: Float64Array;
  /** Whether the labels are the numbers of columns of zeros and ones. */
  readonly numbered?: boolean;
}

/** The labels asked for; of columns of zeros and ones only their numbers. */
function wantedOf({ classes, numbered }: LabelSets, wanted: readonly Label[] = classes): readonly Label[] {
  const unknown = numbered ? wanted.find((label) => !classes.includes(label)) : undefined;
  if (unknown === undefined) return wanted;
  return refuse('E_PARAM', `labels of ${classes.length} columns are their numbers, got ${show(unknown)}`, {
    name: 'labels',
  });
}

/** Checks true and predicted sets of labels; undefined where rows have one label each. */
export function readLabelSets(yTrue: unknown, yPred: unknown, weights: Weights | null): LabelSets | undefined {
  if (!isLabelRows(yTrue) && !isLabelRows(yPred)) return undefined;
  if (!isLabelRows(yTrue) || !isLabelRows(yPred)) {
    return refuse('E_LABEL_TYPE', 'one list has one label for each row, the other several', {});
  }
  const [truth, guess] = [listsOf(yTrue), listsOf(yPred)];
  requireLength('yPred', guess.length, truth.length);
  const w = readRowWeights(weights, truth.length);
  const all = [...truth, ...guess];
  if (areFlags(all)) {
    const flagged = (row: readonly Label[]) => new Set(row.flatMap((cell, k) => (cell === 1 ? [k] : [])));
    const classes = truth[0].map((_, k) => k);
    return { classes, truth: truth.map(flagged), guess: guess.map(flagged), weights: w, numbered: true };
  }
  const { classes } = encodeLabels(all.flat());
  const asSet = (row: readonly Label[]) => new Set(row);
  return { classes, truth: truth.map(asSet), guess: guess.map(asSet), weights: w };
}

/** Right, predicted and true weight of each label. */
export function setTotals(sets: LabelSets, labels?: readonly Label[]): ClassTotals {
  const { truth, guess, weights } = sets;
  const wanted = wantedOf(sets, labels);
  const weigh = (has: (label: Label, i: number) => boolean) =>
    wanted.map((label) => weights.reduce((sum, weight, i) => (has(label, i) ? sum + weight : sum), 0));
  return {
    right: weigh((label, i) => truth[i].has(label) && guess[i].has(label)),
    predicted: weigh((label, i) => guess[i].has(label)),
    actual: weigh((label, i) => truth[i].has(label)),
  };
}

/** The same of each row over its labels, for the mean over rows. */
export function rowTotals(sets: LabelSets, labels?: readonly Label[]): ClassTotals {
  const { truth, guess, weights } = sets;
  const wanted = wantedOf(sets, labels);
  const count = (has: (label: Label, i: number) => boolean) =>
    truth.map((_, i) => wanted.filter((label) => has(label, i)).length);
  return {
    right: count((label, i) => truth[i].has(label) && guess[i].has(label)),
    predicted: count((label, i) => guess[i].has(label)),
    actual: count((label, i) => truth[i].has(label)),
    weights: Array.from(weights),
  };
}

/** Whether the labels of row i are all predicted, and no other. */
export function sameSet({ truth, guess }: LabelSets, i: number): boolean {
  return truth[i].size === guess[i].size && [...truth[i]].every((label) => guess[i].has(label));
}
