import type { ParameterPosterior } from '../core/distributions.ts';
import { flag, type OptionValues, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { type AodeOptions, aode, type Ensemble } from '../models/aode.ts';
import type { Pairs } from '../stats/pairs.ts';
import { locate } from './discrete.ts';
import { LevelClassifier } from './level-classifier.ts';
import { diagonal, requirePairs } from './pair-limit.ts';
import { locateLevel, type PairQuery, pairPosterior } from './pair-posterior.ts';
import { common, missing, unknown } from './smoothing.ts';

const spec = {
  alpha: real({ default: 1, min: 1e-10, doc: 'pseudo-count of every level' }),
  minimumFrequency: real({ default: 1, min: 0, doc: 'a column is a parent where its level was seen so often' }),
  weighted: flag({ default: false, doc: 'columns count by their information on the class (WAODE), rather than alike' }),
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

  /**
   * What is known of the probability of a level in a class, given the level of another column: the marginal of a Dirichlet
   * distribution, with intervals.
   */
  posterior(query: PairQuery & { readonly given?: Omit<PairQuery, 'class'> }): ParameterPosterior {
    const learned = this.fitted();
    const { categories } = this;
    const place = ({ feature, level }: Omit<PairQuery, 'class'>) => {
      const { c, j } = locate(learned, query.class, feature);
      return { c, at: [j, locateLevel(categories, j, level)] as const };
    };
    const { c, at } = place(query);
    const given = query.given && place(query.given).at;
    return pairPosterior(this.rounded(learned), this.params.alpha, c, at, given);
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
