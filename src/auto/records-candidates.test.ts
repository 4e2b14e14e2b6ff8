import { expect, test } from 'vitest';
import { Random } from '../math/random.ts';
import { type Reading, TrainingRows } from './records.ts';
import { candidatesFor, chooseColumns } from './records-candidates.ts';
import { finish } from './steps.ts';

/** Rows in which the sum of three columns of levels tells the class, and a fourth says nothing. */
function sums(rows: number): TrainingRows {
  const random = new Random(4);
  const columns = [3, 3, 3, 4].map((levels) => Float64Array.from({ length: rows }, () => random.integer(levels)));
  const codes = Int32Array.from({ length: rows }, (_, i) => (columns[0][i] + columns[1][i] + columns[2][i]) % 2);
  const readings = columns.map((): Reading => 'level');
  return new TrainingRows({ rows, columns }, codes, 2, readings);
}

test('where several columns decide together, a model in which columns depend on several others is chosen', () => {
  const { tried, model } = finish(chooseColumns(sums(1200)));
  const alone = (name: string) => tried.find((own) => own.name === name)?.accuracy ?? 0;
  expect(alone('kdb')).toBeGreaterThan(0.99);
  expect(alone('tan')).toBeLessThan(0.9);
  expect(model.members.map(({ name }) => name)).toContain('kdb');
});

test('such a model is tried where there are enough rows, also for the number of columns', () => {
  const names = (training: TrainingRows) => candidatesFor(training).map(({ name }) => name);
  expect(names(sums(1000))).toContain('kdb');
  expect(names(sums(999))).not.toContain('kdb');
  const { frame, codes } = sums(1500);
  const columns = Array.from({ length: 40 }, (_, j) => frame.columns[j % 4]);
  const wide = new TrainingRows(
    { rows: 1500, columns },
    codes,
    2,
    columns.map((): Reading => 'level'),
  );
  expect(names(wide)).not.toContain('kdb'); // 1,600 pairs
});
