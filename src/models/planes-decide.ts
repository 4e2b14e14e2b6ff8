import { APART } from '../core/posterior.ts';
import { denseKernels, lay } from '../math/dense.ts';
import { rowsAtOnce } from './images.ts';
import { linearWeights, type Planes } from './linear-discriminant.ts';

/** Planes made ready for many rows: one weight for each class and feature. Classes are padded to a pair. */
interface Ready {
  readonly width: number;
  readonly weights: Float64Array; // feature-major: weights[j * width + c]
  readonly start: Float64Array;
  /** Σₖ |m_k| |A_kj| of the class where it is largest: how far rounding reaches by what a row has of feature j. */
  readonly reach: Float64Array;
  /** How far rounding reaches for a row in the middle. */
  readonly rest: number;
}

const known = new WeakMap<Planes, Ready>();

/** Planes are never changed, so what was made ready stays so. */
function readyOf(planes: Planes): Ready {
  const before = known.get(planes);
  if (before) return before;
  const { classes, features, logPrior, centres, whitening } = planes;
  const { rank, rows } = whitening;
  const width = classes + (classes & 1);
  const byClass = linearWeights(planes);
  const weights = new Float64Array(features * width);
  const start = new Float64Array(width).fill(-Infinity);
  const reach = new Float64Array(features);
  let rest = 0;
  for (let c = 0; c < classes; c++) {
    let square = 0;
    for (let k = 0; k < rank; k++) square += centres[c * rank + k] * centres[c * rank + k];
    start[c] = logPrior[c] - 0.5 * square;
    rest = Math.max(rest, Math.abs(logPrior[c]) + square);
    for (let j = 0; j < features; j++) {
      weights[j * width + c] = byClass[c * features + j];
      let far = 0;
      for (let k = 0; k < rank; k++) far += Math.abs(centres[c * rank + k] * rows[k * features + j]);
      reach[j] = Math.max(reach[j], far);
    }
  }
  const ready = { width, weights, start, reach, rest };
  known.set(planes, ready);
  return ready;
}

/**
 * The class of each row by ln π_c + w_cᵀ(x − x̄) − ½‖m_c‖², one product where `linearDecisions` needs two. The two round differently;
 * a row whose best classes are nearer than both roundings reach is −1 and left to the other. Undefined where the kernels are
 * missing, a class has no prior, or a cell is larger than `limit` or no number.
 */
export function decideByPlanes(
  planes: Planes,
  rows: number,
  x: Float64Array,
  limit: number,
): Int32Array<ArrayBuffer> | undefined {
  const { classes, features, origin, whitening } = planes;
  const kernels = denseKernels();
  const { width, weights, start, reach, rest } = readyOf(planes);
  if (!kernels || !Number.isFinite(rest)) return undefined;
  const block = rowsAtOnce(Math.max(features, width));
  const lengths = [
    features,
    weights.length,
    width,
    features,
    4 * features,
    block * features,
    block * width,
    block,
    block,
  ];
  const views = lay(kernels, ...lengths);
  if (!views) return undefined;
  for (const [k, array] of [origin, weights, start, reach].entries()) views[k].set(array);
  const [o, w, s, r, d, cells, scores, margins, codes] = views.map(({ byteOffset }) => byteOffset);
  const chosen = new Int32Array(codes ? rows : 0);
  const found = new Int32Array(kernels.memory.buffer, codes, block);
  // each of two scores by each of two ways, every sum with as many roundings as it has terms
  const unit = 2 * 4 * (features + whitening.rank + 8) * 2 ** -53;
  for (let from = 0; from < rows; from += block) {
    const some = Math.min(block, rows - from);
    views[5].set(x.subarray(from * features, (from + some) * features));
    if (!kernels.within(some * features, cells, limit)) return undefined;
    kernels.planes(some, features, width, cells, o, w, s, r, unit, APART + unit * rest, d, scores, margins);
    kernels.decide(some, width, classes, scores, margins, codes);
    chosen.set(found.subarray(0, some), from);
  }
  return chosen;
}
