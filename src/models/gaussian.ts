import { allTerms, type Model } from '../core/model.ts';
import { type ClassPrior, logClassPrior } from '../core/prior.ts';
import { requireOneEach } from '../data/arguments.ts';
import { type Shape, toDense } from '../data/batch.ts';
import { drawGamma, drawNormal } from '../math/draws.ts';
import { logGammaRatio } from '../math/gamma-ratio.ts';
import { mapRows, type RowMap } from '../math/kernels.ts';
import { type Moments, moments, presentWeight } from '../stats/moments.ts';
import { logFall } from './log-densities.ts';

/** The moments of one feature in one class: weight, mean, and Σ w (x − mean)². */
interface CellMoments {
  readonly weight: number;
  readonly mean: number;
  readonly squares: number;
}

/** A parameter of a prior: one for all features, or one for each. */
type PerFeature = number | Float64Array;

/**
 * The conjugate prior of a normal distribution, Normal-inverse-gamma: σ² ~ InvGamma(a, b), μ | σ² ~ N(mean, σ² / kappa). It has the weight
 * of kappa rows for the mean and 2a rows for the variance.
 */
interface NormalPrior {
  readonly mean: PerFeature;
  readonly kappa: PerFeature;
  readonly a: PerFeature;
  readonly b: PerFeature;
}

/** How densities are estimated from moments: by maximum likelihood, or under a prior by its mode or its predictive distribution. */
export type GaussianRule =
  | { readonly rule: 'mle'; readonly varSmoothing: number }
  | { readonly rule: 'map' | 'bayes'; readonly prior: NormalPrior };

/** A normal density if `df` is infinite, else Student's; `variance` is the square of its scale. */
interface StudentParameters {
  readonly mean: number;
  readonly variance: number;
  readonly df: number;
}

/** The parameters of a Normal-inverse-gamma distribution of one feature. */
export interface NormalGamma {
  readonly mean: number;
  readonly kappa: number;
  readonly a: number;
  readonly b: number;
}

const at = (value: PerFeature, j: number) => (typeof value === 'number' ? value : value[j]);

/**
 * The posterior of mean and variance, with n = weight, x̄ = mean, S = squares (Murphy, Machine Learning, §4.6.3):
 *
 *   κ' = κ + n,   m' = (κm + nx̄) / κ',   a' = a + n/2,   b' = b + S/2 + κn(x̄ − m)² / 2κ'        (1)
 */
export function normalGammaPosterior({ mean, kappa, a, b }: NormalPrior, j: number, counted: CellMoments): NormalGamma {
  const [m, k] = [at(mean, j), at(kappa, j)];
  const { weight } = counted;
  const distance = counted.mean - m;
  return {
    mean: m + (weight / (k + weight)) * distance,
    kappa: k + weight,
    a: at(a, j) + weight / 2,
    b: at(b, j) + counted.squares / 2 + 0.5 * ((k * weight) / (k + weight)) * distance * distance,
  };
}

/**
 * The bell of one cell:
 *
 *   mle    N(x̄, S/n + ε), of all classes together where this one has no values                (2)
 *   map    N(m', b' / (a' + 3/2)), the mode of (1)                                            (3)
 *   bayes  Student(2a', m', b'(κ' + 1) / a'κ'), the mean of the density under (1)             (4)
 */
export function bellOf(
  rule: GaussianRule,
  epsilon: number,
  j: number,
  counted: CellMoments,
  pooled: CellMoments & { readonly origin: number },
): StudentParameters {
  if (rule.rule === 'mle') {
    const { weight, squares } = counted.weight > 0 ? counted : pooled;
    const mean = counted.weight > 0 ? counted.mean : pooled.origin + pooled.mean;
    const variance = (weight === 0 ? 0 : squares / weight) + epsilon;
    const deviation = Math.sqrt(variance);
    const least = resolved(deviation, Math.abs(mean));
    return { mean, variance: least === deviation ? variance : least * least, df: Infinity };
  }
  const { mean, kappa, a, b } = normalGammaPosterior(rule.prior, j, counted);
  if (rule.rule === 'map') return { mean, variance: b / (a + 1.5), df: Infinity };
  return { mean, variance: (b / a) * ((kappa + 1) / kappa), df: 2 * a };
}

/** The logarithm of the density at its peak: −½ ln 2πσ², or ln Γ((ν+1)/2) / Γ(ν/2)√(νπ)σ. */
export function logPeak({ variance, df }: StudentParameters): number {
  const logScale = 0.5 * Math.log(variance);
  if (df === Infinity) return -0.5 * Math.log(2 * Math.PI) - logScale;
  return logGammaRatio(df / 2, 0.5) - 0.5 * Math.log(df * Math.PI) - logScale;
}

/** Refuses lists of another length than there are features. */
export function requirePriorLength(prior: NormalPrior, features: number): void {
  for (const [name, value] of Object.entries(prior) as [string, PerFeature][]) {
    if (typeof value !== 'number') requireOneEach(`prior.${name}`, value, features);
  }
}

/** The moments of class c and feature j. */
export function momentsAt(stats: Moments, c: number, j: number): CellMoments {
  const weight = presentWeight(stats, c, j);
  const cell = c * stats.features + j;
  if (weight === 0) return { weight, mean: 0, squares: 0 };
  const distance = stats.s1[cell] / weight;
  return {
    weight,
    mean: stats.shift[cell] + distance,
    squares: Math.max(0, stats.s2[cell] - stats.s1[cell] * distance),
  };
}

/** Moments whose mean is relative to an origin, so that it keeps its digits far from zero. */
export interface ShiftedMoments extends CellMoments {
  readonly origin: number;
}

/** The moments of feature j over all classes: S = Σ_c S_c + n_c (x̄_c − x̄)². */
export function pooledMoments(stats: Moments, j: number): ShiftedMoments {
  const { classes, features, shift, s1, s2 } = stats;
  let [weight, origin, mean, squares] = [0, 0, 0, 0];
  for (let c = 0; c < classes; c++) {
    const n = presentWeight(stats, c, j);
    if (n === 0) continue;
    const cell = c * features + j;
    if (weight === 0) origin = shift[cell];
    const own = s1[cell] / n;
    const distance = shift[cell] - origin + own - mean;
    weight += n;
    mean += (n / weight) * distance;
    squares += Math.max(0, s2[cell] - s1[cell] * own) + n * (1 - n / weight) * distance * distance;
  }
  return { weight, mean, squares, origin };
}

/** ε = varSmoothing · maxⱼ of the population variance of feature j over all rows; only the likelihood needs it. */
export function smoothingOf(rule: GaussianRule, pooled: readonly CellMoments[]): number {
  if (rule.rule !== 'mle') return 0;
  let largest = 0;
  for (const { weight, squares } of pooled) if (weight > 0) largest = Math.max(largest, squares / weight);
  return rule.varSmoothing * largest;
}

/** Relative precision: a deviation below 2⁻⁵⁰ of the size of the values is rounding, not spread. */
const RESOLUTION = 2 ** -50;
/** Values without spread get a deviation of 2⁻³² of their size, wide enough to hide the rounding of a mean. */
const FLOOR = 2 ** -32;
/** Below this size the square of a floor would underflow, so the size counts as 1. */
const LEAST_SIZE = 1e-140;

/** The standard deviation, or a positive floor if values of this size have none. */
export function resolved(deviation: number, size: number): number {
  return deviation > RESOLUTION * size ? deviation : FLOOR * (size > LEAST_SIZE ? size : 1);
}

/** A normal or Student density for every class and feature, class-major. */
export interface GaussianParameters extends Shape {
  readonly logPrior: Float64Array;
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly df: Float64Array; // Infinity for a normal curve
  readonly logPeak: Float64Array;
  /** What was added to every variance. */
  readonly epsilon: number;
}

/** The options of the estimate. */
export interface GaussianOptions {
  readonly rule: GaussianRule;
  readonly classPrior?: ClassPrior;
}

/**
 * Gaussian naive Bayes: each feature is a bell curve of its own in each class.
 *
 *   p(x | c) = Πⱼ N(xⱼ; μ[c,j], σ²[c,j]),   σ² = S/n + ε,   ε = varSmoothing · maxⱼ Var(xⱼ)        (1)
 *
 * with the population variance over all rows of all classes, by weight. It follows from the statistic, so learning in parts
 * is learning at once. Under a Normal-inverse-gamma prior the bells are its mode or Student's predictive curves.
 * Missing cells drop out of (1); a class that never showed a feature takes the curve of all classes for it. Murphy, Machine Learning: A Probabilistic Perspective (2012), §3.5 and §4.6.
 */
export const gaussian: Model<Moments, GaussianParameters, GaussianOptions> = {
  name: 'gaussian',
  statistic: moments,
  form: {
    arrays: {
      logPrior: ['log', 'classes'],
      mean: ['real', 'classes', 'features'],
      variance: ['scale', 'classes', 'features'],
      df: ['scale', 'classes', 'features'],
      logPeak: ['log', 'classes', 'features'],
      epsilon: ['weight'],
    },
  },

  estimate(stats, { rule, classPrior }) {
    const { classes, features, n } = stats;
    const pooled = Array.from({ length: features }, (_, j) => pooledMoments(stats, j));
    const epsilon = smoothingOf(rule, pooled);
    const bells = Array.from({ length: classes * features }, (_, cell) => {
      const j = cell % features;
      return bellOf(rule, epsilon, j, momentsAt(stats, (cell - j) / features, j), pooled[j]);
    });
    return {
      classes,
      features,
      logPrior: logClassPrior(n, classPrior),
      mean: Float64Array.from(bells, ({ mean }) => mean),
      variance: Float64Array.from(bells, ({ variance }) => variance),
      df: Float64Array.from(bells, ({ df }) => df),
      logPeak: Float64Array.from(bells, logPeak),
      epsilon,
    };
  },

  /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
  score(bells, rows, out) {
    const { x } = toDense(rows);
    if (bells.df.every((df) => df === Infinity)) scoreNormal(bells, rows.rows, x, out);
    else scoreStudent(bells, rows.rows, x, out);
  },

  logPrior: ({ logPrior }) => logPrior,

  terms({ classes, features, mean, variance, df, logPeak }, rows, i) {
    const { x } = toDense(rows);
    return allTerms(classes, features, (j, c) => {
      const [value, cell] = [x[i * features + j], c * features + j];
      return Number.isNaN(value) ? 0 : logPeak[cell] + logFall(value, mean[cell], variance[cell], df[cell]);
    });
  },

  sample({ features, mean, variance, df }, c, random, row) {
    for (let j = 0; j < features; j++) {
      const cell = c * features + j;
      const stretch = df[cell] === Infinity ? 1 : df[cell] / (2 * drawGamma(random, df[cell] / 2));
      row[j] = mean[cell] + Math.sqrt(variance[cell] * stretch) * drawNormal(random);
    }
  },
};

/** Parameters are immutable, so the inputs of the kernel are computed once. */
const maps = new WeakMap<GaussianParameters, RowMap>();

/** The kernel of (1) for normal curves: their means, 1 / σ, and ln p(c) with the logarithms of all peaks. */
function mapOf(bells: GaussianParameters): RowMap {
  const { classes, features, logPrior, mean, variance, logPeak } = bells;
  let map = maps.get(bells);
  if (!map) {
    const start = logPrior.map((log, c) => {
      let sum = log;
      for (let cell = c * features; cell < (c + 1) * features; cell++) sum += logPeak[cell];
      return sum;
    });
    const scale = variance.map((square) => 1 / Math.sqrt(square));
    map = { kernel: 'normal', features, columns: classes, parameters: [mean, scale, start] };
    maps.set(bells, map);
  }
  return map;
}

/** Scores by (1) if all densities are normal; the kernel returns NaN for rows with missing cells, which are then scored without them. */
function scoreNormal(bells: GaussianParameters, rows: number, x: Float64Array, out: Float64Array): void {
  const { classes, features } = bells;
  mapRows(mapOf(bells), rows, x, (from, some, scores) => {
    out.set(scores.subarray(0, some * classes), from * classes);
  });
  for (let i = 0; i < rows; i++) {
    if (Number.isNaN(out[i * classes])) scoreWithGaps(bells, x, i * features, out, i * classes);
  }
}

/** Scores one row by (1) without its missing cells. */
function scoreWithGaps(bells: GaussianParameters, x: Float64Array, from: number, out: Float64Array, to: number): void {
  const { classes, features, logPrior, logPeak } = bells;
  const [mean, scale] = mapOf(bells).parameters;
  for (let c = 0, cell = 0; c < classes; c++) {
    let [start, squares] = [logPrior[c], 0];
    for (let j = 0; j < features; j++, cell++) {
      const value = x[from + j];
      if (Number.isNaN(value)) continue;
      const z = (value - mean[cell]) * scale[cell];
      start += logPeak[cell];
      squares += z * z;
    }
    out[to + c] = start + -0.5 * squares;
  }
}

/** Scores by (1) if some of the densities are Student's. */
function scoreStudent(bells: GaussianParameters, rows: number, x: Float64Array, out: Float64Array): void {
  const { classes, features, logPrior, mean, variance, df, logPeak } = bells;
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < classes; c++) {
      let sum = logPrior[c];
      for (let j = 0; j < features; j++) {
        const value = x[i * features + j];
        const cell = c * features + j;
        if (!Number.isNaN(value)) sum += logPeak[cell] + logFall(value, mean[cell], variance[cell], df[cell]);
      }
      out[i * classes + c] = sum;
    }
  }
}
