import { choice, type Option, type OptionValues, optional, real } from '../../core/options.ts';
import {
  type GaussianOptions,
  type GaussianParameters,
  type GaussianRule,
  gaussian,
  requirePriorLength,
} from '../../models/gaussian.ts';
import type { Moments } from '../../stats/moments.ts';
import { gapOptions, givenPrior, LARGEST_MAGNITUDE, numbers } from '../options.ts';
import type { Kind } from './kind.ts';

/** A Normal-inverse-gamma prior as an option: each entry one number, or one per feature. */
export interface NormalPriorOption {
  readonly mean: number | readonly number[];
  readonly kappa: number | readonly number[];
  readonly a: number | readonly number[];
  readonly b: number | readonly number[];
}

const ENTRIES = ['mean', 'kappa', 'a', 'b'] as const;

/** One finite number or a list of them, positive but for the mean; undefined when it is neither. */
function readEntry(value: unknown, positive: boolean): number | readonly number[] | undefined {
  const legal = (x: unknown) => Number.isFinite(x) && (!positive || (x as number) > 0);
  if (typeof value === 'number') return legal(value) ? value : undefined;
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined;
  const list = Array.from(value as ArrayLike<number>);
  return list.length > 0 && list.every(legal) ? Object.freeze(list) : undefined;
}

/** Normal-inverse-gamma prior of every mean and variance, for the rules map and bayes. */
const normalPrior: Option<NormalPriorOption | null> = {
  kind: 'custom',
  default: null,
  expects: '{ mean, kappa, a, b }, each a finite number or one per feature, all but the mean positive, or null',
  accept(value) {
    if (value === null) return null;
    if (typeof value !== 'object' || Object.keys(value).sort().join() !== [...ENTRIES].sort().join()) return undefined;
    const read = ENTRIES.map((name) => [name, readEntry((value as Record<string, unknown>)[name], name !== 'mean')]);
    if (read.some(([, entry]) => entry === undefined)) return undefined;
    return Object.freeze(Object.fromEntries(read)) as unknown as NormalPriorOption;
  },
};

const spec = {
  /** Class priors, in the order of the sorted classes. Default: null, estimated from the rows. */
  priors: optional(numbers),
  /** The share of the largest variance that is added to every variance. Default: 1e-9. */
  varSmoothing: real({ default: 1e-9, min: 0 }),
  /** GaussianParameters by likelihood, by the mode of the posterior, or predictive (Student). Default: 'mle'. */
  rule: choice(['mle', 'map', 'bayes'], { default: 'mle' }),
  /** Normal-inverse-gamma prior of every mean and variance, for the estimates map and bayes. Default: null. */
  prior: normalPrior,
  ...gapOptions,
} as const;

/** `GaussianNB` as data. */
export const gaussianKind: Kind<typeof spec, Moments, GaussianParameters, GaussianOptions> = {
  name: 'GaussianNB',
  spec,
  model: () => gaussian,
  accepts: () => ({ limit: LARGEST_MAGNITUDE }),
  modelOptions(params, { classes, features }) {
    const rule = ruleOf(params);
    if (rule.rule !== 'mle') requirePriorLength(rule.prior, features);
    return { rule, ...givenPrior(params.priors, classes) };
  },
};

function ruleOf({ rule, prior, varSmoothing }: OptionValues<typeof spec>): GaussianRule {
  if (rule === 'mle' || prior === null) return { rule: 'mle', varSmoothing };
  const entry = (value: number | readonly number[]) => (typeof value === 'number' ? value : Float64Array.from(value));
  const { mean, kappa, a, b } = prior;
  return { rule, prior: { mean: entry(mean), kappa: entry(kappa), a: entry(a), b: entry(b) } };
}
