import type { ExactStats } from '../core/model.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { partsOf, roundExpansion, twoProduct } from '../math/exact.ts';
import type { AdditiveSpec, Cells, Plus } from './additive.ts';
import { roundCells } from './exact.ts';
import { triangleCell } from './layout.ts';
import { combineScaled } from './powers.ts';
import type { Quartic } from './quartic.ts';

/** The exact product of an expansion and a number, as a list of parts. */
const times = (parts: readonly number[], factor: number) => parts.flatMap((part) => twoProduct(part, factor));

/** The sums of Σw, Σwx, Σwxⱼxₖ, Σwxⱼ²xₖ and Σwxⱼ²xₖ² without rounding: what the exact twin of quartic keeps. */
export const monomials: AdditiveSpec = {
  name: 'quartic',
  arrays: {
    n: ['classes'],
    x1: ['classes', 'features'],
    x2: ['classes', 'triangle'],
    x3: ['classes', 'features', 'features'],
    x4: ['classes', 'triangle'],
  },
  counts: ['n'],
  sparse: false,
  add:
    (plus: Plus) =>
    ({ n, x1, x2, x3, x4 }: Readonly<Record<string, Cells>>, batch: Batch): void => {
      const { rows, features, y, w } = batch;
      const { x } = toDense(batch);
      for (let i = 0; i < rows; i++) {
        plus(n, y[i], w[i]);
        let cell = y[i] * triangleCell(features, 0);
        for (let j = 0; j < features; j++) {
          const value = x[i * features + j];
          const first = twoProduct(w[i], value);
          const square = times(first, value);
          for (const part of first) plus(x1, y[i] * features + j, part);
          for (let k = 0; k < features; k++) {
            const other = x[i * features + k];
            const third = times(square, other);
            for (const part of third) plus(x3, (y[i] * features + j) * features + k, part);
            if (k > j) continue;
            for (const part of times(first, other)) plus(x2, cell, part);
            for (const part of times(third, other)) plus(x4, cell, part);
            cell++;
          }
        }
      }
    },
};

/** Σ w xⱼᵐ xₖˡ of one class as an exact sum, for m, l ≤ 2. */
type Moment = (m: number, l: number) => readonly number[];

/** Σ w (xⱼ − a)ʳ (xₖ − b)ˢ xⱼᵐ xₖˡ: one factor after the other is multiplied out, exactly. */
function about(moment: Moment, a: number, b: number, r: number, s: number, m = 0, l = 0): readonly number[] {
  if (r > 0) {
    const lower = about(moment, a, b, r - 1, s, m, l);
    return combineScaled([...about(moment, a, b, r - 1, s, m + 1, l)], lower, -a);
  }
  if (s > 0) {
    const lower = about(moment, a, b, r, s - 1, m, l);
    return combineScaled([...about(moment, a, b, r, s - 1, m, l + 1)], lower, -b);
  }
  return moment(m, l);
}

/** Exact monomials into an empty quartic, about the rounded means. */
export function roundMonomials({ classes, features, cells }: ExactStats, to: Quartic): Quartic {
  const { n, x1, x2, x3, x4 } = cells;
  const pairs = triangleCell(features, 0);
  to.n.set(roundCells(n));
  for (let c = 0; c < classes; c++) {
    if (to.n[c] === 0) continue;
    const at = c * features;
    for (let j = 0; j < features; j++) to.shift[at + j] = roundExpansion(partsOf(x1[at + j])) / to.n[c];
    for (let j = 0; j < features; j++) {
      for (let k = 0; k < features; k++) {
        const pair = c * pairs + triangleCell(Math.max(j, k), Math.min(j, k));
        const square = (q: number) => x2[c * pairs + triangleCell(q, q)];
        const table = [
          [n[c], x1[at + k], square(k)],
          [x1[at + j], x2[pair], x3[(at + k) * features + j]],
          [square(j), x3[(at + j) * features + k], x4[pair]],
        ];
        const moment: Moment = (m, l) => partsOf(table[m][l]);
        const [a, b] = [to.shift[at + j], to.shift[at + k]];
        to.s3[(at + j) * features + k] = roundExpansion(about(moment, a, b, 2, 1));
        if (k > j) continue;
        to.s2[pair] = roundExpansion(about(moment, a, b, 1, 1));
        to.s4[pair] = roundExpansion(about(moment, a, b, 2, 2));
        if (k === j) to.s1[at + j] = roundExpansion(about(moment, a, b, 1, 0));
      }
    }
  }
  return to;
}
