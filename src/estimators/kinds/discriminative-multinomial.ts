import type { Linear } from '../../core/linear.ts';
import { choice, flag, integer } from '../../core/options.ts';
import { discriminative, type Sides } from '../../models/discriminative.ts';
import { common } from '../options.ts';
import type { Kind } from './kind.ts';

const spec = {
  /** The number of passes of `fit` over its rows. Default: 1. */
  passes: integer({ default: 1, min: 1, max: 1000 }),
  /** Whether `fit` shuffles its rows; rows sorted by class give a poor model. Default: true. */
  shuffle: flag({ default: true }),
  /** The random seed of the order. Default: 0. */
  seed: integer({ default: 0 }),
  /** Count a word once per row, or as often as it occurs. Default: 'presence'. */
  weighting: choice(['presence', 'frequency'], { default: 'presence' }),
  /** A named column that the model does not know: ignored ('ignore') or an error ('error'). Default: 'error'. */
  extra: common.extra,
  /**
   * Weights by which classes count: 'balanced' makes all classes weigh the same, an object gives a weight for each class. Default: null, all 1.
   */
  classWeight: common.classWeight,
} as const;

/** `DiscriminativeMultinomialNB` as data. */
export const discriminativeMultinomialKind: Kind<typeof spec, Sides, Linear, unknown> = {
  name: 'DiscriminativeMultinomialNB',
  spec,
  model: () => discriminative,
  accepts: () => ({ sparse: true, nonNegative: true, limit: LARGEST }),
  modelOptions: () => undefined,
  weighsRows: true,
};

/** Cells up to here can be multiplied with log-odds and added up. */
const LARGEST = 1e150;
