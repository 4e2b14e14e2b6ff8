import { type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Level, LevelFeatures } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { type Tree, type TreeOptions, tree } from '../models/tree.ts';
import type { Pairs } from '../stats/pairs.ts';
import { CountingClassifier } from './classifier.ts';
import { diagonal, LevelColumns, levelsOf, requirePairs } from './levels.ts';
import { classPriorOf, givenPriors, levelOptions } from './options.ts';

const spec = {
  /** Pseudo-count of every level. Default: 1. */
  alpha: real({ default: 1, min: 0 }),
  ...givenPriors,
  ...levelOptions,
} as const;

/** Parameters of `TreeAugmentedNB`. */
export type TreeAugmentedNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Tree-augmented naive Bayes (TAN) for columns of levels: each column depends on the class and on one other column, along the tree that
 * fits the data best. It avoids the double counting of naive Bayes for pairs of dependent columns.
 */
export class TreeAugmentedNB extends CountingClassifier<typeof spec, Pairs, Tree, LevelFeatures> {
  readonly model: typeof tree = tree;
  protected override readonly columnRules: LevelColumns<Pairs> = new LevelColumns(this.params, diagonal);

  constructor(options: TreeAugmentedNBOptions = {}) {
    super('TreeAugmentedNB', spec, options);
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

  /** The parent column of each column; −1 for a root. */
  get parents(): Int32Array {
    return this.parameters().parents.slice();
  }

  /** I(Xⱼ; Xₖ | C) of all pairs of columns, in nats; −Infinity where two columns were never seen together. */
  get conditionalInformation(): Matrix {
    const { features, information } = this.parameters();
    return new Matrix(features, features, information.slice());
  }

  protected modelOptions(shape: Shape, schema?: JsonValue): TreeOptions {
    const classPrior = classPriorOf(this.params, shape.classes);
    requirePairs(shape);
    this.columnRules.check(shape, schema);
    return { alpha: this.params.alpha, classPrior };
  }
}
