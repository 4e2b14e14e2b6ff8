import { flag, type OptionValues } from '../core/options.ts';
import { requireLearning, requireNoOptions } from '../data/arguments.ts';
import { isSparse, mapCells, type Rows } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import type { RowWeightOptions } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { matrixOf, type Numbers } from '../features/columns.ts';
import { columnMoments, eachCell, type NumberColumns, numberRules } from './number-rules.ts';
import { Transformer } from './transformer.ts';

const spec = {
  /** Subtract the mean. Default: true. */
  withMean: flag({ default: true }),
  /** Divide by the standard deviation. Default: true. */
  withStd: flag({ default: true }),
} as const;

/** Parameters of `StandardScaler`. */
export type StandardScalerOptions = Partial<OptionValues<typeof spec>>;

type Learned = 'n' | 'mean' | 'variance';

/**
 * Columns of mean 0 and variance 1; a constant column is only centred. Missing cells stay missing. Sparse rows need `withMean: false`.
 * scikit-learn's class of this name.
 */
export class StandardScaler extends Transformer<typeof spec, NumberColumns<Learned>, Features, Numbers, Numbers> {
  protected readonly rules = numberRules<Learned>('StandardScaler', {
    expectation: { sparse: true, missing: true },
    names: ['n', 'mean', 'variance'],
    learn: (rows, weights) => columnMoments(this.allowed(rows), weights),
    transform: (rows, learned) => {
      const [shift, scale] = this.line(learned);
      return affine(this.allowed(rows), (value, j) => (value - shift[j]) / scale[j]);
    },
    inverse: (rows, learned) => {
      const [shift, scale] = this.line(learned);
      return affine(this.allowed(rows), (value, j) => value * scale[j] + shift[j]);
    },
  });

  constructor(options: StandardScalerOptions = {}) {
    super('StandardScaler', spec, options);
  }

  /** The mean of every column. */
  get mean(): Float64Array {
    return this.fitted().arrays.mean.slice();
  }

  /** The variance of every column. */
  get var(): Float64Array {
    return this.fitted().arrays.variance.slice();
  }

  /** What every column is divided by; null where nothing is. */
  get scale(): Float64Array | null {
    const [, scale] = this.line(this.fitted().arrays);
    return this.params.withStd ? scale : null;
  }

  /** The weight of the rows; of every column, where cells are missing. */
  get nSamplesSeen(): number | Float64Array {
    const { n } = this.fitted().arrays;
    return n.every((own) => own === n[0]) ? n[0] : n.slice();
  }

  /** Learns from further rows. */
  partialFit(X: Features, y?: unknown, options: RowWeightOptions = {}): this {
    const { sampleWeight } = requireLearning(this.kind, options);
    requireNoOptions(y);
    const more = this.rules.learn(X, undefined, sampleWeight);
    const before = this.learned;
    if (before && before.features !== more.features) {
      refuse('E_FEATURE_COUNT', `rows have ${more.features} features, ${before.features} were learned`, {
        expected: before.features,
        actual: more.features,
      });
    }
    this.learned = before ? { ...before, arrays: united(before.arrays, more.arrays) } : more;
    return this;
  }

  /** What is subtracted from every column, and what it is divided by. */
  private line({ n, mean, variance }: Record<Learned, Float64Array>): [shift: Float64Array, scale: Float64Array] {
    const { withMean, withStd } = this.params;
    const scale = variance.map((value, j) => {
      // a column is constant where its variance is what rounding of its mean can make
      const noise = n[j] * Number.EPSILON * value + (n[j] * mean[j] * Number.EPSILON) ** 2;
      return !withStd || value <= noise ? 1 : Math.sqrt(value);
    });
    return [withMean ? mean.map((value) => value || 0) : new Float64Array(mean.length), scale];
  }

  private allowed(rows: Rows): Rows {
    if (isSparse(rows) && this.params.withMean) {
      refuse('E_PARAM', 'sparse rows cannot be centred; use withMean: false', { name: 'withMean' });
    }
    return rows;
  }
}

/** Every cell changed; zeros of sparse rows stay zeros. */
function affine(rows: Rows, change: (value: number, j: number) => number): Numbers {
  if (isSparse(rows)) return matrixOf(mapCells(rows, change));
  const out = new Matrix(rows.rows, rows.features);
  eachCell(rows, (value, j, i) => {
    out.data[i * rows.features + j] = change(value, j);
  });
  return out;
}

/** The moments of two parts together. Chan, Golub & LeVeque (1979). */
function united(a: Record<Learned, Float64Array>, b: Record<Learned, Float64Array>): Record<Learned, Float64Array> {
  const n = a.n.map((own, j) => own + b.n[j]);
  const share = n.map((all, j) => (all > 0 ? b.n[j] / all : 0));
  const of = (values: Float64Array, j: number) => values[j] || 0; // a part without any cell has no moments
  const mean = n.map((_, j) => of(a.mean, j) + (of(b.mean, j) - of(a.mean, j)) * (a.n[j] > 0 ? share[j] : 1));
  const variance = n.map((_, j) => {
    const apart = a.n[j] > 0 && b.n[j] > 0 ? of(b.mean, j) - of(a.mean, j) : 0;
    return of(a.variance, j) * (1 - share[j]) + of(b.variance, j) * share[j] + apart ** 2 * share[j] * (1 - share[j]);
  });
  return { n, mean, variance };
}
