import { choice, type Option, type OptionValues, optional, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import {
  type GaussianOptions,
  type GaussianParameters,
  type GaussianRule,
  gaussian,
  requirePriorLength,
} from '../models/gaussian.ts';
import type { Moments } from '../stats/moments.ts';
import { CountingClassifier } from './classifier.ts';
import { LARGEST_MAGNITUDE } from './discriminant.ts';
import type { Accepts } from './learning.ts';
import { gapOptions, givenPrior, numbers } from './options.ts';

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

/** Parameters of `GaussianNB`. */
export type GaussianNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for measured features: a normal distribution for each class and feature. Agrees with scikit-learn's class of this name on one
 * fit; learning in parts gives the same model, and constant data gives finite probabilities.
 */
export class GaussianNB extends CountingClassifier<typeof spec, Moments, GaussianParameters> {
  readonly model: typeof gaussian = gaussian;
  protected override readonly accepts: Accepts = { limit: LARGEST_MAGNITUDE };

  constructor(options: GaussianNBOptions = {}) {
    super('GaussianNB', spec, options);
    const { rule, prior } = this.params;
    if (rule !== 'mle' && prior === null) {
      refuse('E_PARAM', `the rule '${rule}' of GaussianNB needs a prior { mean, kappa, a, b }`, { name: 'rule' });
    }
  }

  /** p(c). */
  get classPrior(): Float64Array {
    return this.parameters().logPrior.map(Math.exp);
  }

  /** The mean of each feature in each class. */
  get theta(): Matrix {
    const { classes, features, mean } = this.parameters();
    return new Matrix(classes, features, mean.slice());
  }

  /** The variance of each feature in each class; the squared scale of Student's curves under the rule 'bayes'. */
  get var(): Matrix {
    const { classes, features, variance } = this.parameters();
    return new Matrix(classes, features, variance.slice());
  }

  /** What was added to every variance: varSmoothing times the largest variance of a feature over all rows. */
  get epsilon(): number {
    return this.parameters().epsilon;
  }

  protected modelOptions({ classes, features }: Shape): GaussianOptions {
    const { priors } = this.params;
    const rule = this.rule();
    if (rule.rule !== 'mle') requirePriorLength(rule.prior, features);
    return { rule, ...givenPrior(priors, classes) };
  }

  private rule(): GaussianRule {
    const { rule, prior, varSmoothing } = this.params;
    if (rule === 'mle' || prior === null) return { rule: 'mle', varSmoothing };
    const entry = (value: number | readonly number[]) => (typeof value === 'number' ? value : Float64Array.from(value));
    const { mean, kappa, a, b } = prior;
    return { rule, prior: { mean: entry(mean), kappa: entry(kappa), a: entry(a), b: entry(b) } };
  }
}
