import { encodeLabels, type Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { countCodes } from '../math/arrays.ts';
import {
  countClasses,
  FoldSplitter,
  foldsOf,
  generatorOf,
  type KFoldOptions,
  requireEnoughFor,
  type Split,
} from './folds.ts';
import { deviationOf, isNear, numpySum } from './numpy.ts';
import { countRows, type Splittable } from './rows.ts';
import { readLabels, requireLength } from './targets.ts';

/** Groups as numbers in sorted order; throws if there are none. */
export function readGroups(groups: ArrayLike<Label> | null | undefined, rows: number, owner: string): Int32Array {
  if (groups == null) refuse('E_PARAM', `${owner} needs groups, one per row`, { name: 'groups' });
  requireLength('groups', countRows(groups, 'groups'), rows);
  return encodeLabels(groups).codes;
}

/** Places from the greatest value to the least; of equals the later one first. */
function descending(values: ArrayLike<number>): number[] {
  return Array.from(values, (_, i) => i).sort((a, b) => values[b] - values[a] || b - a);
}

const groupsIn = (codes: Int32Array): number => codes.reduce((most, code) => Math.max(most, code + 1), 0);

/**
 * K folds that keep groups together. The largest groups are assigned first, each to the smallest fold; with `shuffle` groups are assigned
 * in random order, equally many to a fold.
 */
export class GroupKFold extends FoldSplitter {
  constructor(options: KFoldOptions = {}) {
    super('GroupKFold', options);
  }

  split(X: Splittable, _y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): Iterable<Split> {
    const codes = readGroups(groups, countRows(X), 'GroupKFold');
    const sizes = countCodes(codes, groupsIn(codes));
    requireEnoughFor(this.nSplits, sizes.length, 'groups');
    const fold = this.shuffle ? this.deal(sizes.length) : this.#balance(sizes);
    return foldsOf(
      codes.map((group) => fold[group]),
      this.nSplits,
    );
  }

  #balance(sizes: Float64Array): Int32Array {
    const load = new Int32Array(this.nSplits);
    const fold = new Int32Array(sizes.length);
    for (const group of descending(sizes)) {
      fold[group] = load.indexOf(Math.min(...load));
      load[fold[group]] += sizes[group];
    }
    return fold;
  }
}

/** Standard deviation down the folds of one class, added one after the other. */
function spreadOf(shares: readonly number[]): number {
  const add = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const mean = add(shares) / shares.length;
  return Math.sqrt(add(shares.map((share) => (share - mean) ** 2)) / shares.length);
}

/**
 * K folds that keep groups together with classes as balanced as that allows: groups with the most uneven classes go first, each to the fold
 * where the spread of class shares over the folds becomes least.
 */
export class StratifiedGroupKFold extends FoldSplitter {
  constructor(options: KFoldOptions = {}) {
    super('StratifiedGroupKFold', options);
  }

  split(X: Splittable, y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): Iterable<Split> {
    const { classes, codes } = readLabels(y, 'y');
    requireLength('y', codes.length, countRows(X));
    const group = readGroups(groups, codes.length, 'StratifiedGroupKFold');
    const totals = countClasses(codes, classes.length, this.nSplits);
    const size = groupsIn(group);
    requireEnoughFor(this.nSplits, size, 'groups');
    const counts = Array.from({ length: size }, () => new Array<number>(classes.length).fill(0));
    for (let i = 0; i < codes.length; i++) counts[group[i]][codes[i]]++;
    const order = this.shuffle ? Array.from(generatorOf(this.randomState).permutation(size)) : [...counts.keys()];
    const uneven = counts.map(deviationOf);
    const places = new Map(order.map((g, at) => [g, at]));
    const sorted = order.sort((a, b) => uneven[b] - uneven[a] || places.get(a)! - places.get(b)!);
    const fold = this.#place(sorted, counts, totals);
    return foldsOf(
      group.map((g) => fold[g]),
      this.nSplits,
    );
  }

  #place(sorted: readonly number[], counts: readonly (readonly number[])[], totals: Float64Array): Int32Array {
    const load = Array.from({ length: this.nSplits }, () => new Array<number>(totals.length).fill(0));
    const fold = new Int32Array(counts.length);
    for (const g of sorted) {
      let [best, least, fewest] = [0, Infinity, Infinity];
      for (let k = 0; k < this.nSplits; k++) {
        const spreads = Array.from(totals, (total, c) =>
          spreadOf(load.map((held, f) => (held[c] + (f === k ? counts[g][c] : 0)) / total)),
        );
        const spread = numpySum(spreads) / spreads.length;
        const rows = numpySum(load[k]);
        if (spread < least || (isNear(spread, least) && rows < fewest)) [best, least, fewest] = [k, spread, rows];
      }
      fold[g] = best;
      load[best] = load[best].map((held, c) => held + counts[g][c]);
    }
    return fold;
  }
}
