import { type OptionValues, real } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Features } from '../data/input.ts';
import { refuse } from '../errors.ts';
import type { Numbers } from '../features/columns.ts';
import { indicesOf, type Selected, Selection, scoreFunc } from './selector.ts';
import { Transformer } from './transformer.ts';

const spec = {
  scoreFunc,
  /** The largest rate of errors. */
  alpha: real({ default: 0.05, min: 0, max: 1 }),
} as const;

/** Parameters of `SelectFpr`, `SelectFdr` and `SelectFwe`. */
export type SelectByPValueOptions = Partial<OptionValues<typeof spec>>;

/** Which p-values are small enough. */
type Limit = (pvalues: Float64Array, alpha: number) => (pvalue: number) => boolean;

/** The selection by p-values of a selector. */
function byPValue(kind: string, params: OptionValues<typeof spec>, limit: Limit): Selection {
  return new Selection(params, (_, pvalues) => {
    if (!pvalues) return refuse('E_PARAM', `a ${kind} needs a score with p-values`, { name: 'scoreFunc' });
    return Array.from(pvalues, limit(pvalues, params.alpha));
  });
}

/** Keeps features with p < α: of those that tell nothing, a share α is kept. */
export class SelectFpr extends Transformer<typeof spec, Selected, Features, Numbers, Numbers> {
  protected readonly rules: Selection = byPValue('SelectFpr', this.params, (_, alpha) => (pvalue) => pvalue < alpha);

  constructor(options: SelectByPValueOptions = {}) {
    super('SelectFpr', spec, options);
  }

  /** The score of every feature. */
  get scores(): Float64Array {
    return this.fitted().scores.slice();
  }

  /** The p-value of every feature. */
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
}

/** Keeps features so that of those kept a share α at most tells nothing. Benjamini & Hochberg (1995). */
export class SelectFdr extends Transformer<typeof spec, Selected, Features, Numbers, Numbers> {
  protected readonly rules: Selection = byPValue('SelectFdr', this.params, (pvalues, alpha) => {
    const sorted = pvalues.slice().sort();
    const most = sorted.reduce((best, p, k) => (p <= (alpha / sorted.length) * (k + 1) ? p : best), -1);
    return (pvalue) => pvalue <= most;
  });

  constructor(options: SelectByPValueOptions = {}) {
    super('SelectFdr', spec, options);
  }

  /** The score of every feature. */
  get scores(): Float64Array {
    return this.fitted().scores.slice();
  }

  /** The p-value of every feature. */
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
}

/** Keeps features with p < α / features: the chance that any of those kept tells nothing is at most α. */
export class SelectFwe extends Transformer<typeof spec, Selected, Features, Numbers, Numbers> {
  protected readonly rules: Selection = byPValue(
    'SelectFwe',
    this.params,
    ({ length }, alpha) =>
      (pvalue) =>
        pvalue < alpha / length,
  );

  constructor(options: SelectByPValueOptions = {}) {
    super('SelectFwe', spec, options);
  }

  /** The score of every feature. */
  get scores(): Float64Array {
    return this.fitted().scores.slice();
  }

  /** The p-value of every feature. */
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
}
