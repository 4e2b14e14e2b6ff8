import type { ExactStats } from '../core/model.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { addScaled, growExpansion, pairOf, twoProduct } from '../math/exact.ts';
import type { AdditiveSpec, Cells, Plus } from './additive.ts';
import { roundCells } from './exact.ts';
import type { Moments } from './moments.ts';

/** Adds Σwx and Σwx² without rounding: products are split into their exact parts. */
const addPowers =
  (plus: Plus) =>
  ({ n, m, x1, x2 }: Readonly<Record<string, Cells>>, batch: Batch): void => {
    const { rows, features, y, w } = batch;
    const { x } = toDense(batch);
    for (let i = 0; i < rows; i++) {
      plus(n, y[i], w[i]);
      for (let j = 0; j < features; j++) {
        const cell = y[i] * features + j;
        const value = x[i * features + j];
        if (Number.isNaN(value)) plus(m, cell, w[i]);
        else {
          for (const part of twoProduct(w[i], value)) plus(x1, cell, part);
          for (const part of twoProduct(value, value))
            for (const piece of twoProduct(w[i], part)) plus(x2, cell, piece);
        }
      }
    }
  };

/** The sums of powers Σw, Σwx, Σwx² by class and feature: the arrays of exact moments. */
export const powers: AdditiveSpec = {
  name: 'moments',
  arrays: { n: ['classes'], m: ['classes', 'gaps'], x1: ['classes', 'features'], x2: ['classes', 'features'] },
  counts: ['n', 'm'],
  sparse: false,
  add: addPowers,
};

/** Converts exact powers to moments: Σw(x − a)² = Σwx² − aΣwx − aΣw(x − a) about the mean a. */
export function roundPowers(stats: ExactStats, moments: Moments): Moments {
  const { n, m, x1, x2 } = stats.cells;
  moments.n.set(roundCells(n));
  moments.m.set(roundCells(m));
  for (let c = 0; c < stats.classes; c++) {
    for (let j = 0; j < stats.features; j++) {
      const cell = c * stats.features + j;
      const weight = addScaled(pairOf(n[c]), pairOf(m[cell]), -1);
      if (weight[0] === 0) continue;
      const sum = pairOf(x1[cell]);
      const shift = sum[0] / weight[0];
      const first = addScaled(sum, weight, -shift);
      moments.shift[cell] = shift;
      moments.s1[cell] = first[0];
      moments.s2[cell] = Math.max(0, addScaled(addScaled(pairOf(x2[cell]), sum, -shift), first, -shift)[0]);
    }
  }
  return moments;
}

/** Adds `factor` times an expansion to another, exactly. */
export function combineScaled(to: number[], parts: readonly number[], factor: number): number[] {
  for (const part of parts) for (const piece of twoProduct(part, factor)) growExpansion(to, piece);
  return to;
}
