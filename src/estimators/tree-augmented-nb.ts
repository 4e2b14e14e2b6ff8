import type { ParameterPosterior } from '../core/distributions.ts';
import { flag, type OptionValues, optional, real, vector } from '../core/options.ts';
import { logClassPrior } from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import type { Level } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { type Tree, type TreeOptions, tree } from '../models/tree.ts';
import type { Pairs } from '../stats/pairs.ts';
import { locate } from './discrete.ts';
import { LevelClassifier } from './level-classifier.ts';
import { diagonal, requirePairs } from './pair-limit.ts';
import { locateLevel, type PairQuery, pairPosterior } from './pair-posterior.ts';
import { common, missing, unknown } from './smoothing.ts';

const spec = {
  alpha: real({ default: 1, min: 0, doc: 'pseudo-count of every level' }),
  fitPrior: flag({ default: true, doc: 'class priors as counted rather than all alike' }),
  classPrior: optional(vector({ default: null, min: 0, doc: 'class priors, in the order of the sorted classes' })),
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

  /**
   * What is known of the probability of a level in a class, given the level of the column that its column leans on:
   * the marginal of a Dirichlet distribution, with intervals.
   */
  posterior(query: PairQuery & { readonly parentLevel?: Level }): ParameterPosterior {
    const learned = this.fitted();
    const { c, j } = locate(learned, query.class, query.feature);
    const { categories } = this;
    const own = [j, locateLevel(categories, j, query.level)] as const;
    const parent = this.parameters().parents[j];
    if (parent < 0 !== (query.parentLevel === undefined)) {
      const what = parent < 0 ? 'is a root and has no' : `leans on column ${parent} and needs a`;
      refuse('E_PARAM', `column ${j} ${what} parentLevel`, { name: 'parentLevel', column: j });
    }
    const given = query.parentLevel;
    const above = given === undefined ? undefined : ([parent, locateLevel(categories, parent, given)] as const);
    return pairPosterior(this.rounded(learned), this.params.alpha, c, own, above);
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
