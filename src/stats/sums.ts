import type { Statistic } from '../core/model.ts';
import { type Batch, isSparse, type Shape, type SparseRows } from '../data/batch.ts';
import { type Cells, type Plus, plainly, withTwin } from './additive.ts';

/**
 * Sums by class: n[c] = Σᵢ wᵢ [yᵢ = c] and s[c,j] = Σᵢ wᵢ xᵢⱼ [yᵢ = c], over the cells that are not missing; m[c,j] =
 * Σᵢ wᵢ [yᵢ = c, xᵢⱼ missing], if the shape allows missing cells. Sufficient for Bernoulli, multinomial and Poisson
 * features. Merging is addition.
 */
export interface Sums extends Shape {
  readonly n: Float64Array; // one cell per class
  readonly s: Float64Array; // class-major: s[c * features + j]
  readonly m: Float64Array; // class-major like s, or empty
}

type SumCells = Readonly<Record<string, Cells>>;

const addSums = (plus: Plus) => {
  const addCell = ({ s, m }: SumCells, cell: number, weight: number, value: number) => {
    if (Number.isNaN(value)) plus(m, cell, weight);
    else plus(s, cell, weight * value);
  };
  return (cells: SumCells, batch: Batch): void => {
    const { rows, features, y, w } = batch;
    for (let i = 0; i < rows; i++) plus(cells.n, y[i], w[i]);
    if (isSparse(batch)) {
      const { indptr, indices, values } = batch;
      for (let i = 0; i < rows; i++) {
        for (let k = indptr[i]; k < indptr[i + 1]; k++) addCell(cells, y[i] * features + indices[k], w[i], values[k]);
      }
    } else {
      const { x } = batch;
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < features; j++) addCell(cells, y[i] * features + j, w[i], x[i * features + j]);
      }
    }
  };
};

/** `addSums` for plain numbers, without a call for every cell. */
function addPlainly({ n, s, m }: Sums, batch: Batch): void {
  const { rows, features, y, w } = batch;
  for (let i = 0; i < rows; i++) n[y[i]] += w[i];
  if (isSparse(batch)) addSparse(s, m, batch, batch);
  else {
    const { x } = batch;
    for (let i = 0; i < rows; i++) {
      const weight = w[i];
      const to = (y[i] - i) * features;
      for (let k = i * features; k < (i + 1) * features; k++) {
        if (Number.isNaN(x[k])) m[to + k] += weight;
        else s[to + k] += weight * x[k];
      }
    }
  }
}

/** The number of cells, 3 MB, that stay in the cache until the rows of every class were added. */
const CELLS = 1 << 18;

/**
 * Adds rows class by class, so that the sums of a class stay in the cache. Long matrices are split into blocks of rows,
 * so that the rows do too. A block may have as many cells as there are sums, because those are reloaded for every block.
 * The rows of a class keep their order, so every sum is identical to adding row by row, bit for bit.
 */
function addSparse(s: Float64Array, m: Float64Array, batch: Batch, cells: SparseRows): void {
  const { rows, indptr } = cells;
  const most = Math.max(CELLS, s.length);
  for (let from = 0, to = 0; from < rows; from = to) {
    do to++;
    while (to < rows && indptr[to + 1] - indptr[from] <= most);
    addBlock(s, m, batch, cells, rowsByClass(batch.y, from, to));
  }
}

/** Adds rows in the order of their classes. */
function addBlock(s: Float64Array, m: Float64Array, { y, w }: Batch, cells: SparseRows, order: Uint32Array): void {
  const { features, indptr } = cells;
  for (let from = 0, to = 0; from < order.length; from = to) {
    const at = y[order[from]] * features;
    let many = 0;
    for (; to < order.length && y[order[to]] * features === at; to++) many += indptr[order[to] + 1] - indptr[order[to]];
    const own = s.subarray(at, at + features);
    // if every sum is used about once, a copy in a cached buffer takes a third of the time
    const sums = many < features ? own : near(own);
    addRows(sums, m, at, w, cells, order.subarray(from, to));
    if (sums !== own) own.set(sums);
  }
}

let place = new Float64Array(0);

/** A copy in a reused buffer. */
function near(sums: Float64Array): Float64Array {
  if (place.length < sums.length) place = new Float64Array(sums.length);
  place.set(sums);
  return place.subarray(0, sums.length);
}

/** Adds rows of one class to its sums; those of its missing cells begin at `gap`. */
function addRows(
  sums: Float64Array,
  m: Float64Array,
  gap: number,
  w: Float64Array,
  { indptr, indices, values }: SparseRows,
  rows: Uint32Array,
): void {
  for (let n = 0; n < rows.length; n++) {
    const i = rows[n];
    const weight = w[i];
    const end = indptr[i + 1];
    for (let k = indptr[i]; k < end; k++) {
      const value = values[k];
      if (Number.isNaN(value)) m[gap + indices[k]] += weight;
      else sums[indices[k]] += weight * value;
    }
  }
}

/** The indices of the rows [from … to) by class, in order. */
export function rowsByClass(y: Batch['y'], from = 0, to: number = y.length): Uint32Array {
  let classes = 0;
  for (let i = from; i < to; i++) if (y[i] >= classes) classes = y[i] + 1;
  const next = new Uint32Array(classes + 1);
  for (let i = from; i < to; i++) next[y[i] + 1]++;
  for (let c = 0; c < classes; c++) next[c + 1] += next[c];
  const order = new Uint32Array(to - from);
  for (let i = from; i < to; i++) order[next[y[i]]++] = i;
  return order;
}

const arrays = { n: ['classes'], s: ['classes', 'features'], m: ['classes', 'gaps'] } as const;
const outline = { name: 'sums', arrays, counts: ['n', 's', 'm'], sparse: true } as const;

/** Σw and Σwx by class. */
export const sums: Statistic<Sums> = /* @__PURE__ */ withTwin(
  { ...outline, add: addSums },
  /* @__PURE__ */ plainly<Sums>(outline, addPlainly),
);
