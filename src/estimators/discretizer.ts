import type { State } from '../core/artifact.ts';
import { choice } from '../core/options.ts';
import { type DenseRows, toDense } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { binOf } from '../features/bins.ts';
import { hottest, type Numbers, oneHot } from '../features/columns.ts';
import type { ColumnNames } from './learned.ts';
import { saveColumns, tensor } from './persist.ts';
import { type Bins, readBins } from './saved-bins.ts';
import type { TransformRules } from './transformer.ts';

/** Options of discretizers. */
export const binning = {
  /** Bins as sparse or dense columns of 0 and 1, or as the number of the bin. */
  encode: choice(['onehot', 'onehot-dense', 'ordinal'], { default: 'onehot' }),
  /** NaN and null: an error, or a bin of their own, the last of each feature. */
  missing: choice(['error', 'bin'], { default: 'error' }),
} as const;

interface BinningOptions {
  readonly encode: 'onehot' | 'onehot-dense' | 'ordinal';
  readonly missing: 'error' | 'bin';
}

/** The number of bins of every feature, the bin of missing values not among them. */
export const binCounts = ({ edges }: Bins): Int32Array => Int32Array.from(edges, (own) => own.length - 1);

/** Puts numbers into bins whose edges `learn` finds. */
export class Binning implements TransformRules<Bins, Features, Numbers, Matrix> {
  readonly learn: (X: Features, y: ArrayLike<Label> | undefined, weights: Weights | undefined) => Bins;
  private readonly options: BinningOptions;

  constructor(options: BinningOptions, learn: Binning['learn']) {
    this.options = options;
    this.learn = learn;
  }

  /** The bin of every cell, in the requested encoding. */
  transform(bins: Bins, X: Features): Numbers {
    const { rows, features, x } = readCells(X, this.options.missing === 'bin', bins);
    const codes = new Matrix(rows, features);
    for (let k = 0; k < x.length; k++) {
      const own = bins.edges[k % features];
      codes.data[k] = Number.isNaN(x[k]) ? own.length - 1 : binOf(own, x[k]);
    }
    if (this.options.encode === 'ordinal') return codes;
    return oneHot(codes, this.widths(bins), this.options.encode === 'onehot');
  }

  /** The middle of the bin of every cell; NaN for the missing bin and for a bin without end. */
  inverse(bins: Bins, X: Features): Matrix {
    const { edges, features } = bins;
    const codes = this.readCodes(bins, X);
    return new Matrix(
      codes.rows,
      features,
      codes.data.map((b, k) => {
        const own = edges[k % features];
        const last = own.length - (this.options.missing === 'bin' ? 1 : 2);
        if (!Number.isInteger(b) || b < 0 || b > last) refuseBin(b, Math.floor(k / features), k % features);
        return b === own.length - 1 ? Number.NaN : (own[b] + own[b + 1]) * 0.5;
      }),
    );
  }

  /** `x0_0.0`, `x0_1.0`, … for one column per bin; the names of the features where bins are numbers. */
  namesOut(bins: Bins, names: readonly string[]): string[] {
    if (this.options.encode === 'ordinal') return [...names];
    const [counts, widths] = [binCounts(bins), this.widths(bins)];
    return names.flatMap((name, j) =>
      Array.from({ length: widths[j] }, (_, b) => `${name}_${b < counts[j] ? `${b}.0` : 'nan'}`),
    );
  }

  save(bins: Bins): Pick<State, 'learned' | 'arrays'> {
    const arrays = Object.fromEntries(bins.edges.map((edges, j) => [`edges.${j}`, tensor(edges)]));
    return { learned: saveColumns(bins), arrays };
  }

  revive(state: State): Bins {
    return readBins(state);
  }

  /** Output columns of every feature. */
  private widths(bins: Bins): Int32Array {
    const more = this.options.missing === 'bin' ? 1 : 0;
    return binCounts(bins).map((count) => count + more);
  }

  private readCodes(bins: Bins, X: Features): Matrix {
    if (this.options.encode === 'ordinal') {
      const { rows, features, x } = toDense(readFeatures(X, { features: bins.features }).rows);
      return new Matrix(rows, features, x);
    }
    const widths = this.widths(bins);
    const features = widths.reduce((sum, width) => sum + width, 0);
    const { rows } = readFeatures(X, { sparse: true, features });
    return hottest(new Matrix(rows.rows, features, toDense(rows).x), widths);
  }
}

/** Rows of numbers, with the names of their columns. */
export function readCells(
  X: Features,
  missing: boolean,
  known?: ColumnNames,
): DenseRows & { readonly names: readonly string[] | undefined } {
  const input = readFeatures(X, { missing, names: known?.names, features: known?.features });
  return { ...toDense(input.rows), names: input.names };
}

function refuseBin(bin: number, row: number, column: number): never {
  return refuse('E_VALUE_RANGE', `row ${row}, column ${column}: there is no bin ${bin}`, { row, column, actual: bin });
}
