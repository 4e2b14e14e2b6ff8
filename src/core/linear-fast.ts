import type { SparseRows } from '../data/batch.ts';
import { type DenseExports, newDenseKernels } from '../math/dense.ts';
import type { Linear } from './linear.ts';

/** Weights that lie in the memory of kernels of their own, with room behind them for a block of rows. */
interface Laid {
  readonly kernels: DenseExports;
  readonly start: number;
  readonly weights: number;
  readonly block: number;
}

/** Weights are never changed, so they stay where they lie. Before that: how many cells they have scored. */
const known = new WeakMap<Float64Array, Laid | number>();

const BEGIN = 1024;
/** So many cells and scores are handed over at once: they stay near the processor. */
const BLOCK = 16_384;
/** Larger tables are not worth their place in memory twice. */
const MOST_WEIGHTS = 1 << 24;

type Scoring = Pick<Linear, 'classes' | 'logPrior' | 'weights'>;

function layWeights({ classes, logPrior, weights }: Scoring): Laid | null {
  const kernels = newDenseKernels();
  if (!kernels) return null;
  const place = BEGIN + 8 * classes;
  const block = place + 8 * weights.length;
  const size = block + BLOCK * (4 + 4 + 8 + 8);
  try {
    kernels.memory.grow(Math.ceil((size - kernels.memory.buffer.byteLength) / 65_536));
  } catch {
    return null;
  }
  new Float64Array(kernels.memory.buffer, BEGIN, classes).set(logPrior);
  new Float64Array(kernels.memory.buffer, place, weights.length).set(weights);
  return { kernels, start: BEGIN, weights: place, block };
}

/** Fewer rows are scored in less time than it takes to make a memory, unless so many cells were scored before. */
const LEAST_ROWS = 16;
const LEAST_CELLS = 16_384;

/** The weights in a memory of kernels, once they have scored so many cells that their way there is paid. */
function laidWeights(linear: Scoring, cells: number, rows: number): Laid | undefined {
  const { weights } = linear;
  const before = known.get(weights) ?? 0;
  if (typeof before === 'object') return before;
  const scored = before + cells;
  const soon = scored * 8 < weights.length || (rows < LEAST_ROWS && scored < LEAST_CELLS);
  const laid = soon ? undefined : layWeights(linear);
  known.set(weights, laid ?? (laid === null ? -Infinity : scored));
  return laid ?? undefined;
}

/** What lies where in the room for a block of rows. */
const places = (block: number) => ({
  scores: block,
  cells: block + BLOCK * 8,
  columns: block + BLOCK * 16,
  ends: block + BLOCK * 20,
});

/** Scores as the plain loop does, bit for bit, in WebAssembly; answers whether it was done. */
export function scoreFast(linear: Scoring, rows: SparseRows, out: Float64Array): boolean {
  const { classes, weights } = linear;
  if (weights.length > MOST_WEIGHTS || classes > 1024 || longest(rows) > BLOCK) return false;
  const laid = laidWeights(linear, rows.indptr[rows.rows] - rows.indptr[0], rows.rows);
  if (!laid) return false;
  const most = Math.floor(BLOCK / classes);
  for (let from = 0; from < rows.rows; ) {
    let to = from + 1;
    while (to < rows.rows && to - from < most && rows.indptr[to + 1] - rows.indptr[from] <= BLOCK) to++;
    scoreBlock(laid, classes, rows, from, to, out);
    from = to;
  }
  return true;
}

function longest({ rows, indptr }: SparseRows): number {
  let most = 0;
  for (let i = 0; i < rows; i++) if (indptr[i + 1] - indptr[i] > most) most = indptr[i + 1] - indptr[i];
  return most;
}

function scoreBlock(
  { kernels, start, weights, block }: Laid,
  classes: number,
  { indptr, indices, values }: SparseRows,
  from: number,
  to: number,
  out: Float64Array,
): void {
  const { buffer } = kernels.memory;
  const [first, last] = [indptr[from], indptr[to]];
  const { scores, cells, columns, ends } = places(block);
  const own = new Uint32Array(buffer, ends, to - from);
  for (let i = 0; i < own.length; i++) own[i] = indptr[from + i + 1] - first;
  new Uint32Array(buffer, columns, last - first).set(indices.subarray(first, last));
  new Float64Array(buffer, cells, last - first).set(values.subarray(first, last));
  kernels.linear(to - from, classes, ends, columns, cells, weights, start, scores);
  out.set(new Float64Array(buffer, scores, (to - from) * classes), from * classes);
}
