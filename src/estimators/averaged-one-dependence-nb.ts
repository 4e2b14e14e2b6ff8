import { flag, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Level, LevelFeatures } from '../data/levels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { type AodeOptions, aode, type Ensemble } from '../models/aode.ts';
import type { Pairs } from '../stats/pairs.ts';
import { CountingClassifier } from './classifier.ts';
import { diagonal, LevelColumns, levelsOf, requirePairs } from './levels.ts';
import { levelOptions } from './options.ts';

const spec = {
  /** Pseudo-count of every level. Default: 1. */
  alpha: real({ default: 1, min: 1e-10 }),
  /** A column is a parent only if its level was seen this often. Default: 1. */
  minimumFrequency: real({ default: 1, min: 0 }),
  /** Weight parents by their information about the class (WAODE). Default: false. */
  weighted: flag({ default: false }),
  ...levelOptions,
} as const;

/** Parameters of `AveragedOneDependenceNB`. */
export type AveragedOneDependenceNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Averaged one-dependence estimators (AODE) for columns of levels: the mean over models in which one column is the parent of all others. It
 * needs no structure search and is often the most accurate model that only counts.
 */
export class AveragedOneDependenceNB extends CountingClassifier<typeof spec, Pairs, Ensemble, LevelFeatures> {
  readonly model: typeof aode = aode;
  protected override readonly columnRules: LevelColumns<Pairs> = new LevelColumns(this.params, diagonal);

  constructor(options: AveragedOneDependenceNBOptions = {}) {
    super('AveragedOneDependenceNB', spec, options);
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

  protected modelOptions(shape: Shape, schema?: JsonValue): AodeOptions {
    const { alpha, minimumFrequency, weighted } = this.params;
    requirePairs(shape);
    this.columnRules.check(shape, schema);
    return { alpha, minimumFrequency, weighted };
  }
}
