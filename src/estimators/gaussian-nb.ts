import {
  inverseGammaPosterior,
  normalPosterior,
  type ParameterPosterior,
  studentPosterior,
} from '../core/distributions.ts';
import { choice, type Option, type OptionValues, optional, real, vector } from '../core/options.ts';
import { logClassPrior } from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import type { Expectation } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { type BellRule, type NormalGamma, normalGammaPosterior, requirePriorLength } from '../models/bell.ts';
import { type Bells, type GaussianOptions, gaussian } from '../models/gaussian.ts';
import { spotAt } from '../models/spots.ts';
import type { Moments } from '../stats/moments.ts';
import { CountingClassifier } from './classifier.ts';
import { everyPosterior, type LocatedPosterior } from './every-posterior.ts';
import { common, missing } from './smoothing.ts';

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

const normalPrior: Option<NormalPriorOption | null> = {
  kind: 'custom',
  default: null,
  doc: 'Normal-inverse-gamma prior of every mean and variance, for the rules map and bayes',
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
  priors: optional(vector({ default: null, min: 0, doc: 'class priors, in the order of the sorted classes' })),
  varSmoothing: real({ default: 1e-9, min: 0, doc: 'share of the largest variance that is added to every variance' }),
  rule: choice(['mle', 'map', 'bayes'], {
    default: 'mle',
    doc: 'bells by likelihood, by the mode of the posterior, or predictive (Student)',
  }),
  prior: normalPrior,
  missing,
  ...common,
} as const;

/** Parameters of `GaussianNB`. */
export type GaussianNBOptions = Partial<OptionValues<typeof spec>>;

/** Gaussian families square their values; beyond this the squares of differences leave the range of numbers. */
export const LARGEST_MAGNITUDE = 1e150;

/** A mean or a variance of the table of parameters. */
export interface NormalQuery {
  readonly class: Label;
  /** The number of a feature, or its name where features have names. */
  readonly feature: number | string;
  readonly parameter?: 'mean' | 'variance';
  /** The variance, where it is known. */
  readonly variance?: number;
}

/**
 * Naive Bayes for measured features: a bell curve for each class and feature. Agrees with scikit-learn's class of this name
 * on one fit; learning in parts gives the same model here, and all-constant data gives finite probabilities.
 */
export class GaussianNB extends CountingClassifier<typeof spec, Moments, Bells> {
  readonly model: typeof gaussian = gaussian;

  constructor(options: GaussianNBOptions = {}) {
    super('GaussianNB', spec, options);
    const { rule, prior } = this.params;
    if (rule !== 'mle' && prior === null) {
      refuse('E_PARAM', `the rule '${rule}' of GaussianNB needs a prior { mean, kappa, a, b }`, { name: 'rule' });
    }
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return this.rounded(this.fitted()).n.slice();
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

  /**
   * What is known of the mean or the variance of a feature in a class after the rows: its distribution with credible
   * intervals. Without a prior the reference prior 1/σ² stands, which needs two different values. With `variance`, the mean
   * is told for that known variance.
   */
  posterior(): LocatedPosterior[];
  posterior(query: NormalQuery): ParameterPosterior;
  posterior(query?: NormalQuery): ParameterPosterior | LocatedPosterior[] {
    if (!query) return everyPosterior(this.fitted(), (place) => this.posterior(place));
    const { mean, kappa, a, b } = this.posteriorOf(query.class, query.feature);
    const { parameter, variance } = query;
    if (parameter === 'variance') return inverseGammaPosterior(a, b);
    if (variance === undefined) return studentPosterior(2 * a, mean, Math.sqrt(b / a / kappa));
    if (variance > 0) return normalPosterior(mean, Math.sqrt(variance / kappa));
    return refuse('E_PARAM', `a known variance is positive, got ${show(variance)}`, { name: 'variance' });
  }

  private posteriorOf(label: Label, feature: number | string): NormalGamma {
    const { classes, names, stats } = this.fitted();
    const c = classes.indexOf(label);
    if (c < 0) refuse('E_CLASS_UNKNOWN', `there is no class ${show(label)}`, { class: label });
    const j = typeof feature === 'string' ? (names?.indexOf(feature) ?? -1) : feature;
    if (!(Number.isInteger(j) && j >= 0 && j < stats.features)) {
      refuse('E_FEATURE_UNKNOWN', `there is no feature ${show(feature)}`, { feature });
    }
    const spot = spotAt(this.rounded(this.fitted()), c, j);
    const rule = this.rule();
    if (rule.rule !== 'mle') return normalGammaPosterior(rule.prior, j, spot);
    const { weight, mean, squares } = spot;
    if (!(weight > 1 && squares > 0)) {
      refuse('E_CLASS_TOO_SMALL', `class ${show(label)} has too few values of feature ${show(feature)}; give a prior`, {
        class: label,
        feature,
        count: weight,
      });
    }
    return { mean, kappa: weight, a: (weight - 1) / 2, b: squares / 2 };
  }

  protected expectation(): Expectation {
    return { missing: this.params.missing === 'ignore', extra: this.params.extra, limit: LARGEST_MAGNITUDE };
  }

  protected modelOptions({ classes, features }: Shape): GaussianOptions {
    const { priors } = this.params;
    const rule = this.rule();
    if (rule.rule !== 'mle') requirePriorLength(rule.prior, features);
    if (!priors) return { rule };
    const classPrior = Float64Array.from(priors);
    logClassPrior(new Float64Array(classes).fill(1), classPrior);
    return { rule, classPrior };
  }

  private rule(): BellRule {
    const { rule, prior, varSmoothing } = this.params;
    if (rule === 'mle' || prior === null) return { rule: 'mle', varSmoothing };
    const entry = (value: number | readonly number[]) => (typeof value === 'number' ? value : Float64Array.from(value));
    const { mean, kappa, a, b } = prior;
    return { rule, prior: { mean: entry(mean), kappa: entry(kappa), a: entry(a), b: entry(b) } };
  }
}
