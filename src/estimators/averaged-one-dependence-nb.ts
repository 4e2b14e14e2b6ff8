import type { OptionValues } from '../core/options.ts';
import type { Level, LevelFeatures } from '../data/levels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { aode, Ensemble } from '../models/aode.ts';
import type { Pairs } from '../stats/pairs.ts';
import { CountingClassifier } from './classifier.ts';
import { averagedOneDependenceKind } from './kinds/averaged-one-dependence.ts';
import { levelsOf } from './kinds/level-columns.ts';
import { diagonal, LevelColumns } from './levels.ts';

/** Parameters of `AveragedOneDependenceNB`. */
export type AveragedOneDependenceNBOptions = Partial<OptionValues<typeof averagedOneDependenceKind.spec>>;

/**
 * Averaged one-dependence estimators (AODE) for columns of levels: the mean over models in which one column is the parent of all others. It
 * needs no structure search and is often the most accurate model that only counts.
 */
export class AveragedOneDependenceNB extends CountingClassifier<
  typeof averagedOneDependenceKind.spec,
  Pairs,
  Ensemble,
  LevelFeatures
> {
  declare readonly model: typeof aode;
  protected override readonly columnRules: LevelColumns<Pairs> = new LevelColumns(this.params, diagonal);

  constructor(options: AveragedOneDependenceNBOptions = {}) {
    super(averagedOneDependenceKind, options);
  }

  /** The levels of each column, in order: words by code point, or whole numbers. */
  get categories(): Level[][] {
    return this.columnRules.categories(this.fitted());
  }

  /** How many levels each column has. */
  get nCategories(): Int32Array {
    return levelsOf(this.fitted().counts.shape).slice();
  }

  /** Rows of numbers of levels, such as `sample` draws, as the levels themselves; what is missing is null. */
  decode(X: Matrix): (Level | null)[][] {
    return this.columnRules.decode(this.fitted(), X);
  }

  /** The weight of each column as the parent of the others: 1, or I(Xⱼ; C) in nats when weighted. */
  get parentWeights(): Float64Array {
    return this.parameters().weights.slice();
  }
}
