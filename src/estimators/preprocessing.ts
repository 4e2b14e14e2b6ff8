import { choice, flag, type Option, type OptionValues, optional, real } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import { isSparse, mapCells, type Rows, toDense } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { matrixOf, type Numbers, spreadColumns, takeColumns } from '../features/columns.ts';
import { quantile } from '../features/quantile.ts';
import { columnMoments, eachCell, type NumberColumns, numberRules } from './number-rules.ts';
import { indicesOf } from './selector.ts';
import { Transformer } from './transformer.ts';

const binarizerSpec = {
  /** Cells above become 1. */
  threshold: real({ default: 0 }),
} as const;

/** Cells above a threshold become 1, all others 0. scikit-learn's class of this name. */
export class Binarizer extends Transformer<typeof binarizerSpec, NumberColumns<never>, Features, Numbers, Numbers> {
  protected readonly rules = numberRules<never>('Binarizer', {
    expectation: { sparse: true },
    names: [],
    learn: () => ({}),
    transform: (rows) => {
      const { threshold } = this.params;
      const above = (value: number) => (value > threshold ? 1 : 0);
      if (isSparse(rows) && threshold < 0) {
        refuse('E_PARAM', 'sparse rows need a threshold ≥ 0', { name: 'threshold' });
      }
      return isSparse(rows) ? matrixOf(mapCells(rows, above)) : new Matrix(rows.rows, rows.features, rows.x.map(above));
    },
  });

  constructor(options: Partial<OptionValues<typeof binarizerSpec>> = {}) {
    super('Binarizer', binarizerSpec, options);
  }
}

const normalizerSpec = {
  /** The length of a row: sum of magnitudes, root of squares, or largest magnitude. */
  norm: choice(['l1', 'l2', 'max'], { default: 'l2' }),
} as const;

/** Rows divided by their length; a row of zeros stays as it is. scikit-learn's class of this name. */
export class Normalizer extends Transformer<typeof normalizerSpec, NumberColumns<never>, Features, Numbers, Numbers> {
  protected readonly rules = numberRules<never>('Normalizer', {
    expectation: { sparse: true },
    names: [],
    learn: () => ({}),
    transform: (rows) => normalized(rows, this.params.norm),
  });

  constructor(options: Partial<OptionValues<typeof normalizerSpec>> = {}) {
    super('Normalizer', normalizerSpec, options);
  }
}

function normalized(rows: Rows, norm: 'l1' | 'l2' | 'max'): Numbers {
  const sparse = isSparse(rows);
  const cells = (sparse ? rows.values : rows.x).slice();
  for (let i = 0; i < rows.rows; i++) {
    const [from, to] = sparse ? [rows.indptr[i], rows.indptr[i + 1]] : [i * rows.features, (i + 1) * rows.features];
    const row = cells.subarray(from, to);
    const add = (sum: number, value: number) =>
      norm === 'max' ? Math.max(sum, Math.abs(value)) : sum + (norm === 'l1' ? Math.abs(value) : value * value);
    const length = row.reduce(add, 0);
    const divisor = norm === 'l2' ? Math.sqrt(length) : length;
    if (divisor > 0) for (let k = 0; k < row.length; k++) row[k] /= divisor;
  }
  return matrixOf(sparse ? { ...rows, values: cells } : { ...rows, x: cells });
}

const varianceSpec = {
  /** Columns of this variance and below are left out. */
  threshold: real({ default: 0, min: 0 }),
} as const;

/** Leaves out columns that vary too little: by default those that are constant. Missing cells do not count. scikit-learn's class of this name. */
export class VarianceThreshold extends Transformer<
  typeof varianceSpec,
  NumberColumns<'variances'>,
  Features,
  Numbers,
  Numbers
> {
  protected readonly rules = numberRules<'variances'>('VarianceThreshold', {
    expectation: { sparse: true, missing: true },
    names: ['variances'],
    learn: (rows, weights) => {
      const { n, variance } = columnMoments(rows, weights);
      const variances = variance.map((value, j) => (n[j] > 0 ? value : Number.NaN));
      if (this.params.threshold === 0) bySpread(rows, variances);
      if (!variances.some((value) => value > this.params.threshold)) {
        refuse('E_PARAM', `no column has a variance above ${this.params.threshold}`, { name: 'threshold' });
      }
      return { variances };
    },
    transform: (rows, { variances }) => takeColumns(rows, this.kept(variances)),
    inverse: (rows, { variances }) => spreadColumns(rows, this.kept(variances), variances.length),
    width: ({ variances }) => this.kept(variances).length,
    namesOut: ({ variances }, names) => this.kept(variances).map((j) => names[j]),
  });

  constructor(options: Partial<OptionValues<typeof varianceSpec>> = {}) {
    super('VarianceThreshold', varianceSpec, options);
  }

  /** The variance of every column. */
  get variances(): Float64Array {
    return this.fitted().arrays.variances.slice();
  }

  /** Which columns are kept: a flag for each, or with `indices` their numbers. */
  getSupport(options?: { readonly indices?: false }): boolean[];
  getSupport(options: { readonly indices: true }): number[];
  getSupport(options: { readonly indices?: boolean } = {}): boolean[] | number[] {
    const { indices = false } = requireOptions('getSupport', ['indices'], options);
    const { variances } = this.fitted().arrays;
    return indices ? this.kept(variances) : Array.from(variances, (value) => value > this.params.threshold);
  }

  private kept(variances: Float64Array): number[] {
    return indicesOf(Array.from(variances, (value) => value > this.params.threshold));
  }
}

/** A constant column has a range of exactly zero, whatever rounding made of its variance. */
function bySpread(rows: Rows, variances: Float64Array): void {
  const [least, most] = [Infinity, -Infinity].map((value) => new Float64Array(rows.features).fill(value));
  eachCell(rows, (value, j) => {
    if (Number.isNaN(value)) return;
    least[j] = Math.min(least[j], value);
    most[j] = Math.max(most[j], value);
  });
  for (let j = 0; j < rows.features; j++) variances[j] = Math.min(variances[j], most[j] - least[j]);
}

const imputerSpec = {
  /** The replacement of a missing cell. */
  strategy: choice(['mean', 'median', 'most_frequent', 'constant'], { default: 'mean' }),
  /** The constant. */
  fillValue: optional(real({ default: 0 })),
  /** A further column for every column that had missing cells, with 1 where one was missing. */
  addIndicator: flag({ default: false }),
  /** Keep columns without any value: as the constant, or as zeros. */
  keepEmptyFeatures: flag({ default: false }),
} as const;

/**
 * Puts a number in the place of missing cells (NaN, null). Columns without any value are left out. Pólya's own classifiers need none:
 * they integrate missing cells out (`missing: 'ignore'`). scikit-learn's class of this name, for columns of numbers.
 */
export class SimpleImputer extends Transformer<
  typeof imputerSpec,
  NumberColumns<'statistics' | 'gaps'>,
  Features,
  Numbers,
  Numbers
> {
  protected readonly rules = numberRules<'statistics' | 'gaps'>('SimpleImputer', {
    expectation: { missing: true },
    names: ['statistics', 'gaps'],
    learn: (rows) => {
      const columns = Array.from({ length: rows.features }, (): number[] => []);
      const gaps = new Float64Array(rows.features);
      eachCell(rows, (value, j) => {
        if (Number.isNaN(value)) gaps[j] = 1;
        else columns[j].push(value);
      });
      return {
        statistics: Float64Array.from(columns, (column) => this.standIn(Float64Array.from(column).sort())),
        gaps,
      };
    },
    transform: (rows, { statistics, gaps }) => {
      const [kept, marked] = this.columns(statistics, gaps);
      const { x, features } = toDense(rows);
      const out = new Matrix(rows.rows, kept.length + marked.length);
      for (let i = 0; i < rows.rows; i++) {
        const row = out.row(i);
        for (const [at, j] of kept.entries()) {
          const value = x[i * features + j];
          row[at] = Number.isNaN(value) ? statistics[j] : value;
        }
        for (const [at, j] of marked.entries()) row[kept.length + at] = Number.isNaN(x[i * features + j]) ? 1 : 0;
      }
      return out;
    },
    namesOut: ({ statistics, gaps }, names) => {
      const [kept, marked] = this.columns(statistics, gaps);
      return [...kept.map((j) => names[j]), ...marked.map((j) => `missingindicator_${names[j]}`)];
    },
  });

  constructor(options: Partial<OptionValues<typeof imputerSpec>> = {}) {
    super('SimpleImputer', imputerSpec, options);
  }

  /** What stands for a missing cell of every column; NaN for a column without any value. */
  get statistics(): Float64Array {
    return this.fitted().arrays.statistics.slice();
  }

  private standIn(sorted: Float64Array): number {
    const { strategy, fillValue } = this.params;
    if (sorted.length === 0 && !this.params.keepEmptyFeatures) return Number.NaN;
    if (strategy === 'constant') return fillValue ?? 0;
    if (sorted.length === 0) return 0;
    if (strategy === 'mean') return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
    return strategy === 'median' ? quantile(sorted, 0.5, 'linear') : mostFrequent(sorted);
  }

  private columns(statistics: Float64Array, gaps: Float64Array): [kept: number[], marked: number[]] {
    const all = Array.from(statistics.keys());
    const kept = all.filter((j) => !Number.isNaN(statistics[j]));
    return [kept, this.params.addIndicator ? all.filter((j) => gaps[j] === 1) : []];
  }
}

/** The most frequent of sorted values, the smallest of equals. */
function mostFrequent(sorted: Float64Array): number {
  let [best, most] = [sorted[0], 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (sorted[to] === sorted[from]) to++;
    if (to - from > most) [best, most] = [sorted[from], to - from];
    from = to;
  }
  return best;
}

/** Rows to rows. */
type RowFunction = (X: Features) => Numbers;

const rowFunction: Option<RowFunction | 'custom' | null> = {
  kind: 'custom',
  default: null,
  expects: 'a function of rows, or null',
  // 'custom' marks a function in a model file, which cannot contain it
  accept: (value) =>
    typeof value === 'function' || value === null || value === 'custom' ? (value as never) : undefined,
};

const functionSpec = {
  /** The function; null leaves rows as they are. */
  func: rowFunction,
  /** The inverse function. */
  inverseFunc: rowFunction,
} as const;

/** Rows changed by a function of the caller, as a step of a pipeline. A model file cannot hold the function. */
export class FunctionTransformer extends Transformer<
  typeof functionSpec,
  NumberColumns<never>,
  Features,
  Numbers,
  Numbers
> {
  protected readonly rules = numberRules<never>('FunctionTransformer', {
    expectation: { sparse: true, missing: true },
    names: [],
    learn: () => ({}),
    transform: (rows) => this.apply('func', rows),
    inverse: (rows) => this.apply('inverseFunc', rows),
    params: () => ({ func: this.params.func && 'custom', inverseFunc: this.params.inverseFunc && 'custom' }),
  });

  constructor(options: Partial<OptionValues<typeof functionSpec>> = {}) {
    super('FunctionTransformer', functionSpec, options);
  }

  private apply(name: 'func' | 'inverseFunc', rows: Rows): Numbers {
    const change = this.params[name];
    if (change === 'custom') refuse('E_PARAM', `${name} was not part of the model file; pass it again`, { name });
    return change ? (change as RowFunction)(matrixOf(rows)) : matrixOf(rows);
  }
}
