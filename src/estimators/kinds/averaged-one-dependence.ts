import { flag, real } from '../../core/options.ts';
import { type AodeOptions, aode, type Ensemble } from '../../models/aode.ts';
import type { Pairs } from '../../stats/pairs.ts';
import { levelOptions } from '../options.ts';
import type { Kind } from './kind.ts';
import { checkLevels, levelRows, requirePairs } from './level-columns.ts';

const spec = {
  /** Pseudo-count of every level. Default: 1. */
  alpha: real({ default: 1, min: 1e-10 }),
  /** A column is a parent only if its level was seen this often. Default: 1. */
  minimumFrequency: real({ default: 1, min: 0 }),
  /** Weight parents by their information about the class (WAODE). Default: false. */
  weighted: flag({ default: false }),
  ...levelOptions,
} as const;

/** `AveragedOneDependenceNB` as data. */
export const averagedOneDependenceKind: Kind<typeof spec, Pairs, Ensemble, AodeOptions> = {
  name: 'AveragedOneDependenceNB',
  spec,
  model: () => aode,
  accepts: levelRows,
  modelOptions({ alpha, minimumFrequency, weighted }, shape, schema) {
    requirePairs(shape);
    checkLevels(shape, schema);
    return { alpha, minimumFrequency, weighted };
  },
};
