import { requireNumber } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { foldsOf, type Split, type Splitter } from './folds.ts';
import { readGroups } from './group-folds.ts';
import { countRows, type Splittable } from './rows.ts';
import { requireLength, requireList } from './targets.ts';

/** Each group is held out once. */
export class LeaveOneGroupOut implements Splitter {
  split(X: Splittable, _y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): Iterable<Split> {
    const codes = readGroups(groups, countRows(X), 'LeaveOneGroupOut');
    const count = new Set(codes).size;
    if (count < 2) refuse('E_PARAM', `to leave a group out there must be two, got ${count}`, { name: 'groups' });
    return foldsOf(codes, count);
  }

  getNSplits(_X?: Splittable, _y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): number {
    return new Set(readGroups(groups, countRows(groups, 'groups'), 'LeaveOneGroupOut')).size;
  }
}

/** Every set of p rows is held out once: n! / (p! (n − p)!) splits. */
export class LeavePOut implements Splitter {
  readonly p: number;

  constructor(p: number) {
    this.p = requireNumber('p', p, 'a whole number ≥ 1', (value) => Number.isSafeInteger(value) && value >= 1);
  }

  split(X: Splittable): Iterable<Split> {
    const rows = countRows(X);
    if (rows <= this.p) refuse('E_PARAM', `${this.p} of ${rows} rows leave nothing to learn from`, { name: 'p' });
    return this.#walk(rows);
  }

  getNSplits(X?: Splittable): number {
    const rows = countRows(X);
    let count = 1;
    for (let k = 1; k <= this.p; k++) count = (count * (rows - this.p + k)) / k;
    return Math.round(count);
  }

  *#walk(rows: number): Generator<Split> {
    const test = Array.from({ length: this.p }, (_, k) => k);
    for (let at = 0; at >= 0; ) {
      const held = new Set(test);
      yield [Array.from({ length: rows }, (_, i) => i).filter((i) => !held.has(i)), [...test]];
      at = this.p - 1;
      while (at >= 0 && test[at] === rows - this.p + at) at--;
      if (at < 0) return;
      test[at]++;
      for (let k = at + 1; k < this.p; k++) test[k] = test[k - 1] + 1;
    }
  }
}

/** Predefined folds: `testFold[i]` is the fold in which row i is held out, −1 for a row that is always in the training part. */
export class PredefinedSplit implements Splitter {
  private readonly fold: Int32Array;

  constructor(testFold: ArrayLike<number>) {
    const given = requireList(testFold, 'testFold') as ArrayLike<number>;
    const known = [...new Set(Array.from(given))].filter((fold) => fold !== -1).sort((a, b) => a - b);
    this.fold = Int32Array.from(given, (fold) => known.indexOf(fold));
    if (known.length === 0) refuse('E_PARAM', 'no row has a fold in which it is held out', { name: 'testFold' });
  }

  split(X?: Splittable): Iterable<Split> {
    if (X !== undefined) requireLength('testFold', this.fold.length, countRows(X));
    return foldsOf(this.fold, this.getNSplits());
  }

  getNSplits(): number {
    return Math.max(...new Set(this.fold)) + 1;
  }
}
