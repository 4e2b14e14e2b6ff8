import {
  flag,
  type GivenOptions,
  integer,
  type Option,
  type OptionSpec,
  optional,
  readOptions,
} from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { countCodes } from '../math/arrays.ts';
import { Random } from '../math/random.ts';
import { countRows, type Splittable } from './rows.ts';
import { readLabels, requireLength } from './targets.ts';

/** Row numbers of the training rows and of the held-out rows. */
export type Split = [train: number[], test: number[]];

/** The interface of a splitter. */
export interface Splitter {
  /** Yields the folds; throws at once if the rows cannot be split. */
  split(X: Splittable, y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): Iterable<Split>;
  getNSplits(X?: Splittable, y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): number;
}

/**
 * A seed, or a generator whose sequence is continued. Default: seed 0, so that every split is reproducible. The generator is xoshiro128**:
 * the same seed does not give NumPy's order.
 */
export type RandomState = number | Random | null;

/** A seed or a generator. */
export const randomState: Option<RandomState> = {
  kind: 'custom',
  default: null,
  expects: 'a whole number or a Random',
  accept: (value) => (Number.isSafeInteger(value) || value instanceof Random ? (value as RandomState) : undefined),
};

/** The option `randomState`. */
export const randomOption = {
  /** The random seed, or a generator to continue. Default: null, which is seed 0. */
  randomState: optional(randomState),
} satisfies OptionSpec;

/** The generator of a random state. */
export function generatorOf(state: RandomState): Random {
  return state instanceof Random ? state : new Random(state ?? 0);
}

const foldSpec = {
  /** The number of folds. Default: 5. */
  nSplits: integer({ default: 5, min: 2 }),
  /** Shuffle the rows first. Default: false. */
  shuffle: flag({ default: false }),
  ...randomOption,
} satisfies OptionSpec;

/** Options of k folds. */
export type KFoldOptions = GivenOptions<typeof foldSpec>;

/** Checks the options of k folds; a seed without shuffling has no effect and is rejected. */
function readFoldOptions(
  owner: string,
  options: KFoldOptions,
): { nSplits: number; shuffle: boolean; randomState: RandomState } {
  const read = readOptions(owner, foldSpec, options);
  if (!read.shuffle && read.randomState !== null) {
    refuse('E_PARAM', `randomState of ${owner} has no effect without shuffle: true`, { name: 'randomState' });
  }
  return read;
}

/** Refuses more folds than there are rows, or groups. */
export function requireEnoughFor(nSplits: number, count: number, what: string): void {
  if (nSplits <= count) return;
  refuse('E_PARAM', `${nSplits} folds need as many ${what}, there are ${count}`, {
    name: 'nSplits',
    limit: count,
    actual: nSplits,
  });
}

/** The folds of an assignment of rows to folds; numbers ascend on both sides. */
export function* foldsOf(fold: Int32Array, nSplits: number): Generator<Split> {
  for (let k = 0; k < nSplits; k++) {
    const split: Split = [[], []];
    for (let i = 0; i < fold.length; i++) split[fold[i] === k ? 1 : 0].push(i);
    yield split;
  }
}

/** The base class of splitters into K folds. */
export abstract class FoldSplitter implements Splitter {
  readonly nSplits: number;
  readonly shuffle: boolean;
  readonly randomState: RandomState;

  constructor(owner: string, options: KFoldOptions) {
    const read = readFoldOptions(owner, options);
    ({ nSplits: this.nSplits, shuffle: this.shuffle, randomState: this.randomState } = read);
  }

  abstract split(X: Splittable, y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): Iterable<Split>;

  getNSplits(): number {
    return this.nSplits;
  }

  /** The fold of each of some items: consecutive ones, or shuffled ones on request; the first n mod k folds are one larger. */
  protected deal(count: number): Int32Array {
    const order = this.shuffle
      ? generatorOf(this.randomState).permutation(count)
      : Array.from({ length: count }, (_, i) => i);
    const fold = new Int32Array(count);
    for (let at = 0, k = 0; k < this.nSplits; k++) {
      const size = Math.floor(count / this.nSplits) + (k < count % this.nSplits ? 1 : 0);
      for (let i = 0; i < size; i++) fold[order[at++]] = k;
    }
    return fold;
  }
}

/** K folds of consecutive rows (of shuffled ones on request), the first n mod k of them one row larger. */
export class KFold extends FoldSplitter {
  constructor(options: KFoldOptions = {}) {
    super('KFold', options);
  }

  split(X: Splittable, y?: ArrayLike<Label> | null): Iterable<Split> {
    const rows = countRows(X);
    if (y != null) requireLength('y', countRows(y, 'y'), rows);
    requireEnoughFor(this.nSplits, rows, 'rows');
    return foldsOf(this.deal(rows), this.nSplits);
  }
}

/** Counts rows per class; throws if no class has enough for a row in each fold. */
export function countClasses(codes: Int32Array, classes: number, nSplits: number): Float64Array {
  const counts = countCodes(codes, classes);
  if (counts.every((count) => count < nSplits)) {
    const most = Math.max(...counts);
    refuse('E_CLASS_TOO_SMALL', `${nSplits} folds are more than the ${most} rows of the largest class`, {
      limit: nSplits,
      actual: most,
    });
  }
  return counts;
}

/**
 * K folds with the classes in proportion: the fold sizes of a class differ by at most one. Without shuffling the rows of a
 * class go to the folds in blocks, so that the classes, taken by first appearance, get counts of sorted(y)[k::nSplits].
 * A class with fewer rows than folds is absent from some of them; if all are, E_CLASS_TOO_SMALL.
 */
export class StratifiedKFold extends FoldSplitter {
  constructor(options: KFoldOptions = {}) {
    super('StratifiedKFold', options);
  }

  split(X: Splittable, y?: ArrayLike<Label> | null): Iterable<Split> {
    const rows = countRows(X);
    const codes = byAppearance(readLabels(y, 'y').codes);
    requireLength('y', codes.length, rows);
    requireEnoughFor(this.nSplits, rows, 'rows');
    return foldsOf(this.#assign(codes), this.nSplits);
  }

  #assign(codes: Int32Array): Int32Array {
    const counts = countClasses(codes, Math.max(...new Set(codes)) + 1, this.nSplits);
    const random = this.shuffle ? generatorOf(this.randomState) : undefined;
    const queues: { folds: Int32Array; next: number }[] = [];
    let start = 0;
    for (const count of counts) {
      // The k-th of the sorted rows goes to fold k mod nSplits; within a class the folds ascend.
      const folds = Int32Array.from({ length: count }, (_, i) => (start + i) % this.nSplits).sort();
      queues.push({ folds: random ? random.shuffle(folds) : folds, next: 0 });
      start += count;
    }
    return codes.map((code) => queues[code].folds[queues[code].next++]);
  }
}

/** The same codes numbered by first appearance. */
function byAppearance(codes: Int32Array): Int32Array {
  const place = new Map<number, number>();
  for (const code of codes) if (!place.has(code)) place.set(code, place.size);
  return codes.map((code) => place.get(code) ?? -1);
}

/** Every row is held out once, alone. */
export class LeaveOneOut implements Splitter {
  split(X: Splittable): Iterable<Split> {
    const rows = countRows(X);
    if (rows < 2) refuse('E_EMPTY_INPUT', `to leave one out there must be two rows, got ${rows}`, { rows });
    return foldsOf(
      Int32Array.from({ length: rows }, (_, i) => i),
      rows,
    );
  }

  getNSplits(X?: Splittable): number {
    return countRows(X);
  }
}

/**
 * The fold of every row, in stratified folds that keep groups whole: the groups of a class (of its first row) are shuffled and assigned in
 * turn, each class continuing where the last one ended. A class with fewer groups than folds starts at the first fold instead, so that
 * small classes share their folds: if a fold held out one class alone, the class counts of the others would reveal it. −1 for the rows of a
 * class with a single group: they are never held out, since no other rows of their class could be learned.
 */
export function groupedFolds(codes: Int32Array, groups: ArrayLike<number>, seed: number, folds = 5): Int32Array {
  const random = new Random(seed);
  const byClass = new Map<number, Set<number>>();
  const seen = new Set<number>();
  for (let i = 0; i < codes.length; i++) {
    if (seen.has(groups[i])) continue;
    seen.add(groups[i]);
    byClass.set(codes[i], (byClass.get(codes[i]) ?? new Set()).add(groups[i]));
  }
  const fold = new Map<number, number>();
  let next = 0;
  for (const [, own] of [...byClass].sort(([a], [b]) => a - b)) {
    random.shuffle([...own]).forEach((group, k) => {
      fold.set(group, own.size < 2 ? -1 : own.size < folds ? k : next++ % folds);
    });
  }
  return codes.map((_, i) => fold.get(groups[i])!);
}

/** The rows of a fold, and all others. */
export function foldRows(folds: Int32Array, fold: number): { learn: Int32Array; held: Int32Array } {
  const rows = Int32Array.from(folds.keys());
  return { learn: rows.filter((i) => folds[i] !== fold), held: rows.filter((i) => folds[i] === fold) };
}
