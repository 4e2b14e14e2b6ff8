import { flag, type OptionValues, optional, real, vector } from '../core/options.ts';
import { logClassPrior } from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { type Tree, type TreeOptions, tree } from '../models/tree.ts';
import type { Pairs } from '../stats/pairs.ts';
import { missing, unknown } from './cell-options.ts';
import { LevelClassifier } from './level-classifier.ts';
import { diagonal, requirePairs } from './pair-limit.ts';
import { common } from './smoothing.ts';

const spec = {
  /** Pseudo-count of every level. */
  alpha: real({ default: 1, min: 0 }),
  /** Class priors as counted rather than all alike. */
  fitPrior: flag({ default: true }),
  /** Class priors, in the order of the sorted classes. */
  classPrior: optional(vector({ default: null, min: 0 })),
  unknown,
  missing,
  ...common,
} as const;

/** Parameters of `TreeAugmentedNB`. */
export type TreeAugmentedNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Tree-augmented naive Bayes (TAN) for columns of levels: each column leans on the class and on one other column, along the
 * tree that fits the data best. It repairs the double counting of naive Bayes where columns come in pairs.
 */
export class TreeAugmentedNB extends LevelClassifier<typeof spec, Pairs, Tree> {
  readonly model: typeof tree = tree;

  constructor(options: TreeAugmentedNBOptions = {}) {
    super('TreeAugmentedNB', spec, options);
  }

  /** The column that each column leans on; −1 for a root. */
  get parents(): Int32Array {
    return this.parameters().parents.slice();
  }

  /** I(Xⱼ; Xₖ | C) of all pairs of columns, in nats; −Infinity where two columns were never seen together. */
  get conditionalInformation(): Matrix {
    const { features, information } = this.parameters();
    return new Matrix(features, features, information.slice());
  }

  protected levelWeights(stats: Pairs): Float64Array {
    return diagonal(stats);
  }

  protected modelOptions(shape: Shape, schema?: JsonValue): TreeOptions {
    const { alpha, fitPrior, classPrior: given } = this.params;
    const classPrior = given ? Float64Array.from(given) : fitPrior ? 'empirical' : 'uniform';
    logClassPrior(new Float64Array(shape.classes).fill(1), classPrior);
    requirePairs(shape);
    this.requireLevels(shape, schema);
    return { alpha, classPrior };
  }
}
