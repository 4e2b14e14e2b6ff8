import { aligned } from './cells.ts';
import { column, type Frame, partOf, unreported } from './frame.ts';
import { type ByClass, byClass, presentOf, weighedSum } from './grouped.ts';
import { betterPivot, type ColumnMoments, firstPivots, MOST_ROUNDS, type Pivot, pivotOf, pivotText } from './pivots.ts';
import { wordsOf } from './words.ts';

/** Products of distances by class, in the order of the labels: arrays are class-major, pairs j ≥ k as in `scatter`. */
export interface Products {
  readonly labels: readonly string[];
  readonly n: Float64Array;
  /** The weight of the rows whose cell is present, class-major. */
  readonly present: Float64Array;
  readonly shift: Float64Array;
  readonly s1: Float64Array;
  readonly s2: Float64Array;
  /** Σ dⱼ² dₖ for all j and k, and Σ dⱼ² dₖ² for j ≥ k, if requested; otherwise empty. */
  readonly s3: Float64Array;
  readonly s4: Float64Array;
  /**
   * The weight of the rows that lack j or k, and Σ dⱼ over the rows with j and without k, if cells may be missing;
   * otherwise empty.
   */
  readonly m: Float64Array;
  readonly o1: Float64Array;
}

/** What is added up besides the sums of all products. */
export type Beyond = 'fourth powers' | 'gaps' | undefined;

/** The number of aggregates in one query. */
const AGGREGATES_AT_ONCE = 1000;

/** Sums of products of columns about pivots near the means; those of the fourth order, or what missing cells leave out. */
export async function countProducts(frame: Frame, cells: readonly string[], beyond: Beyond): Promise<Products> {
  let pivots = await firstPivots(frame, cells);
  for (let round = 1; ; round++) {
    const products = await sumProducts(round === 1 ? frame : unreported(frame), cells, pivots, beyond);
    const better = round < MOST_ROUNDS ? betterPivots(products, pivots) : undefined;
    if (!better) return products;
    pivots = better;
  }
}

async function sumProducts(
  frame: Frame,
  cells: readonly string[],
  pivots: readonly Pivot[],
  beyond: Beyond,
): Promise<Products> {
  const d = cells.length;
  const aggregates = aggregatesOf(frame, pivots, beyond);
  const parts: ByClass[] = [];
  for (let from = 0; from < aggregates.length; from += AGGREGATES_AT_ONCE) {
    const own = partOf(frame, from / AGGREGATES_AT_ONCE, Math.ceil(aggregates.length / AGGREGATES_AT_ONCE));
    const part = await byClass(own, cells, aggregates.slice(from, from + AGGREGATES_AT_ONCE));
    parts.push(parts.length > 0 ? aligned(part, parts[0].labels) : part);
  }
  const { labels } = parts[0];
  const all = parts.flatMap(({ values: [, ...values] }) => values);
  let at = 0;
  const take = (count: number) => {
    const lists = all.slice(at, (at += count));
    const array = new Float64Array(labels.length * count);
    for (const [k, list] of lists.entries()) for (let c = 0; c < labels.length; c++) array[c * count + k] = list[c];
    return array;
  };
  const pairs = (d * (d + 1)) / 2;
  const shift = Float64Array.from(labels.flatMap((label) => pivots.map((pivot) => pivotOf(pivot, label))));
  const n = parts[0].values[0];
  const [quartic, gaps] = [beyond === 'fourth powers', beyond === 'gaps'];
  return {
    labels,
    n,
    shift,
    ...{ present: take(d), s1: take(d), s2: take(pairs) },
    ...{ s3: take(quartic ? d * d : 0), s4: take(quartic ? pairs : 0) },
    m: take(gaps ? pairs : 0).map((both, at) => Math.max(0, n[Math.floor(at / pairs)] - both)),
    o1: take(gaps ? d * d : 0),
  };
}

function aggregatesOf(frame: Frame, pivots: readonly Pivot[], beyond: Beyond): string[] {
  const xs = pivots.map((_, j) => column(frame, `x${j}`));
  const ds = pivots.map((pivot, j) => `(${xs[j]} - ${pivotText(frame, pivot)})`);
  const sum = (value: string) => weighedSum(frame, value);
  const { product } = wordsOf(frame.engine.dialect);
  const pairs = ds.flatMap((dj, j) => ds.slice(0, j + 1).map((dk) => [dj, dk] as const));
  return [
    ...xs.map((x) => presentOf(frame, x)),
    ...ds.map(sum),
    ...pairs.map(([dj, dk]) => sum(product(dj, dk))),
    ...(beyond === 'fourth powers' ? ds.flatMap((dj) => ds.map((dk) => sum(product(dj, dj, dk)))) : []),
    ...(beyond === 'fourth powers' ? pairs.map(([dj, dk]) => sum(product(dj, dj, dk, dk))) : []),
    ...(beyond === 'gaps'
      ? xs.flatMap((xj, j) => xs.slice(0, j + 1).map((xk) => presentOf(frame, `${xj} + ${xk}`)))
      : []),
    ...(beyond === 'gaps' ? ds.flatMap((dj) => xs.map((xk) => sum(`CASE WHEN ${xk} IS NULL THEN ${dj} END`))) : []),
  ];
}

/** The moments of column j alone. */
export function momentsAt({ n, present, shift, s1, s2 }: Products, j: number): ColumnMoments {
  const d = present.length / n.length;
  const pick = (from: Float64Array, width: number, at: number) => n.map((_, c) => from[c * width + at]);
  const square = pick(s2, (d * (d + 1)) / 2, (j * (j + 3)) / 2);
  return { present: pick(present, d, j), shift: pick(shift, d, j), s1: pick(s1, d, j), s2: square };
}

/** Pivots at the means of the classes that are far from theirs; undefined if there are none. */
function betterPivots(products: Products, pivots: readonly Pivot[]): Pivot[] | undefined {
  const better = pivots.map((pivot, j) => betterPivot(products.labels, pivot, momentsAt(products, j)));
  return better.some(Boolean) ? better.map((pivot, j) => pivot ?? pivots[j]) : undefined;
}
