import type { OptionValues } from '../core/options.ts';
import type { Level, LevelFeatures } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tree, tree } from '../models/tree.ts';
import type { Pairs } from '../stats/pairs.ts';
import { CountingClassifier } from './classifier.ts';
import { levelsOf } from './kinds/level-columns.ts';
import { treeAugmentedKind } from './kinds/tree-augmented.ts';
import { diagonal, LevelColumns } from './levels.ts';

/** Parameters of `TreeAugmentedNB`. */
export type TreeAugmentedNBOptions = Partial<OptionValues<typeof treeAugmentedKind.spec>>;

/**
 * Tree-augmented naive Bayes (TAN) for columns of levels: each column depends on the class and on one other column, along the tree that
 * fits the data best. It avoids the double counting of naive Bayes for pairs of dependent columns.
 */
export class TreeAugmentedNB extends CountingClassifier<typeof treeAugmentedKind.spec, Pairs, Tree, LevelFeatures> {
  declare readonly model: typeof tree;
  protected override readonly columnRules: LevelColumns<Pairs> = new LevelColumns(this.params, diagonal);

  constructor(options: TreeAugmentedNBOptions = {}) {
    super(treeAugmentedKind, options);
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
}
