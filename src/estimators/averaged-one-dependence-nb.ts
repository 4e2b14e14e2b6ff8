import { flag, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { type AodeOptions, aode, type Ensemble } from '../models/aode.ts';
import type { Pairs } from '../stats/pairs.ts';
import { missing, unknown } from './cell-options.ts';
import { LevelClassifier } from './level-classifier.ts';
import { diagonal, requirePairs } from './pair-limit.ts';
import { common } from './smoothing.ts';

const spec = {
  /** Pseudo-count of every level. */
  alpha: real({ default: 1, min: 1e-10 }),
  /** A column is a parent where its level was seen so often. */
  minimumFrequency: real({ default: 1, min: 0 }),
  /** Columns count by their information on the class (WAODE), rather than alike. */
  weighted: flag({ default: false }),
  unknown,
  missing,
  ...common,
} as const;

/** Parameters of `AveragedOneDependenceNB`. */
export type AveragedOneDependenceNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Averaged one-dependence estimators (AODE) for columns of levels: the mean over models in which one column is the parent of
 * all others. No structure is searched for, and it is often the most accurate model that only counts.
 */
export class AveragedOneDependenceNB extends LevelClassifier<typeof spec, Pairs, Ensemble> {
  readonly model: typeof aode = aode;

  constructor(options: AveragedOneDependenceNBOptions = {}) {
    super('AveragedOneDependenceNB', spec, options);
  }

  /** How much each column counts as the parent of the others: 1, or I(Xⱼ; C) in nats when weighted. */
  get parentWeights(): Float64Array {
    return this.parameters().weights.slice();
  }

  protected levelWeights(stats: Pairs): Float64Array {
    return diagonal(stats);
  }

  protected modelOptions(shape: Shape, schema?: JsonValue): AodeOptions {
    const { alpha, minimumFrequency, weighted } = this.params;
    requirePairs(shape);
    this.requireLevels(shape, schema);
    return { alpha, minimumFrequency, weighted };
  }
}
