import { choice, flag, type OptionValues } from '../core/options.ts';
import { toDense } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import type { Numbers } from '../features/columns.ts';
import { readLabelled } from '../features/labelled.ts';
import { denseColumn } from '../features/levels.ts';
import { mdlCuts } from '../features/mdlp.ts';
import { Binning, binCounts, binning } from './discretizer.ts';
import type { Bins } from './saved-bins.ts';
import { Transformer } from './transformer.ts';

const spec = {
  /** Output encoding: sparse or dense columns of 0 and 1, or the index of the bin. Default: 'ordinal'. */
  encode: { ...binning.encode, default: 'ordinal' as const },
  /** The stopping rule for cuts. Default: 'fayyad-irani'. */
  criterion: choice(['fayyad-irani', 'kononenko'], { default: 'fayyad-irani' }),
  /** Count the possible cuts instead of one between every two rows. Default: false. */
  betterEncoding: flag({ default: false }),
  /** NaN and null: an error ('error'), or a bin of their own, the last of each feature ('bin'). Default: 'error'. */
  missing: binning.missing,
} as const;

/** Parameters of `MdlpDiscretizer`. */
export type MdlpDiscretizerOptions = Partial<OptionValues<typeof spec>>;

/**
 * Discretizes continuous features at cuts that separate the classes, as many as the minimum description length allows: Fayyad & Irani
 * (1993). An uninformative feature has one bin. Fit it inside each fold, because it uses the labels.
 */
export class MdlpDiscretizer extends Transformer<typeof spec, Bins, Features, Numbers, Matrix> {
  protected readonly rules: Binning = new Binning(this.params, (X, y, weights) =>
    learnCuts(this.params, X, y, weights),
  );

  constructor(options: MdlpDiscretizerOptions = {}) {
    super('MdlpDiscretizer', spec, options);
  }

  /** The edges of the bins of every feature. */
  get binEdges(): Float64Array[] {
    return this.fitted().edges.map((edges) => edges.slice());
  }

  /** The number of bins of every feature, the bin of missing values not among them. */
  get nBins(): Int32Array {
    return binCounts(this.fitted());
  }

  /** The cuts of every feature: the edges between its bins. */
  get cutPoints(): number[][] {
    return this.fitted().edges.map((edges) => Array.from(edges.subarray(1, -1)));
  }
}

/** Learns the cuts from labelled rows. */
function learnCuts(
  params: OptionValues<typeof spec>,
  X: Features,
  y: ArrayLike<Label> | undefined,
  sampleWeight: Weights | undefined,
): Bins {
  const missing = params.missing === 'bin';
  const { batch, classes, names } = readLabelled(X, y as ArrayLike<Label>, { missing }, sampleWeight);
  const { rows, features, x } = toDense(batch);
  const edges = Array.from({ length: features }, (_, j) => {
    const column = denseColumn(x, rows, features, j);
    const present = Uint32Array.from(column.keys()).filter((i) => !Number.isNaN(column[i]));
    if (present.length === 0) return Float64Array.of(-Infinity, Infinity);
    const values = Float64Array.from(present, (i) => column[i]);
    const codes = Int32Array.from(present, (i) => batch.y[i]);
    const weights = Float64Array.from(present, (i) => batch.w[i]);
    return withEnds(values, mdlCuts(values, codes, weights, classes.length, params));
  });
  return { features, names, edges };
}

/** The cuts between the least and the greatest value. */
function withEnds(values: Float64Array, cuts: Float64Array): Float64Array {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return Float64Array.from([least, ...cuts, most]);
}
