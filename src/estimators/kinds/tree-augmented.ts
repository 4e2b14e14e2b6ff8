import { real } from '../../core/options.ts';
import { type Tree, type TreeOptions, tree } from '../../models/tree.ts';
import type { Pairs } from '../../stats/pairs.ts';
import { classPriorOf, givenPriors, levelOptions } from '../options.ts';
import type { Kind } from './kind.ts';
import { checkLevels, levelRows, requirePairs } from './level-columns.ts';

const spec = {
  /** Pseudo-count of every level. Default: 1. */
  alpha: real({ default: 1, min: 0 }),
  ...givenPriors,
  ...levelOptions,
} as const;

/** `TreeAugmentedNB` as data. */
export const treeAugmentedKind: Kind<typeof spec, Pairs, Tree, TreeOptions> = {
  name: 'TreeAugmentedNB',
  spec,
  model: () => tree,
  accepts: levelRows,
  modelOptions(params, shape, schema) {
    const classPrior = classPriorOf(params, shape.classes);
    requirePairs(shape);
    checkLevels(shape, schema);
    return { alpha: params.alpha, classPrior };
  },
};
