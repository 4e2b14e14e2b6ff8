import { type OptionSpec, unchecked } from '../core/options.ts';
import { encodeLabels, type Label, type Labels, moves, requireSameType, uniteClasses } from '../data/labels.ts';
import { readWeights, type Weights, weighing } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';

/** True and predicted classes of the same rows, as numbers into one sorted list of classes. */
export interface Pair {
  readonly classes: readonly Label[];
  readonly truth: Int32Array;
  readonly guess: Int32Array;
  readonly weights: Float64Array;
}

/** The list of classes. */
export const labelsOption = {
  /** The classes, in the order of the columns or of the result. Default: the sorted classes found in the data. */
  labels: unchecked<ArrayLike<Label>>(),
} satisfies OptionSpec;

/** Which of two classes is positive. */
export const positiveOption = {
  /** The positive class. Default: 1 or true if the classes are 0 and 1, −1 and 1, or false and true; otherwise it is required. */
  posLabel: unchecked<Label>(),
} satisfies OptionSpec;

/** Throws unless the value is a list; a string is one value, not a list of letters. */
export function requireList(values: unknown, name: string): ArrayLike<unknown> {
  const listed =
    typeof values === 'object' && values !== null && Number.isInteger((values as { length?: number }).length);
  if (!listed) refuse('E_SHAPE', `${name} is a list with one value per row, got ${show(values)}`, { name });
  return values as ArrayLike<unknown>;
}

/** Refuses two lists of different length. */
export function requireLength(name: string, actual: number, expected: number): void {
  if (actual === expected) return;
  refuse('E_SHAPE', `${name} has ${actual} rows where ${expected} were expected`, { name, expected, actual });
}

/** Checks labels and numbers their classes; throws if there are none. */
export function readLabels(y: unknown, name: string): Labels {
  const list = requireList(y, name);
  if (list.length === 0) refuse('E_EMPTY_INPUT', `${name} is empty: there is nothing to evaluate`, { name });
  return encodeLabels(list);
}

/** Weights of rows, where null stands for none. */
export function readRowWeights(weights: Weights | null, rows: number): Float64Array {
  return readWeights(weights ?? undefined, rows);
}

/** Checks true and predicted labels; a row of weight 0 counts as absent, also for the list of classes. */
export function readPair(yTrue: unknown, yPred: unknown, weights: Weights | null): Pair {
  const truth = readLabels(yTrue, 'yTrue');
  const guess = readLabels(yPred, 'yPred');
  requireLength('yPred', guess.codes.length, truth.codes.length);
  requireSameType(truth.classes[0], guess.classes[0], 0);
  const w = readRowWeights(weights, truth.codes.length);
  const rows = weighing(w);
  if (rows === undefined) return unite(truth, guess, w);
  return unite(
    keepRows(truth, rows),
    keepRows(guess, rows),
    Float64Array.from(rows, (i) => w[i]),
  );
}

function keepRows({ classes, codes }: Labels, rows: Uint32Array): Labels {
  const seen = new Uint8Array(classes.length);
  for (const i of rows) seen[codes[i]] = 1;
  const kept = classes.filter((_, c) => seen[c] === 1);
  const place = moves(classes, kept);
  return { classes: kept, codes: Int32Array.from(rows, (i) => place[codes[i]]) };
}

function unite(truth: Labels, guess: Labels, weights: Float64Array): Pair {
  const classes = uniteClasses(truth.classes, guess.classes);
  const [ofTruth, ofGuess] = [moves(truth.classes, classes), moves(guess.classes, classes)];
  return {
    classes,
    truth: truth.codes.map((code) => ofTruth[code]),
    guess: guess.codes.map((code) => ofGuess[code]),
    weights,
  };
}

/** Checks a list of classes given by the caller and keeps its order; repeated classes are refused. */
export function readClassList(list: ArrayLike<Label>, name = 'labels'): Label[] {
  const { classes, codes } = readLabels(list, name);
  if (classes.length !== codes.length) {
    refuse('E_PARAM', `${name} has ${codes.length} entries, of which ${classes.length} are distinct`, { name });
  }
  return Array.from(codes, (code) => classes[code]);
}

/** Refuses a class whose type is not that of the labels: no row could ever have it. */
export function requireClassType(value: Label, classes: readonly Label[], name: string): void {
  if (classes.length === 0 || typeof value === typeof classes[0]) return;
  refuse('E_LABEL_TYPE', `${name} is the ${typeof value} ${show(value)}, the labels are of type ${typeof classes[0]}`, {
    name,
    expected: typeof classes[0],
    actual: typeof value,
  });
}

const customary = new Set(['0', '1', '-1', '0,1', '-1,1']);

/** Whether the classes are 0 and 1, −1 and 1, or false and true (or one of each pair), so that one is plainly positive. */
export function arePlainlyBinary(classes: readonly Label[]): boolean {
  return typeof classes[0] === 'boolean' || (typeof classes[0] === 'number' && customary.has(classes.join()));
}

/**
 * The positive class: the one given, or 1 (true) where the classes are 0 and 1, −1 and 1, or false and true.
 * Any other classes do not say which of them is meant, and E_PARAM asks.
 */
export function positiveClass(classes: readonly Label[], given: Label | null): Label {
  if (given !== null) {
    requireClassType(given, classes, 'posLabel');
    return given;
  }
  if (!arePlainlyBinary(classes)) {
    const some = classes.slice(0, 5).map(show).join(', ');
    refuse('E_PARAM', `the classes are ${some}: posLabel has to say which of them is the positive one`, {
      name: 'posLabel',
    });
  }
  return typeof classes[0] === 'boolean' ? true : 1;
}

/** One number per row: 1 if the label is the positive class. */
export function markPositive({ classes, codes }: Labels, positive: Label): Uint8Array {
  const code = classes.indexOf(positive);
  return Uint8Array.from(codes, (value) => (value === code ? 1 : 0));
}
