import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldRows } from '../evaluate/folds.ts';
import { meanAccuracy, meanLogLoss } from '../evaluate/log-proba.ts';
import { TrainingRows } from './records.ts';
import { familyPart, type NumberFamily } from './records-candidates.ts';
import { ColumnCounts } from './records-families.ts';
import { Member } from './records-pool.ts';

const FOLDS = 3;
const CLASSES = 2;

/** Cells of one column, whole numbers and gaps, each with a class and a fold. */
const columns = fc.array(
  fc.record({
    cell: fc.oneof(fc.integer({ min: 0, max: 15 }), fc.constant(Number.NaN)),
    code: fc.integer({ min: 0, max: CLASSES - 1 }),
    fold: fc.integer({ min: 0, max: FOLDS - 1 }),
  }),
  { minLength: 20, maxLength: 60 },
);

function trainingOf(rows: readonly { cell: number; code: number }[]): TrainingRows {
  const frame = { rows: rows.length, columns: [Float64Array.from(rows, ({ cell }) => cell)] };
  const codes = Int32Array.from(rows, ({ code }) => code);
  return new TrainingRows(frame, codes, CLASSES, ['number']);
}

const memberOf = (training: TrainingRows, family: NumberFamily) => {
  const part = familyPart(training, family, [0]);
  return part && new Member(family, [part], training.classes);
};

test('a column learned and evaluated by its values is what it is row by row', () => {
  const families = fc.constantFrom<NumberFamily>('gaussian', 'kernel', 'mdl', 'frequency', 'poisson');
  fc.assert(
    fc.property(columns, families, fc.integer({ min: 0, max: FOLDS - 1 }), (rows, family, fold) => {
      const folds = Int32Array.from(rows, (row) => row.fold);
      const { learn, held: judge } = foldRows(folds, fold);
      const training = trainingOf(rows).part(learn);
      const known = new Set(Array.from(learn, (i) => rows[i].cell).filter((cell) => !Number.isNaN(cell)));
      fc.pre(judge.length > 0 && new Set(training.codes).size === CLASSES && known.size > 1);
      const counts = new ColumnCounts(trainingOf(rows), 0, folds);
      const [byRows, byValues] = [memberOf(training, family), memberOf(counts.training(fold), family)];
      expect(byValues === undefined).toBe(byRows === undefined);
      if (!byRows || !byValues) return;
      const held = trainingOf(rows).part(judge);
      const scores = byRows.scores(held.frame);
      const tally = counts.evaluate(byValues, fold);
      expect(tally.rows).toBe(judge.length);
      const ties = Array.from(judge.keys()).filter((i) => Math.abs(scores.at(i, 0) - scores.at(i, 1)) < 1e-8).length;
      const right = meanAccuracy(scores, held) * judge.length;
      expect(Math.abs(tally.right - right)).toBeLessThanOrEqual(ties + 1e-9); // the last digit breaks a tie
      expect(tally.loss / tally.rows).toBeCloseTo(meanLogLoss(scores, held), 8);
    }),
  );
});

test('rows that are in no fold teach every split, and folds that are left out teach none', () => {
  const rows = [
    { cell: 1, code: 0 },
    { cell: 1, code: 1 },
    { cell: 2, code: 1 },
    { cell: 2, code: 1 },
  ];
  const counts = new ColumnCounts(trainingOf(rows), 0, Int32Array.of(-1, 0, 1, 1));
  const { frame, codes, weights } = counts.training(0);
  expect([...frame.columns[0]]).toEqual([1, 2]);
  expect([...codes]).toEqual([0, 1]);
  expect(weights).toEqual(Float64Array.of(1, 2));
  expect(counts.training(0, 1).weights).toEqual(Float64Array.of(1));
});
