import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupedFolds } from './folds.ts';
import { numberRows } from './rows.ts';

test('every group is in a single fold, and a class of two groups or more is held out', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(30), fc.nat(3)), { minLength: 12, maxLength: 80 }),
      fc.nat(100),
      (rows, seed) => {
        const group = numberRows(rows.map(([g]) => g));
        const codes = Int32Array.from(rows, ([, c]) => c);
        const fold = groupedFolds(codes, group, seed);
        for (const g of new Set(group)) expect(new Set(fold.filter((_, i) => group[i] === g)).size).toBe(1);
        const first = Array.from(group.keys()).filter((i) => group.indexOf(group[i]) === i);
        for (const i of first) {
          const own = first.filter((k) => codes[k] === codes[i]).length;
          expect(fold[i] >= 0).toBe(own > 1);
        }
      },
    ),
  );
});

test('rows that stand alone are stratified: the folds of a class differ by one row at most', () => {
  const y = Int32Array.from({ length: 83 }, (_, i) => (i % 7 === 0 ? 1 : 0));
  const fold = groupedFolds(y, Int32Array.from(y.keys()), 3);
  for (const c of [0, 1]) {
    const sizes = [0, 1, 2, 3, 4].map((k) => fold.filter((f, i) => f === k && y[i] === c).length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  }
});

test('small classes share their folds, so that the class counts of the others do not reveal what a fold holds out', () => {
  for (const [rows, seed] of [
    [[0, 0, 1, 1], 1],
    [[0, 1, 0, 1, 2, 2, 0, 1, 2], 2],
  ] as const) {
    const y = Int32Array.from(rows);
    const fold = groupedFolds(y, Int32Array.from(y.keys()), seed);
    for (const k of new Set(fold)) {
      const held = [...y.keys()].filter((i) => fold[i] === k).map((i) => y[i]);
      expect(new Set(held).size).toBe(new Set(y).size);
    }
  }
});
