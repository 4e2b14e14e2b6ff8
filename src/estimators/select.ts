import { choice, either, integer, type OptionValues, real } from '../core/options.ts';
import { refuse } from '../errors.ts';
import { markBest, markPercentile } from '../features/select.ts';
import { type Selector, type SelectorClass, selector } from './selector.ts';

const best = {
  /** How many features to keep. Default: 10. */
  k: either(integer({ default: 10, min: 0 }), choice(['all'], { default: 'all' })),
} as const;

/** Parameters of `SelectKBest`. */
export type SelectKBestOptions = NonNullable<ConstructorParameters<SelectorClass<typeof best>>[0]>;

/**
 * Keeps the k features of the highest scores. Of equal scores the later feature wins, and NaN loses to every number, as in scikit-learn's
 * class of this name. Fit it inside each fold, because it uses the labels.
 */
export const SelectKBest: SelectorClass<typeof best> = /* @__PURE__ */ selector('SelectKBest', best, ({ k }, scores) =>
  markBest(scores, k),
);
export type SelectKBest = Selector<typeof best>;

const share = {
  /** The percentage of the features to keep. Default: 10. */
  percentile: real({ default: 10, min: 0, max: 100 }),
} as const;

/** Parameters of `SelectPercentile`. */
export type SelectPercentileOptions = NonNullable<ConstructorParameters<SelectorClass<typeof share>>[0]>;

/** Keeps a percentage of the features, those of the highest scores; of equals on the border the earlier ones. */
export const SelectPercentile: SelectorClass<typeof share> = /* @__PURE__ */ selector(
  'SelectPercentile',
  share,
  ({ percentile }, scores) => markPercentile(scores, percentile),
);
export type SelectPercentile = Selector<typeof share>;

const rate = {
  /** The largest rate of errors. Default: 0.05. */
  alpha: real({ default: 0.05, min: 0, max: 1 }),
} as const;

/** Parameters of `SelectFpr`, `SelectFdr` and `SelectFwe`. */
export type SelectByPValueOptions = NonNullable<ConstructorParameters<SelectorClass<typeof rate>>[0]>;

/** Which p-values are small enough. */
type Limit = (pvalues: Float64Array, alpha: number) => (pvalue: number) => boolean;

/** The class of selectors by p-values with this limit. */
function byPValue(kind: string, limit: Limit): SelectorClass<typeof rate> {
  return selector(kind, rate, ({ alpha }: OptionValues<typeof rate>, _, pvalues) => {
    if (!pvalues) return refuse('E_PARAM', `a ${kind} needs a score with p-values`, { name: 'scoreFunc' });
    return Array.from(pvalues, limit(pvalues, alpha));
  });
}

/** Keeps features with p < α: of the uninformative ones, a share α is kept. */
export const SelectFpr: SelectorClass<typeof rate> = /* @__PURE__ */ byPValue('SelectFpr', (_, alpha) => {
  return (pvalue) => pvalue < alpha;
});
export type SelectFpr = Selector<typeof rate>;

/** Keeps features so that at most a share α of those kept is uninformative. Benjamini & Hochberg (1995). */
export const SelectFdr: SelectorClass<typeof rate> = /* @__PURE__ */ byPValue('SelectFdr', (pvalues, alpha) => {
  const sorted = pvalues.slice().sort();
  const most = sorted.reduce((last, p, k) => (p <= (alpha / sorted.length) * (k + 1) ? p : last), -1);
  return (pvalue) => pvalue <= most;
});
export type SelectFdr = Selector<typeof rate>;

/** Keeps features with p < α / features: the probability that any of those kept is uninformative is at most α. */
export const SelectFwe: SelectorClass<typeof rate> = /* @__PURE__ */ byPValue('SelectFwe', ({ length }, alpha) => {
  return (pvalue) => pvalue < alpha / length;
});
export type SelectFwe = Selector<typeof rate>;
