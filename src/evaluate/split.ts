import {
  flag,
  type GivenOptions,
  type Option,
  type OptionSpec,
  optional,
  readOptions,
  unchecked,
} from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { generatorOf, randomOption } from './folds.ts';
import { partition } from './partition.ts';
import { countRows, type PartOf, rowKeys, type Splittable, selectRows } from './rows.ts';
import { readLabels, requireLength } from './targets.ts';

/** A share of the rows, or a number of them. */
export const splitSize: Option<number | null> = optional({
  kind: 'custom',
  default: 0.25,
  expects: 'a share above 0 and below 1, or a whole number of rows from 1',
  accept: (value) =>
    typeof value === 'number' && value > 0 && (value < 1 || Number.isSafeInteger(value)) ? value : undefined,
});
/** The options of a random split. */
export const splitOptions = {
  /** The training part: a share below 1, or a number of rows. Default: all other rows. */
  trainSize: splitSize,
  ...randomOption,
} satisfies OptionSpec;

const spec = {
  /** The held-out part: a share below 1, or a number of rows. Default: null, a quarter of the rows. */
  testSize: splitSize,
  ...splitOptions,
  /** Shuffle the rows first. Default: true. */
  shuffle: flag({ default: true }),
  /** Labels to stratify by. Default: none. */
  stratify: unchecked<ArrayLike<Label>>(),
  /** Groups of rows to keep on one side. Default: none. */
  groups: unchecked<ArrayLike<Label>>(),
  /** Rows of the first container that are equal to each other stay on one side. Default: false. */
  keepDuplicatesTogether: flag({ default: false }),
} satisfies OptionSpec;

/** Options of `trainTestSplit`. A size below 1 is a share of the rows, a whole number from 1 a number of rows. */
export type TrainTestSplitOptions = GivenOptions<typeof spec>;

type Read = ReturnType<typeof readOptions<typeof spec>>;

/** Numbers of rows on either side: tests are rounded up, training down, and what is not given is the rest. */
export function readSizes(
  rows: number,
  { testSize, trainSize }: Pick<Read, 'testSize' | 'trainSize'>,
): [train: number, test: number] {
  for (const [name, value] of Object.entries({ testSize, trainSize })) {
    if (value !== null && value >= rows && value >= 1) {
      refuse('E_PARAM', `${name} ${value} leaves nothing of ${rows} rows`, { name, limit: rows - 1, actual: value });
    }
  }
  if (testSize !== null && trainSize !== null && testSize < 1 && trainSize < 1 && testSize + trainSize > 1) {
    refuse('E_PARAM', `the shares testSize ${testSize} and trainSize ${trainSize} add up to more than 1`, {
      name: 'testSize',
      limit: 1,
      actual: testSize + trainSize,
    });
  }
  const share = trainSize === null && testSize === null ? 0.25 : testSize;
  const test = share === null ? null : share < 1 ? Math.ceil(share * rows) : share;
  const train = trainSize === null ? null : trainSize < 1 ? Math.floor(trainSize * rows) : trainSize;
  const sizes: [number, number] = [train ?? rows - (test ?? 0), test ?? rows - (train ?? 0)];
  if (sizes[0] + sizes[1] > rows || sizes[0] <= 0) {
    refuse('E_PARAM', `${rows} rows cannot give ${sizes[0]} for training and ${sizes[1]} for testing`, {
      name: 'testSize',
      limit: rows,
      actual: sizes[0] + sizes[1],
    });
  }
  return sizes;
}

/** The rows of each group, or each row alone. */
function readUnits(X: Splittable, rows: number, read: Read): number[][] {
  if (read.groups !== null && read.keepDuplicatesTogether) {
    refuse('E_PARAM', 'groups and keepDuplicatesTogether exclude each other', { name: 'groups' });
  }
  if (read.groups !== null) requireLength('groups', countRows(read.groups, 'groups'), rows);
  const keys = read.keepDuplicatesTogether ? rowKeys(X) : read.groups;
  if (keys === null) return Array.from({ length: rows }, (_, i) => [i]);
  const units = new Map<unknown, number[]>();
  for (let i = 0; i < rows; i++) {
    if (keys[i] == null) refuse('E_LABEL_MISSING', `row ${i} has no group`, { row: i });
    const unit = units.get(keys[i]);
    if (unit) unit.push(i);
    else units.set(keys[i], [i]);
  }
  return [...units.values()];
}

function divide(X: Splittable, rows: number, read: Read): [train: number[], test: number[]] {
  const sizes = readSizes(rows, read);
  const labels = read.stratify === null ? null : readLabels(read.stratify, 'stratify');
  if (labels !== null) requireLength('stratify', labels.codes.length, rows);
  const units = readUnits(X, rows, read);
  if (read.shuffle) return partition(units, labels, sizes, generatorOf(read.randomState));
  if (labels !== null || read.groups !== null || read.keepDuplicatesTogether) {
    refuse('E_PARAM', 'rows in their own order are neither stratified nor grouped', { name: 'shuffle' });
  }
  const all = units.map(([i]) => i);
  return [all.slice(0, sizes[0]), all.slice(sizes[0], sizes[0] + sizes[1])];
}

/** Whether the last argument is the options: an object that holds nothing but names of options. */
function isOptions(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value) || value instanceof Matrix || value instanceof SparseMatrix) return false;
  const names = Object.keys(value);
  return (
    names.length === 0 ||
    names.some((name) => Object.hasOwn(spec, name)) ||
    !names.every((name) => isColumn(value, name))
  );
}

function isColumn(value: object, name: string): boolean {
  const column = (value as Record<string, unknown>)[name];
  return Array.isArray(column) || ArrayBuffer.isView(column);
}

/**
 * Divides rows at random into a training part and a test part, and does so to every container given:
 * `const [XTrain, XTest, yTrain, yTest] = trainTestSplit(X, y, { testSize: 0.25, stratify: y })`.
 *
 * A quarter of the rows, rounded up, is held out unless a size says otherwise. `stratify` keeps the shares of the classes
 * in both parts (a class of one row is E_CLASS_TOO_SMALL), `groups` and `keepDuplicatesTogether` keep what belongs together
 * on one side, with sizes as near as whole groups allow. With `shuffle: false` the last rows are held out. The order is that
 * of Pólya's generator, repeatable by `randomState` (0 unless given) and not the one NumPy would give.
 */
export function trainTestSplit<A extends Splittable>(
  a: A,
  options?: TrainTestSplitOptions,
): [train: PartOf<A>, test: PartOf<A>];
export function trainTestSplit<A extends Splittable, B extends Splittable>(
  a: A,
  b: B,
  options?: TrainTestSplitOptions,
): [aTrain: PartOf<A>, aTest: PartOf<A>, bTrain: PartOf<B>, bTest: PartOf<B>];
export function trainTestSplit<A extends Splittable, B extends Splittable, C extends Splittable>(
  a: A,
  b: B,
  c: C,
  options?: TrainTestSplitOptions,
): [aTrain: PartOf<A>, aTest: PartOf<A>, bTrain: PartOf<B>, bTest: PartOf<B>, cTrain: PartOf<C>, cTest: PartOf<C>];
export function trainTestSplit(...args: unknown[]): unknown[] {
  const given = args.length > 1 && isOptions(args[args.length - 1]);
  const read = readOptions('trainTestSplit', spec, given ? args[args.length - 1] : {});
  const arrays = (given ? args.slice(0, -1) : args) as Splittable[];
  if (arrays.length === 0) refuse('E_EMPTY_INPUT', 'there is nothing to split');
  const rows = countRows(arrays[0]);
  arrays.forEach((array, k) => {
    requireLength(`argument ${k + 1}`, countRows(array, `argument ${k + 1}`), rows);
  });
  const [train, test] = divide(arrays[0], rows, read);
  return arrays.flatMap((array) => [selectRows(array, train), selectRows(array, test)] as unknown[]);
}
