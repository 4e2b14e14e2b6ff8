import { flag, type OptionSpec, type OptionValues, readOptions, real } from '../core/options.ts';
import { requireNoOptions, requireOptions } from '../data/arguments.ts';
import { toDense } from '../data/batch.ts';
import { type Features, readFeatures, requireSome } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { cholesky, inverse, logDeterminant } from '../math/cholesky.ts';
import { symmetricEigen } from '../math/eigen.ts';

const centredSpec = {
  /** Rows have the mean zero. */
  assumeCentered: flag({ default: false }),
} satisfies OptionSpec;

const shrunkSpec = {
  ...centredSpec,
  /** The share of the spherical covariance. */
  shrinkage: real({ default: 0.1, min: 0, max: 1 }),
} satisfies OptionSpec;

/** The centred cells, and n and p. */
interface Centred {
  readonly x: Float64Array;
  readonly rows: number;
  readonly features: number;
}

/** The share of the spherical covariance (tr S / p) I in an estimate. */
type Intensity = (covariance: Float64Array, centred: Centred) => number;

/** The base class of covariance estimators. */
abstract class CovarianceEstimate<P extends { readonly assumeCentered: boolean }> {
  /** The public name of the class. */
  readonly kind: string;
  private readonly params: P;
  private learned: { location: Float64Array; covariance: Matrix; shrinkage: number } | undefined;

  protected abstract readonly intensity: Intensity;

  protected constructor(kind: string, params: P) {
    this.kind = kind;
    this.params = params;
  }

  /** The parameters, as given or by default. */
  getParams(): P {
    return { ...this.params };
  }

  /** Replaces some parameters. What was learned is forgotten: call `fit` again. */
  setParams(params: Partial<P>): this {
    requireOptions(this.kind, Object.keys(this.params), params);
    return Object.assign(this, { learned: undefined }, this.with({ ...this.params, ...params }));
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return this.with(this.params);
  }

  private with(params: P): this {
    return new (this.constructor as new (params: P) => this)(params);
  }

  /** Estimates the covariance of these rows; labels are ignored. */
  fit(X: Features, y?: unknown, options: object = {}): this {
    requireOptions(this.kind, [], options);
    requireNoOptions(y);
    const { rows } = readFeatures(X);
    requireSome(rows);
    const { x, features: p } = toDense(rows);
    const n = rows.rows;
    const location = new Float64Array(p);
    if (!this.params.assumeCentered) for (let k = 0; k < x.length; k++) location[k % p] += x[k] / n;
    const centred = x.map((value, k) => value - location[k % p]);
    const covariance = new Matrix(p, p);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < p; j++) {
        for (let k = 0; k < p; k++) covariance.data[j * p + k] += (centred[i * p + j] * centred[i * p + k]) / n;
      }
    }
    const shrinkage = this.intensity(covariance.data, { x: centred, rows: n, features: p });
    const mean = traceOf(covariance.data, p) / p;
    for (let k = 0; k < p * p; k++) {
      covariance.data[k] = (1 - shrinkage) * covariance.data[k] + (k % (p + 1) === 0 ? shrinkage * mean : 0);
    }
    this.learned = { location, covariance, shrinkage };
    return this;
  }

  /** The mean of every column. */
  get location(): Float64Array {
    return this.fitted().location.slice();
  }

  /** The covariance. */
  get covariance(): Matrix {
    const { rows, cols, data } = this.fitted().covariance;
    return new Matrix(rows, cols, data.slice());
  }

  /** The share of the spherical covariance. */
  get shrinkage(): number {
    return this.fitted().shrinkage;
  }

  /** The inverse of the covariance; the pseudo-inverse where it is singular. */
  get precision(): Matrix {
    const { rows: p, data } = this.fitted().covariance;
    const factor = cholesky(data, p);
    if (factor.ok) return new Matrix(p, p, inverse(factor));
    const { values, vectors } = symmetricEigen(data, p);
    const least = p * Number.EPSILON * Math.max(...values.map(Math.abs));
    const out = new Matrix(p, p);
    for (let j = 0; j < p; j++) {
      for (let k = 0; k < p; k++) {
        for (let v = 0; v < p; v++) {
          if (values[v] > least) out.data[j * p + k] += (vectors[j * p + v] * vectors[k * p + v]) / values[v];
        }
      }
    }
    return out;
  }

  /** The same, by scikit-learn's name of the method. */
  getPrecision(): Matrix {
    return this.precision;
  }

  /** The squared distance of every row from the mean, in units of the covariance. */
  mahalanobis(X: Features): Float64Array {
    const { location } = this.fitted();
    const { data: precision } = this.precision;
    const p = location.length;
    const rows = toDense(readFeatures(X, { features: p }).rows);
    return Float64Array.from({ length: rows.rows }, (_, i) => {
      let distance = 0;
      for (let j = 0; j < p; j++) {
        const apart = rows.x[i * p + j] - location[j];
        for (let k = 0; k < p; k++) distance += apart * precision[j * p + k] * (rows.x[i * p + k] - location[k]);
      }
      return distance;
    });
  }

  /** The mean log-likelihood of rows under a normal distribution with this mean and covariance; −∞ where that is singular. */
  score(X: Features): number {
    const distances = this.mahalanobis(X);
    const { rows, data } = this.fitted().covariance;
    const factor = cholesky(data, rows);
    if (!factor.ok) return -Infinity;
    const mean = distances.reduce((sum, value) => sum + value, 0) / distances.length;
    return -0.5 * (mean + logDeterminant(factor) + rows * Math.log(2 * Math.PI));
  }

  private fitted() {
    return this.learned ?? refuse('E_NOT_FITTED', 'no rows were learned yet; call fit first');
  }
}

/** The covariance of the rows themselves, divided by n. scikit-learn's class of this name, as are those below. */
export class EmpiricalCovariance extends CovarianceEstimate<OptionValues<typeof centredSpec>> {
  protected readonly intensity: Intensity = () => 0;

  constructor(options: Partial<OptionValues<typeof centredSpec>> = {}) {
    super('EmpiricalCovariance', readOptions('EmpiricalCovariance', centredSpec, options));
  }
}

/** (1 − s)S + s (tr S / p) I, with a given share s. */
export class ShrunkCovariance extends CovarianceEstimate<OptionValues<typeof shrunkSpec>> {
  protected readonly intensity: Intensity = () => this.getParams().shrinkage;

  constructor(options: Partial<OptionValues<typeof shrunkSpec>> = {}) {
    super('ShrunkCovariance', readOptions('ShrunkCovariance', shrunkSpec, options));
  }
}

/** The share that minimises the expected squared error, estimated from the rows. Ledoit & Wolf (2004). */
export class LedoitWolf extends CovarianceEstimate<OptionValues<typeof centredSpec>> {
  protected readonly intensity: Intensity = (covariance, { x, rows, features: p }) => {
    if (p === 1) return 0;
    let fourth = 0;
    for (let i = 0; i < rows; i++) {
      let square = 0;
      for (let j = 0; j < p; j++) square += x[i * p + j] ** 2;
      fourth += square ** 2;
    }
    const squares = covariance.reduce((sum, value) => sum + value * value, 0);
    const mean = traceOf(covariance, p) / p;
    const beta = (fourth / rows - squares) / (p * rows);
    const delta = squares / p - mean * mean;
    return delta > 0 ? Math.min(beta, delta) / delta : 0;
  };

  constructor(options: Partial<OptionValues<typeof centredSpec>> = {}) {
    super('LedoitWolf', readOptions('LedoitWolf', centredSpec, options));
  }
}

/** The share of Chen, Wiesel, Eldar & Hero, Shrinkage Algorithms for MMSE Covariance Estimation (2010), for normal rows. */
export class OAS extends CovarianceEstimate<OptionValues<typeof centredSpec>> {
  protected readonly intensity: Intensity = (covariance, { rows, features: p }) => {
    if (p === 1) return 0;
    const alpha = covariance.reduce((sum, value) => sum + value * value, 0) / (p * p);
    const mean = traceOf(covariance, p) / p;
    const spread = (rows + 1) * (alpha - (mean * mean) / p);
    return spread === 0 ? 1 : Math.min((alpha + mean * mean) / spread, 1);
  };

  constructor(options: Partial<OptionValues<typeof centredSpec>> = {}) {
    super('OAS', readOptions('OAS', centredSpec, options));
  }
}

function traceOf(matrix: Float64Array, p: number): number {
  let sum = 0;
  for (let j = 0; j < p; j++) sum += matrix[j * p + j];
  return sum;
}
