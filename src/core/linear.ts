import { type Rows, type Shape, type SparseRows, toSparse } from '../data/batch.ts';
import { drawExponential } from '../math/draws.ts';
import type { Generator } from '../math/generator.ts';
import { plainKernels } from '../math/kernel-bodies.ts';
import { codesIn, lastingWorkspace, type Workspace } from '../math/kernels.ts';
import { firstAbove } from '../math/search.ts';
import type { Terms } from './model.ts';

/**
 * Parameters of a score that is linear in the cells: score[c] = start[c] + Σⱼ xⱼ w[j,c]. The weights are feature-major,
 * so those of one word for all classes are adjacent: scoring 7532 documents with 130 107 words for 20 classes takes 82
 * ms, class-major 402 ms.
 */
export interface Linear extends Shape {
  readonly logPrior: Float64Array;
  readonly weights: Float64Array; // weights[j * classes + c]
}

type Weights = Pick<Linear, 'classes' | 'logPrior' | 'weights'>;

/** The number of cells and scores passed to the kernel at once, chosen to stay in the processor's cache. */
const BLOCK = 16_384;

/**
 * Weights in the kernel's memory, followed by space for a block of rows. Before the copy is made: the number of cells
 * scored so far. Weights never change, so one copy lasts their lifetime.
 */
const copies = new WeakMap<Float64Array, Workspace | number>();

/**
 * The copy of the weights, made once scoring has cost as much as copying; undefined before that and without
 * WebAssembly. A copy takes as long as deriving the weights, so it would slow down a model that alternates learning and
 * scoring one row by half.
 */
function copyOf({ classes, logPrior, weights }: Weights, cells: number): Workspace | undefined {
  const before = copies.get(weights) ?? 0;
  if (typeof before === 'object') return before;
  const scored = before + cells;
  if (scored < BLOCK || scored * 8 < weights.length) {
    copies.set(weights, scored);
    return undefined;
  }
  const rows = Math.ceil(BLOCK / 2);
  const copy = lastingWorkspace(classes, weights.length, rows, rows, BLOCK, Math.max(BLOCK, classes));
  copies.set(weights, copy ?? -Infinity);
  copy?.arrays[0].set(logPrior);
  copy?.arrays[1].set(weights);
  return copy;
}

/** out[i,c] = start[c] + Σⱼ xⱼ w[j,c] over the non-zero cells, in the order of the columns. */
export function scoreLinear(linear: Weights, rows: Rows, out: Float64Array): void {
  const cells = toSparse(rows);
  const { indptr } = cells;
  const copy = copyOf(linear, indptr[cells.rows] - indptr[0]);
  const most = Math.max(1, Math.floor(BLOCK / linear.classes));
  for (let from = 0; from < cells.rows; ) {
    let to = from + 1;
    while (to < cells.rows && to - from < most && indptr[to + 1] - indptr[from] <= BLOCK) to++;
    scoreBlock(linear, cells, from, to, out, copy);
    from = to;
  }
}

/** Scores rows from `from` to `to`. They fit into one block, except for a single row that is longer. */
function scoreBlock(
  { classes, logPrior, weights }: Weights,
  { indptr, indices, values }: SparseRows,
  from: number,
  to: number,
  out: Float64Array,
  copy: Workspace | undefined,
): void {
  const [first, last, rows] = [indptr[from], indptr[to], to - from];
  const [columns, cells] = [indices.subarray(first, last), values.subarray(first, last)];
  const scores = out.subarray(from * classes, to * classes);
  if (!copy || cells.length > BLOCK) {
    const ends = indptr.slice(from + 1, to + 1);
    for (let i = 0; i < rows; i++) ends[i] -= first;
    plainKernels.linear(rows, classes, ends, columns, cells, weights, logPrior, scores);
    return;
  }
  const [start, laid, ends, places, numbers, found] = copy.arrays;
  const [ownEnds, ownColumns] = [codesIn(ends), codesIn(places)];
  for (let i = 0; i < rows; i++) ownEnds[i] = indptr[from + i + 1] - first;
  ownColumns.set(columns);
  numbers.set(cells);
  copy.kernels.linear(rows, classes, ownEnds, ownColumns, numbers, laid, start, found);
  scores.set(found.subarray(0, scores.length));
}

/** The terms xⱼ w[j,c] of the features that are present; absent ones add nothing. */
export function linearTerms({ classes, weights }: Linear, rows: Rows, i: number): Terms {
  const { indptr, indices, values } = toSparse(rows);
  const present = indices.slice(indptr[i], indptr[i + 1]);
  const terms = new Float64Array(present.length * classes);
  for (let f = 0; f < present.length; f++) {
    for (let c = 0; c < classes; c++) {
      terms[f * classes + c] = values[indptr[i] + f] * weights[present[f] * classes + c];
    }
  }
  return { features: present, terms, rest: new Float64Array(classes) };
}

/** The weights of a feature-major table as class-major rows, one per class. */
export function byClass(weights: Float64Array, classes: number, features: number): Float64Array {
  const turned = new Float64Array(weights.length);
  for (let c = 0; c < classes; c++) {
    for (let j = 0; j < features; j++) turned[c * features + j] = weights[j * classes + c];
  }
  return turned;
}

/**
 * Draws n times from a categorical distribution and counts the outcomes in `row`. The shares need not sum to 1; if all
 * are zero nothing is drawn.
 */
export function rollInto(row: Float64Array, shares: Float64Array, n: number, random: Generator): void {
  row.fill(0);
  let total = 0;
  const below = shares.map((share) => (total += share)).subarray(0, -1);
  if (total > 0) for (let roll = 0; roll < n; roll++) row[firstAbove(below, random.uniform() * total)]++;
}

/** Draws the length of a document from a Poisson distribution with this mean, one word at a time. */
export function drawLength(random: Generator, mean: number): number {
  let length = -1;
  for (let time = 0; time <= mean; time += drawExponential(random)) length++;
  return Math.max(0, length);
}
