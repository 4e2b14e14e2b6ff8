import { choice, either, integer, type OptionValues } from '../core/options.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import type { RowWeightOptions } from '../data/weights.ts';
import type { Numbers } from '../features/columns.ts';
import { markBest } from '../features/select.ts';
import { indicesOf, requireSameSelector, type Selected, Selection, scoreFunc } from './selector.ts';
import { Transformer } from './transformer.ts';

const spec = {
  scoreFunc,
  /** How many features to keep. */
  k: either(integer({ default: 10, min: 0 }), choice(['all'], { default: 'all' })),
} as const;

/** Parameters of `SelectKBest`. */
export type SelectKBestOptions = Partial<OptionValues<typeof spec>>;

/**
 * Keeps the k features of the highest scores. Of equal scores the later feature wins, and NaN loses to every number, as in
 * scikit-learn's class of this name. Select inside each fold: the scores look at the labels.
 */
export class SelectKBest extends Transformer<typeof spec, Selected, Features, Numbers, Numbers> {
  protected readonly rules: Selection = new Selection(this.params, (scores) => markBest(scores, this.params.k));

  constructor(options: SelectKBestOptions = {}) {
    super('SelectKBest', spec, options);
  }

  /** The score of every feature. */
  get scores(): Float64Array {
    return this.fitted().scores.slice();
  }

  /** The p-value of every feature, where the score has one. */
  get pvalues(): Float64Array | undefined {
    return this.fitted().pvalues?.slice();
  }

  /** Which features are kept: a flag for each, or with `indices` their numbers. */
  getSupport(options?: { readonly indices?: false }): boolean[];
  getSupport(options: { readonly indices: true }): number[];
  getSupport(options: { readonly indices?: boolean } = {}): boolean[] | number[] {
    const { indices = false } = requireOptions('getSupport', ['indices'], options);
    const mask = this.rules.support(this.fitted());
    return indices ? indicesOf(mask) : mask;
  }

  /** Goes on counting, for scores that follow from a statistic: fClassif, chi2, documentInformation, wordInformation. */
  partialFit(X: Features, y: ArrayLike<Label>, options: RowWeightOptions = {}): this {
    const { sampleWeight } = requireLearning(this.kind, options);
    this.learned = this.rules.count(X, y, sampleWeight, this.learned);
    return this;
  }

  /** Adds what another selector of the same score has counted. */
  merge(other: this): this {
    requireSameSelector(this, other);
    this.learned = this.rules.merge(this.learned, other.learned);
    return this;
  }
}
