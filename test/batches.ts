import { fc } from '@fast-check/vitest';
import { type Batch, label, sliceBatch, takeRows } from '../src/data/batch.ts';

/** The kind of cells of a generated batch. */
export type CellKind = 'bits' | 'counts' | 'reals' | 'levels';

const cellOf: Record<CellKind, fc.Arbitrary<number>> = {
  bits: fc.constantFrom(0, 1),
  counts: fc.integer({ min: 0, max: 5 }),
  reals: fc.double({ min: -100, max: 100, noNaN: true }),
  levels: fc.integer({ min: 0, max: 2 }),
};

const LEVELS = 3;

/**
 * Most batches are small; some have hundreds of rows and tens of classes, beyond the thresholds at which other loops
 * take over.
 */
const shapes = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      classes: fc.integer({ min: 1, max: 3 }),
      features: fc.integer({ min: 1, max: 4 }),
      rows: fc.nat(10),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      classes: fc.constantFrom(2, 20),
      features: fc.constantFrom(2, 6),
      rows: fc.constantFrom(20, 70, 200),
    }),
  },
);

/** Batches of one kind of cells. Default: integer weights. */
export function batches(
  kind: CellKind,
  { weights = fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<number>, missing = false } = {},
): fc.Arbitrary<Batch> {
  const cell = missing ? fc.oneof({ weight: 5, arbitrary: cellOf[kind] }, fc.constant(Number.NaN)) : cellOf[kind];
  return shapes.chain(({ classes, features, rows }) =>
    fc
      .record({
        x: fc.array(cell, { minLength: rows * features, maxLength: rows * features }),
        y: fc.array(fc.nat(classes - 1), { minLength: rows, maxLength: rows }),
        w: fc.array(weights, { minLength: rows, maxLength: rows }),
      })
      .map(({ x, y, w }) =>
        label(
          { rows, features, x: Float64Array.from(x) },
          {
            classes,
            features,
            ...(kind === 'levels' && { levels: new Int32Array(features).fill(LEVELS) }),
            ...(missing && { missing }),
          },
          Int32Array.from(y),
          Float64Array.from(w),
        ),
      ),
  );
}

/** The first rows, and the others. */
export function cut(batch: Batch, where: number): [Batch, Batch] {
  const at = where % (batch.rows + 1);
  return [sliceBatch(batch, 0, at), sliceBatch(batch, at, batch.rows)];
}

/** The rows of a batch in another order, possibly repeated. */
export function reorder(batch: Batch, order: readonly number[]): Batch {
  return {
    ...batch,
    ...takeRows(batch, order),
    y: Int32Array.from(order, (i) => batch.y[i]),
    w: Float64Array.from(order, (i) => batch.w[i]),
  };
}
