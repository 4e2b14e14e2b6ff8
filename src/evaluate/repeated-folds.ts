import { type GivenOptions, integer, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import {
  generatorOf,
  KFold,
  type KFoldOptions,
  type RandomState,
  randomOption,
  type Split,
  type Splitter,
  StratifiedKFold,
} from './folds.ts';
import type { Splittable } from './rows.ts';

const spec = {
  /** The number of folds. Default: 5. */
  nSplits: integer({ default: 5, min: 2 }),
  /** The number of repetitions. Default: 10. */
  nRepeats: integer({ default: 10, min: 1 }),
  ...randomOption,
} satisfies OptionSpec;

/** Options of repeated folds. */
export type RepeatedFoldOptions = GivenOptions<typeof spec>;

/** K shuffled folds, several times over. */
abstract class Repeated implements Splitter {
  readonly nSplits: number;
  readonly nRepeats: number;
  readonly randomState: RandomState;
  readonly #kind: new (
    options: KFoldOptions,
  ) => Splitter;

  constructor(owner: string, kind: new (options: KFoldOptions) => Splitter, options: RepeatedFoldOptions) {
    const read = readOptions(owner, spec, options);
    ({ nSplits: this.nSplits, nRepeats: this.nRepeats, randomState: this.randomState } = read);
    this.#kind = kind;
  }

  split(X: Splittable, y?: ArrayLike<Label> | null): Iterable<Split> {
    const one = new this.#kind({ nSplits: this.nSplits, shuffle: true, randomState: generatorOf(this.randomState) });
    return joined(Array.from({ length: this.nRepeats }, () => one.split(X, y)));
  }

  getNSplits(): number {
    return this.nSplits * this.nRepeats;
  }
}

function* joined(rounds: readonly Iterable<Split>[]): Generator<Split> {
  for (const round of rounds) yield* round;
}

/** K folds of shuffled rows, `nRepeats` times. */
export class RepeatedKFold extends Repeated {
  constructor(options: RepeatedFoldOptions = {}) {
    super('RepeatedKFold', KFold, options);
  }
}

/** Stratified folds of shuffled rows, `nRepeats` times. */
export class RepeatedStratifiedKFold extends Repeated {
  constructor(options: RepeatedFoldOptions = {}) {
    super('RepeatedStratifiedKFold', StratifiedKFold, options);
  }
}
