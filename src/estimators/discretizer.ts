import type { State } from '../core/artifact.ts';
import { choice, type OptionSpec } from '../core/options.ts';
import { type DenseRows, toDense } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { binOf } from '../features/bins.ts';
import { hottest, type Numbers, oneHot } from '../features/columns.ts';
import { damaged, readColumns, SavedArrays, saveColumns, tensor } from './persist.ts';
import { type Columns, Transformer } from './transformer.ts';

/** Options of all that puts numbers into bins. */
export const binning = {
  /** Bins as sparse or dense columns of 0 and 1, or as the number of the bin. */
  encode: choice(['onehot', 'onehot-dense', 'ordinal'], {
    default: 'onehot',
  }),
  /** What NaN and null are: a mistake, or a bin of their own, the last of each feature. */
  missing: choice(['error', 'bin'], {
    default: 'error',
  }),
} as const;

/** Learned bins: ascending edges of every feature. */
export interface Bins extends Columns {
  readonly edges: readonly Float64Array[];
}

/** What numbers are put into bins by: bin b of feature j holds edges[j][b] ≤ x < edges[j][b + 1], the outer bins all beyond. */
export abstract class Discretizer<Spec extends OptionSpec & typeof binning> extends Transformer<
  Spec,
  Bins,
  Features,
  Numbers
> {
  /** The edges of the bins of every feature. */
  get binEdges(): Float64Array[] {
    return this.fitted().edges.map((edges) => edges.slice());
  }

  /** The number of bins of every feature, the bin of missing values not among them. */
  get nBins(): Int32Array {
    return Int32Array.from(this.fitted().edges, (edges) => edges.length - 1);
  }

  /** The bin of every cell, in the encoding that was asked for. */
  transform(X: Features): Numbers {
    const { edges } = this.fitted();
    const { rows, features, x } = this.readRows(X, this.fitted());
    const codes = new Matrix(rows, features);
    for (let k = 0; k < x.length; k++) {
      const own = edges[k % features];
      codes.data[k] = Number.isNaN(x[k]) ? own.length - 1 : binOf(own, x[k]);
    }
    if (this.params.encode === 'ordinal') return codes;
    return oneHot(codes, this.widths(), this.params.encode === 'onehot');
  }

  /** The middle of the bin of every cell; NaN for the missing bin and for a bin without end. */
  inverseTransform(X: Features): Matrix {
    const { edges, features } = this.fitted();
    const codes = this.readCodes(X);
    return new Matrix(
      codes.rows,
      features,
      codes.data.map((b, k) => {
        const own = edges[k % features];
        const last = own.length - (this.params.missing === 'bin' ? 1 : 2);
        if (!Number.isInteger(b) || b < 0 || b > last) refuseBin(b, Math.floor(k / features), k % features);
        return b === own.length - 1 ? Number.NaN : (own[b] + own[b + 1]) * 0.5;
      }),
    );
  }

  /** `x0_0.0`, `x0_1.0`, … for one column per bin; the names of the features where bins are numbers. */
  getFeatureNamesOut(inputFeatures?: readonly string[]): string[] {
    const names = this.namesIn(inputFeatures);
    if (this.params.encode === 'ordinal') return [...names];
    const bins = this.nBins;
    return names.flatMap((name, j) =>
      Array.from({ length: this.widths()[j] }, (_, b) => `${name}_${b < bins[j] ? `${b}.0` : 'nan'}`),
    );
  }

  protected readRows(X: Features, known?: Columns): DenseRows & { readonly names: readonly string[] | undefined } {
    const missing = this.params.missing === 'bin';
    const input = readFeatures(X, { missing, names: known?.names, features: known?.features });
    return { ...toDense(input.rows), names: input.names };
  }

  protected save(bins: Bins): Pick<State, 'learned' | 'arrays'> {
    const arrays = Object.fromEntries(bins.edges.map((edges, j) => [`edges.${j}`, tensor(edges)]));
    return { learned: saveColumns(bins), arrays };
  }

  protected revive(state: State): Bins {
    const columns = readColumns(state);
    const arrays = new SavedArrays(state);
    if (Object.keys(state.arrays).length !== columns.features) damaged('its number of features is wrong');
    const edges = Array.from({ length: columns.features }, (_, j) => arrays.take(`edges.${j}`));
    arrays.close();
    const ascend = (own: Float64Array) => own.every((edge, b) => b === 0 || edge >= own[b - 1]);
    if (!edges.every((own) => own.length >= 2 && ascend(own))) damaged('its bins are not in order');
    return { ...columns, edges };
  }

  /** Output columns of every feature. */
  private widths(): Int32Array {
    const more = this.params.missing === 'bin' ? 1 : 0;
    return this.nBins.map((bins) => bins + more);
  }

  private readCodes(X: Features): Matrix {
    if (this.params.encode === 'ordinal') {
      const { rows, features, x } = toDense(readFeatures(X, { features: this.fitted().features }).rows);
      return new Matrix(rows, features, x);
    }
    const widths = this.widths();
    const features = widths.reduce((sum, width) => sum + width, 0);
    const { rows } = readFeatures(X as Matrix | SparseMatrix, { sparse: true, features });
    return hottest(new Matrix(rows.rows, features, toDense(rows).x), widths);
  }
}

function refuseBin(bin: number, row: number, column: number): never {
  return refuse('E_VALUE_RANGE', `row ${row}, column ${column}: there is no bin ${bin}`, { row, column, actual: bin });
}
