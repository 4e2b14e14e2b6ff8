import { classWeight } from '../core/class-weight.ts';
import { choice, either, flag, type Option, type OptionValues, optional, real, vector } from '../core/options.ts';
import {
  type ClassPrior,
  logClassPrior,
  type Prior,
  type Pseudo,
  pseudoCount,
  requirePseudoLength,
} from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import { isList } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';

/** Options that every estimator has. */
export const common = {
  /** A named column that the model does not know: ignored or an error. Default: 'error'. */
  extra: choice(['error', 'ignore'], { default: 'error' }),
  /**
   * Weights by which classes count: 'balanced' makes all classes weigh the same, an object gives a weight for each class. Default: null, all 1.
   */
  classWeight,
  /** Sums that are the same for every order and partition of the rows. Default: false. */
  reproducible: flag({ default: false }),
  /** A row that is impossible under every class: gets the class prior, or throws E_ZERO_EVIDENCE. Default: 'prior'. */
  zeroEvidence: choice(['prior', 'error'], { default: 'prior' }),
} as const;

/** Options of families that take rows with missing cells. */
export const gapOptions = {
  /** NaN and null: an error ('error'), or missing cells that are integrated out ('ignore'). Default: 'error'. */
  missing: choice(['error', 'ignore'], { default: 'error' }),
  ...common,
} as const;

/** Options of families of levels. */
export const levelOptions = {
  /** An unknown level: counted zero times ('smooth'), a missing cell ('ignore'), or an error ('error'). Default: 'smooth'. */
  unknown: choice(['smooth', 'ignore', 'error'], { default: 'smooth' }),
  ...gapOptions,
} as const;

/** Finite numbers that are not negative, or null. */
export const numbers: Option<readonly number[] | null> = vector({ default: null, min: 0 });

/** One pseudo-count for all classes, or one for each. */
const classAlpha: Option<number | readonly number[]> = {
  kind: 'custom',
  default: 0,
  min: 0,
  expects: 'a finite number ≥ 0, or a list of them with one per class',
  accept: (value) => (isList(value) ? numbers.accept(value) : real({ default: 0, min: 0 }).accept(value)) ?? undefined,
};

/**
 * Which point of the posterior is used: its mean, its maximum (the prior then needs pseudo-counts ≥ 1), or the maximum of the
 * likelihood, for which the prior does not matter.
 */
export const estimate: Option<'mean' | 'map' | 'mle'> = choice(['mean', 'map', 'mle'], { default: 'mean' });

type Estimate = 'mean' | 'map' | 'mle';

/** The rule of a prior by the point of the posterior that is used. */
const ruleOf = (point: Estimate) => (point === 'map' ? 'map' : 'bayes');

/** Class priors that are given, uniform or counted. */
export const givenPriors = {
  /** Estimate class priors from the class counts instead of a uniform prior. Default: true. */
  fitPrior: flag({ default: true }),
  /** Class priors, in the order of the sorted classes. Default: null, estimated from the rows. */
  classPrior: optional(numbers),
} as const;

/** Options of the class prior. */
export const classPriors = {
  ...givenPriors,
  /** Dirichlet prior of estimated class priors: one pseudo-count for all, or one per sorted class. Default: 0. */
  priorAlpha: classAlpha,
} as const;

/** The class prior that the options ask for; refuses another number of priors than of classes, if that is given. */
export function classPriorOf(
  options: OptionValues<typeof givenPriors> & {
    readonly priorAlpha?: number | readonly number[];
    readonly estimate?: Estimate;
  },
  classes?: number,
): ClassPrior {
  const { fitPrior, classPrior, priorAlpha = 0, estimate: point = 'mean' } = options;
  const a = typeof priorAlpha === 'number' ? priorAlpha : Float64Array.from(priorAlpha);
  const counted = priorAlpha === 0 || point === 'mle' ? 'empirical' : ({ a, rule: ruleOf(point) } as const);
  const prior = classPrior ? Float64Array.from(classPrior) : fitPrior ? counted : 'uniform';
  if (classes !== undefined) logClassPrior(new Float64Array(classes).fill(1), prior);
  return prior;
}

/** Class priors that were given, if they were; refuses another number of them than of classes. */
export function givenPrior(priors: readonly number[] | null, classes: number): { classPrior?: Float64Array } {
  if (!priors) return {};
  const classPrior = Float64Array.from(priors);
  logClassPrior(new Float64Array(classes).fill(1), classPrior);
  return { classPrior };
}

/** One pseudo-count for all features, one per feature, or one per class and feature. */
export const pseudoCounts: Option<number | readonly number[]> = {
  kind: 'custom',
  default: 1,
  min: 0,
  expects: 'a finite number ≥ 0, a list of them with one per feature, or one such list per class',
  accept(value) {
    if (!isList(value)) return classAlpha.accept(value);
    const rows: unknown[] = Array.from(value);
    return numbers.accept(rows.every(isList) ? rows.flatMap((row) => Array.from(row)) : rows) ?? undefined;
  },
};

/** What alpha may be: one number, a list, or a choice by leave-one-out. */
type Alpha = number | readonly number[] | 'auto';

/** Pseudo-count of every feature; 'auto': the one of least leave-one-out log-loss on the first rows learned. */
const alpha: Option<Alpha> = {
  ...pseudoCounts,
  expects: "a finite number ≥ 0, a list of them with one per feature, one such list per class, or 'auto'",
  accept: (value) => (value === 'auto' ? value : pseudoCounts.accept(value)),
};

/** Options of the families that smooth counts. */
export const smoothing = {
  /** Pseudo-counts: one number, one per feature, or 'auto' for the choice by leave-one-out on the first rows. Default: 1. */
  alpha,
  /** Use alpha as it is, even below 1e-10. Default: true. */
  forceAlpha: flag({ default: true }),
  ...classPriors,
} as const;

type Smoothing = OptionValues<typeof smoothing>;

/** Without `forceAlpha`, a smaller alpha becomes this one. */
export const LEAST_ALPHA = 1e-10;

/** Pseudo-counts as they are used: not below 1e-10 without `forceAlpha`. */
export function atLeast(given: number | readonly number[], forceAlpha: boolean): Pseudo {
  const least = forceAlpha ? 0 : LEAST_ALPHA;
  return typeof given === 'number' ? Math.max(given, least) : Float64Array.from(given, (k) => Math.max(k, least));
}

/** The prior with pseudo-count alpha, or with the one that was chosen, and the point of the posterior that was asked for. */
export function priorOf(
  { alpha, forceAlpha, estimate: point = 'mean' }: Pick<Smoothing, 'alpha' | 'forceAlpha'> & { estimate?: Estimate },
  chosen = 1,
): Prior {
  if (point === 'mle') return { rule: 'mle' };
  const prior: Prior = {
    rule: ruleOf(point),
    a: atLeast(alpha === 'auto' ? chosen : alpha, forceAlpha),
  };
  pseudoCount(prior); // refuses a prior whose posterior has no maximum
  return prior;
}

/** Refuses to choose alpha for anything but the symmetric prior and the posterior mean, which are what the choice is made for. */
export function requireChoosable(
  owner: string,
  { alpha, ...others }: { readonly alpha: unknown } & Readonly<Record<string, unknown>>,
): void {
  const { estimate: point = 'mean', alphaAbsent = null, levelAlpha = null } = others;
  if (alpha !== 'auto' || (point === 'mean' && alphaAbsent === null && levelAlpha === null)) return;
  const name = point !== 'mean' ? 'estimate' : alphaAbsent !== null ? 'alphaAbsent' : 'levelAlpha';
  refuse('E_PARAM', `${owner}: alpha: 'auto' does not go with ${name}; give alpha as a number`, { name });
}

/** The pseudo-counts in use: as given, or as chosen by the first rows. */
export function alphaInUse(
  { alpha }: Pick<Smoothing, 'alpha'>,
  schema: JsonValue | undefined,
): number | readonly number[] {
  return alpha === 'auto' ? chosenAlpha(schema) : alpha;
}

/** The alpha that the first rows chose, or 1; refuses pseudo-counts of another number than there are features. */
export function alphaChosen(
  params: Smoothing,
  settles: boolean,
  { classes, features }: Shape,
  schema: JsonValue | undefined,
): number {
  if (!settles && schema !== undefined) {
    refuse('E_MODEL_CORRUPT', 'the model file has a chosen alpha without alpha: auto');
  }
  const prior = priorOf(params);
  if (prior.rule !== 'mle') requirePseudoLength(prior.a, classes, features);
  classPriorOf(params, classes);
  return chosenAlpha(schema);
}

/** The alpha chosen by the first rows, from the schema; 1 before any rows. */
export function chosenAlpha(schema: JsonValue | undefined): number {
  if (schema === undefined) return 1;
  const alpha = isObject(schema) ? schema.alpha : undefined;
  const fits = typeof alpha === 'number' && alpha > 0 && alpha < Infinity;
  return fits ? alpha : refuse('E_MODEL_CORRUPT', 'the model file is damaged: its chosen alpha is invalid');
}

const isObject = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Gaussian families square their values; beyond this the squares of differences leave the range of numbers. */
export const LARGEST_MAGNITUDE = 1e150;

/** How wide kernels are. */
export const kernelWidths = {
  /** The bandwidth: a rule of thumb, or one number. Default: 'silverman'. */
  bandwidth: either(
    choice(['silverman', 'scott', 'weka'], { default: 'silverman' }),
    real({ default: 1, min: 1e-150 }),
  ),
  /** Least bandwidth of a rule, in standard deviations of the feature over all rows. Default: 1e-3. */
  leastBandwidth: real({ default: 1e-3, min: 0 }),
} as const;
