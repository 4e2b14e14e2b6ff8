import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readClassifier } from '../../src/auto/classifier-saved.ts';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { Classifier } from '../../src/index.ts';
import { classifierFromEngine, type EngineClassifierOptions } from '../../src/warehouse/classifier.ts';
import { refusal } from './laws.ts';
import { makeTable, type TestTable } from './load.ts';

const rows = Array.from({ length: 120 }, (_, i) => ({
  id: i,
  label: i % 3 ? 'keep' : 'drop',
  size: ((i * 13) % 17) / 4 + (i % 3 ? 0 : 2),
  events: (i * 5) % 6,
  colour: i % 10 === 0 ? null : [' red', 'green ', 'blue'][(i * 7) % 3],
  flag: i % 4 === 0,
  note: `note number ${i} about ${i % 3 ? 'nothing' : 'something new'}`,
  w: (i % 5) + 1,
}));
const table: TestTable = {
  columns: [
    ['id', 'integer'],
    ['label', 'text'],
    ['size', 'real'],
    ['events', 'integer'],
    ['colour', 'text'],
    ['flag', 'boolean'],
    ['note', 'text'],
    ['w', 'real'],
  ],
  rows: rows.map(({ id, label, size, events, colour, flag, note, w }) => [
    id,
    label,
    size,
    events,
    colour,
    flag,
    note,
    w,
  ]),
};

describe('a classifier of records from an engine equals the one from the rows', () => {
  let engine: SqlEngine;
  beforeAll(async () => {
    engine = await openDuckDb({});
    await makeTable(engine, 'things', table);
  });
  afterAll(() => engine.close());

  const cases: readonly (readonly [string, readonly string[], EngineClassifierOptions, boolean])[] = [
    [
      'mixed',
      ['size', 'events', 'colour', 'flag'],
      { model: 'mixed', kinds: { size: 'number', events: 'number' } },
      false,
    ],
    ['gaussian', ['size', 'events'], { model: 'gaussian' }, true],
    ['lda', ['size', 'events'], { model: 'lda' }, false],
    ['categorical', ['colour', 'flag'], { model: 'categorical', alpha: 0.5 }, true],
    ['aode', ['colour', 'flag'], { model: 'aode' }, false],
    ['poisson', ['events'], { model: 'poisson' }, true],
    ['a chosen alpha', ['events'], { model: 'multinomial', alpha: 'auto' }, true],
    ['multinomial', ['events', 'size'], { model: 'multinomial', priors: 'uniform' }, false],
    ['bernoulli', ['flag', 'events'], { model: 'bernoulli', priors: { keep: 1, drop: 3 } }, false],
    [
      'mixed with a text',
      ['size', 'note', 'colour'],
      { model: 'mixed', kinds: { note: 'text', size: 'number' } },
      true,
    ],
    ['words', ['note'], { model: 'multinomial', kinds: { note: 'text' }, ngrams: [1, 2], minDf: 2 }, true],
  ];
  for (const [name, features, options, weighed] of cases) {
    test(name, async () => {
      const weight = weighed ? 'w' : undefined;
      const model = await classifierFromEngine({ engine, table: 'things', target: 'label', features, weight }, options);
      const own = { model: model.model as never, ...options, features, target: 'label', evaluate: false };
      const reference = Classifier.fit(rows, { ...own, ...(weight && { weight }) });
      const [a, b] = [model, reference].map((one) => one.predictLogProba(rows));
      a.data.forEach((log, k) => {
        expect(log).toBeCloseTo(b.data[k], 9);
      });
      expect(model.learns).toBe(true);
      expect(model.report().schema.rows).toBe(weighed ? rows.reduce((sum, { w }) => sum + w, 0) : rows.length);
      model.partialFit(rows.slice(0, 5));
      reference.partialFit(rows.slice(0, 5));
      expect(model.classify(rows[7]).probability).toBeCloseTo(reference.classify(rows[7]).probability, 9);
    });
  }

  test('uninformative columns are left out, unless they are requested', async () => {
    const model = await classifierFromEngine(
      { engine, table: 'things', target: 'label', weight: 'w' },
      { model: 'mixed', kinds: { flag: 'ignored' } },
    );
    const roles = new Map(model.report().schema.columns.map(({ name, role }) => [name, role]));
    expect(Object.fromEntries(roles)).toMatchObject({
      id: 'ignored',
      note: 'ignored',
      flag: 'ignored',
      size: 'feature',
    });
  });

  test('options that need the rows are errors', async () => {
    const code = async (features: readonly string[], options: EngineClassifierOptions) =>
      (await refusal(classifierFromEngine({ engine, table: 'things', target: 'label', features }, options))).code;
    expect(await code(['size'], { model: 'categorical' })).toBe('E_ENGINE_CAPABILITY');
    expect(await code(['size'], { model: 'mixed', kinds: { size: 'category' } })).toBe('E_ENGINE_CAPABILITY');
    expect(await code(['note', 'colour'], { model: 'multinomial', kinds: { note: 'text', colour: 'text' } })).toBe(
      'E_ENGINE_CAPABILITY',
    );
    expect(await code(['note'], { model: 'multinomial', kinds: { note: 'text' }, hash: 10 })).toBe(
      'E_ENGINE_CAPABILITY',
    );
    expect(await code(['events'], { model: 'dirichlet-multinomial' })).toBe('E_ENGINE_CAPABILITY');
    expect(await code(['events'], { model: 'multinomial', priors: { keep: 1 } })).toBe('E_CLASS_UNKNOWN');
  });
});

test('an ensemble reads the parts of dates, unless they are to be counted by their levels', async () => {
  const engine = await openDuckDb({ threads: 1 });
  const day = (i: number) => `2026-03-${String(2 + 7 * (i % 3) + (i % 4)).padStart(2, '0')}`;
  const label = (i: number) => (i % 4 < 2 ? 'a' : 'b'); // Monday and Tuesday, or Wednesday and Thursday
  const listed = Array.from({ length: 240 }, (_, i) => `('${label(i)}', DATE '${day(i)}', ${i % 7}, '${i % 7} €')`);
  await engine.execute(
    `CREATE TABLE days AS SELECT * FROM (VALUES ${listed.join(', ')}) AS t(label, day, size, price)`,
  );
  const source = { engine, table: 'days', target: 'label' };
  const plain = await classifierFromEngine(source);
  const columnOf = (model: Classifier, own: string) => model.report().schema.columns.find(({ name }) => name === own);
  expect(columnOf(plain, 'day')).toMatchObject({
    role: 'feature',
    kind: 'date',
    format: { parts: ['days', 'weekday'] },
  });
  expect(columnOf(plain, 'price')?.role).toBe('ignored');
  expect(['2026-06-01', '2026-06-03'].map((own) => plain.classify({ day: own, size: 1 }).label)).toEqual(['a', 'b']);
  const model = await classifierFromEngine(source, { kinds: { day: 'category' } });
  expect(columnOf(model, 'day')).toMatchObject({ role: 'feature', kind: 'category' });
  for (let i = 0; i < 12; i++) expect(model.classify({ day: day(i), size: i % 7 }).label).toBe(label(i));
  const code = async (features: string[], options = {}) =>
    (await refusal(classifierFromEngine({ ...source, features }, options))).code;
  expect(await code(['price'])).toBe('E_ENGINE_CAPABILITY');
  expect(await code(['day'], { model: 'mixed', kinds: { day: 'date' } })).toBe('E_ENGINE_CAPABILITY');
  await engine.close();
});

test('an ensemble that is chosen on a part of the rows has the counts of all', async () => {
  const engine = await openDuckDb({ threads: 1 });
  const rows = 30_000;
  await engine.execute(
    `CREATE TABLE many AS SELECT 'y' || (range % 3) AS label, range % 3 + hash(range) % 5 AS n FROM range(${rows})`,
  );
  const model = await classifierFromEngine({ engine, table: 'many', target: 'label' });
  const { schema } = model.report();
  expect(schema.rows).toBe(rows);
  expect(schema.sampled).toBeLessThan(rows);
  for (const { classCount } of readClassifier(model.toState()).predictors)
    expect([...(classCount as Float64Array)]).toEqual([rows / 3, rows / 3, rows / 3]);
  await engine.close();
});
