import type { Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { twoProduct } from '../math/exact.ts';
import { type Arrays, type Cells, inPlain, type Plus, plainly, requireEnough, takeAway, withTwin } from './additive.ts';

/**
 * Sums of functions of single cells, by class and feature:
 *
 *   n[c] = Σᵢ wᵢ,   t[c,j] = Σᵢ wᵢ T(xᵢⱼ) for each function T, over rows of class c with the cell        (1)
 *
 * m[c,j] is the weight of missing cells, if cells may be missing. Each T has an array of its name.
 */
export interface NaturalSums extends Shape {
  readonly n: Float64Array;
  readonly m: Float64Array;
}

/** Functions of a cell by name. */
export type CellFunctions = Readonly<Record<string, (x: number) => number>>;

/** The weight of the present cells of class c and feature j. */
export function weightAt({ n, m, features }: NaturalSums, c: number, j: number): number {
  return m.length === 0 ? n[c] : Math.max(0, n[c] - m[c * features + j]);
}

/** The sum of a function over the cells of class c and feature j. */
export function sumAt(stats: NaturalSums, name: string, c: number, j: number): number {
  return (stats as unknown as Arrays)[name][c * stats.features + j];
}

/** One loop for plain and exact sums; products with weights are split into their exact parts. */
const addCells =
  (functions: CellFunctions) =>
  (plus: Plus) =>
  (cells: Readonly<Record<string, Cells>>, batch: Batch): void => {
    const { rows, features, y, w } = batch;
    const { x } = toDense(batch);
    const named = Object.entries(functions).map(([name, of]) => [cells[name], of] as const);
    for (let i = 0; i < rows; i++) {
      plus(cells.n, y[i], w[i]);
      for (let j = 0; j < features; j++) {
        const cell = y[i] * features + j;
        const value = x[i * features + j];
        if (Number.isNaN(value)) plus(cells.m, cell, w[i]);
        else if (w[i] === 1) for (const [sums, of] of named) plus(sums, cell, of(value));
        else for (const [sums, of] of named) for (const part of twoProduct(w[i], of(value))) plus(sums, cell, part);
      }
    }
  };

/**
 * The statistic of the sums of some functions of a cell. Sums of functions in `signed` may be negative; the others
 * can't become negative by subtraction.
 */
export function naturalSums(
  name: string,
  functions: CellFunctions,
  signed: readonly string[] = [],
): Statistic<NaturalSums> {
  const sides = ['classes', 'features'] as const;
  const own = Object.keys(functions);
  const spec = {
    name,
    arrays: {
      n: ['classes'],
      m: ['classes', 'gaps'],
      ...Object.fromEntries(own.map((of) => [of, sides] as const)),
    } as const,
    counts: ['n', 'm'],
    sparse: false,
    add: addCells(functions),
  };
  const plain = plainly<NaturalSums>(spec, inPlain(spec.add));
  const subtract = (from: NaturalSums, what: NaturalSums) => {
    const [have, take] = [from as unknown as Arrays, what as unknown as Arrays];
    for (const of of ['n', 'm', ...own]) if (!signed.includes(of)) requireEnough(have[of], take[of], of);
    for (const of of ['n', 'm', ...own]) takeAway(have[of], take[of]);
    for (let cell = 0; cell < from.classes * from.features; cell++) {
      const gone = weightAt(from, Math.floor(cell / from.features), cell % from.features) === 0;
      if (gone) for (const of of own) have[of][cell] = 0; // the remainder of an empty sum is rounding
    }
  };
  return withTwin(spec, { ...plain, subtract });
}
