import { type GivenOptions, integer, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { generatorOf, type Split, type Splitter } from './folds.ts';
import { readGroups } from './group-folds.ts';
import { partition } from './partition.ts';
import { countRows, type Splittable } from './rows.ts';
import { readSizes, splitOptions, splitSize } from './split.ts';
import { readLabels, requireLength } from './targets.ts';

const spec = {
  /** The number of splits. Default: 10, or 5 of groups. */
  nSplits: integer({ default: 10, min: 1 }),
  /** The held-out part: a share below 1, or a number of rows. Default: null, a tenth of the rows, or a fifth of the groups. */
  testSize: splitSize,
  ...splitOptions,
} satisfies OptionSpec;

/** Options of random splits. */
export type ShuffleSplitOptions = GivenOptions<typeof spec>;

/** Repeated random splits, whose held-out parts may overlap. */
abstract class RandomSplitter implements Splitter {
  protected readonly options: ReturnType<typeof readOptions<typeof spec>>;

  protected constructor(owner: string, options: ShuffleSplitOptions, defaults: { nSplits: number; testSize: number }) {
    const { testSize } = defaults;
    const read = readOptions(owner, { ...spec, nSplits: { ...spec.nSplits, default: defaults.nSplits } }, options);
    const both = read.testSize === null && read.trainSize === null;
    this.options = both ? { ...read, testSize } : read;
  }

  abstract split(X: Splittable, y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): Iterable<Split>;

  getNSplits(): number {
    return this.options.nSplits;
  }

  /** Draws all splits with one generator. */
  protected *draw(one: (random: ReturnType<typeof generatorOf>) => Split): Generator<Split> {
    const random = generatorOf(this.options.randomState);
    for (let k = 0; k < this.options.nSplits; k++) yield one(random);
  }
}

/** Rows in a new random order for every split; a tenth is held out unless a size is given. */
export class ShuffleSplit extends RandomSplitter {
  constructor(options: ShuffleSplitOptions = {}) {
    super('ShuffleSplit', options, { nSplits: 10, testSize: 0.1 });
  }

  split(X: Splittable): Iterable<Split> {
    const rows = countRows(X);
    const sizes = readSizes(rows, this.options);
    const units = Array.from({ length: rows }, (_, i) => [i]);
    return this.draw((random) => partition(units, null, sizes, random));
  }
}

/** The same with the classes in proportion on both sides. */
export class StratifiedShuffleSplit extends RandomSplitter {
  constructor(options: ShuffleSplitOptions = {}) {
    super('StratifiedShuffleSplit', options, { nSplits: 10, testSize: 0.1 });
  }

  split(X: Splittable, y?: ArrayLike<Label> | null): Iterable<Split> {
    const rows = countRows(X);
    const labels = readLabels(y, 'y');
    requireLength('y', labels.codes.length, rows);
    const sizes = readSizes(rows, this.options);
    const units = Array.from({ length: rows }, (_, i) => [i]);
    return this.draw((random) => partition(units, labels, sizes, random));
  }
}

/** Whole groups on either side; sizes are of groups, and a fifth of them is held out unless a size is given. */
export class GroupShuffleSplit extends RandomSplitter {
  constructor(options: ShuffleSplitOptions = {}) {
    super('GroupShuffleSplit', options, { nSplits: 5, testSize: 0.2 });
  }

  split(X: Splittable, _y?: ArrayLike<Label> | null, groups?: ArrayLike<Label> | null): Iterable<Split> {
    const codes = readGroups(groups, countRows(X), 'GroupShuffleSplit');
    const members = Array.from({ length: Math.max(...new Set(codes)) + 1 }, (): number[] => []);
    for (let i = 0; i < codes.length; i++) members[codes[i]].push(i);
    const sizes = readSizes(members.length, this.options);
    const units = members.map((_, group) => [group]);
    const rowsOf = (some: readonly number[]) => some.flatMap((group) => members[group]);
    return this.draw((random) => partition(units, null, sizes, random).map(rowsOf) as Split);
  }
}
