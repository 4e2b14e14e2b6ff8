import { expect, test } from 'vitest';
import { Random } from '../math/random.ts';
import { type Reading, TrainingRows } from './records.ts';
import { candidatesFor, chooseColumns } from './records-candidates.ts';
import { finish } from './steps.ts';

/** Rows in which the sum of three columns of levels determines the class, and a fourth is noise. */
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

/** Two classes of amounts, none of them normal: log-normal ones, waiting times, and amounts that are often zero. */
function amounts(rows: number): TrainingRows {
  const random = new Random(25);
  const codes = Int32Array.from({ length: rows }, (_, i) => i % 2);
  const draw = [
    (c: number) => Math.exp(c * 0.5 + (1 + c) * random.normal()),
    (c: number) => -(1 + c) * Math.log1p(-random.uniform()),
    (c: number) => (random.uniform() < 0.3 + 0.2 * c ? 0 : Math.exp(random.normal())),
  ];
  const columns = draw.map((of) => Float64Array.from(codes, of));
  const readings = columns.map((): Reading => 'number');
  return new TrainingRows({ rows, columns }, codes, 2, readings);
}

test('where no column is normal, one distribution for each is better than bells, bins and kernels, and is chosen', () => {
  const { tried, model } = finish(chooseColumns(amounts(600)));
  const loss = (name: string) => tried.find((own) => own.name === name)?.logLoss ?? Number.NaN;
  for (const name of [
    'naive Bayes',
    'naive Bayes, bins by description length',
    'naive Bayes, bins of equal frequency',
  ]) {
    expect(loss('naive Bayes, distributions')).toBeLessThan(loss(name));
  }
  const chosen = model.members.find(({ name }) => name === 'naive Bayes, distributions');
  const families = chosen?.parts.map(({ estimator, view }) => [
    estimator.getParams().columns,
    view.map(({ column }) => column),
  ]);
  expect(families).toEqual([
    [['lognormal'], [0]],
    [[expect.stringMatching('exponential|gamma')], [1]], // an exponential distribution is a gamma distribution
    [['zeroinflatedlognormal'], [2]],
  ]);
  // cells that a distribution cannot have say nothing
  const cells = [
    [2, 0.5, 0],
    [-2, Number.NaN, -1],
    [Number.NaN, Number.NaN, Number.NaN],
  ];
  const frame = { rows: 3, columns: [0, 1, 2].map((j) => Float64Array.from(cells, (row) => row[j])) };
  const scores = chosen!.scores(frame);
  expect(scores.row(1)).toEqual(scores.row(2));
  expect(scores.row(0)).not.toEqual(scores.row(2));
});

test('where all columns are normal, bells are not tried twice', () => {
  const random = new Random(5);
  const codes = Int32Array.from({ length: 300 }, (_, i) => i % 2);
  const columns = [0, 1].map(() => Float64Array.from(codes, (c) => c + random.normal()));
  const { tried } = finish(chooseColumns(new TrainingRows({ rows: 300, columns }, codes, 2, ['number', 'number'])));
  const names = tried.map(({ name }) => name);
  expect(names).toContain('naive Bayes');
  expect(names).not.toContain('naive Bayes, distributions');
});

test('columns with outliers, with two peaks and of overdispersed counts get the families that keep their values', () => {
  const random = new Random(7);
  const rows = 300;
  const codes = Int32Array.from({ length: rows }, (_, i) => i % 2);
  const draw = [
    (c: number) => Math.round(100 * (c + random.normal() / Math.sqrt(random.gamma(1)))) / 100,
    (c: number) => Math.round(100 * ((random.uniform() < 0.5 ? -4 : 4) + 0.5 * c + 0.3 * random.normal())) / 100,
    (c: number) => random.poisson(random.gamma(0.7) * (6 + 12 * c)),
  ];
  const columns = draw.map((of) => Float64Array.from(codes, of));
  const readings = columns.map((): Reading => 'number');
  const training = new TrainingRows({ rows, columns }, codes, 2, readings);
  const [member] = candidatesFor(training)
    .find(({ name }) => name === 'naive Bayes, distributions')!
    .fit(training);
  const families = member.parts.map(({ estimator, view }) => [
    estimator.getParams().columns,
    view.map(({ column }) => column),
  ]);
  expect(families).toEqual([
    [['studentt'], [0]],
    [undefined, [1]], // KernelNB
    [['negativebinomial'], [2]],
  ]);
  expect(member.parts[1].estimator.kind).toBe('KernelNB');
});
