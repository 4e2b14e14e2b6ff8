import { type OptionValues, real } from '../core/options.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import type { RowWeightOptions } from '../data/weights.ts';
import type { Numbers } from '../features/columns.ts';
import { markPercentile } from '../features/select.ts';
import { indicesOf, requireSameSelector, type Selected, Selection, scoreFunc } from './selector.ts';
import { Transformer } from './transformer.ts';

const spec = {
  scoreFunc,
  /** The percentage of the features to keep. */
  percentile: real({ default: 10, min: 0, max: 100 }),
} as const;

/** Parameters of `SelectPercentile`. */
export type SelectPercentileOptions = Partial<OptionValues<typeof spec>>;

/** Keeps a percentage of the features, those of the highest scores; of equals on the border the earlier ones. */
export class SelectPercentile extends Transformer<typeof spec, Selected, Features, Numbers, Numbers> {
  protected readonly rules: Selection = new Selection(this.params, (scores) =>
    markPercentile(scores, this.params.percentile),
  );

  constructor(options: SelectPercentileOptions = {}) {
    super('SelectPercentile', spec, options);
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
