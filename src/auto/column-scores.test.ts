import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { columnScores } from './column-scores.ts';
import { TrainingRows } from './records.ts';

const FOLDS = 3;
const CLASSES = 3;
const LEVELS = 4;

/** Cells of one column of levels with gaps, each with a class and a fold; −1: in no fold. */
const columns = fc.array(
  fc.record({
    cell: fc.oneof(fc.integer({ min: 0, max: LEVELS - 1 }), fc.constant(Number.NaN)),
    code: fc.integer({ min: 0, max: CLASSES - 1 }),
    fold: fc.integer({ min: -1, max: FOLDS - 1 }),
  }),
  { minLength: 20, maxLength: 60 },
);

test('a column alone is scored as by counting the rows outside each fold, row by row', () => {
  fc.assert(
    fc.property(columns, (rows) => {
      const held = [0, 1, 2].filter((fold) => rows.some((row) => row.fold === fold));
      fc.pre(held.length > 1);
      const levels = Math.max(-1, ...rows.map(({ cell }) => (Number.isNaN(cell) ? -1 : cell))) + 1;
      let [loss, right, count] = [0, 0, 0];
      for (const { cell, code, fold } of rows.filter((row) => row.fold >= 0)) {
        const others = rows.filter((row) => row.fold !== fold);
        const joint = Array.from({ length: CLASSES }, (_, c) => {
          const own = others.filter((row) => row.code === c);
          const present = own.filter((row) => !Number.isNaN(row.cell)).length;
          const same = own.filter((row) => row.cell === cell).length;
          return own.length * (Number.isNaN(cell) ? 1 : (same + 1) / (present + levels));
        });
        const p = joint[code] / joint.reduce((a, b) => a + b, 0);
        loss -= Math.max(Math.log(1e-15), Math.log(p));
        if (joint.indexOf(Math.max(...joint)) === code) right++;
        count++;
      }
      const frame = { rows: rows.length, columns: [Float64Array.from(rows, ({ cell }) => cell)] };
      const codes = Int32Array.from(rows, ({ code }) => code);
      const training = new TrainingRows(frame, codes, CLASSES, ['level']);
      const [score] = columnScores(
        training,
        Int32Array.from(rows, ({ fold }) => fold),
        held,
      );
      expectClose([score.logLoss.categorical, score.accuracy], [loss / count, right / count], 1e-9);
    }),
  );
});

test('numbers are cut where the class changes, and a column that says nothing has no information', () => {
  const rows = 90;
  const codes = Int32Array.from({ length: rows }, (_, i) => i % 2);
  const telling = Float64Array.from(codes, (c, i) => 10 * c + (i % 7));
  const idle = Float64Array.from(codes, (_, i) => Math.floor(i / 2) % 3);
  const training = new TrainingRows({ rows, columns: [telling, idle] }, codes, 2, ['number', 'number']);
  const [one, other] = columnScores(
    training,
    Int32Array.from(codes, (_, i) => Math.floor(i / 2) % 5),
    [0, 1, 2, 3, 4],
  );
  expect([one.family, one.accuracy]).toEqual(['mdl', 1]);
  expect(one.information).toBeCloseTo(1, 9);
  expect(other.information).toBe(0);
  expect(other.logLoss.mdl).toBeCloseTo(Math.LN2, 6);
});
