import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { openEngine, scoreInEngine } from '../../src/engines.ts';
import { CountVectorizer, GaussianNB, MultinomialNB, makePipeline } from '../../src/index.ts';
import { fitFromEngine } from '../../src/warehouse/fit.ts';
import { refusal } from './laws.ts';
import { makeTable, type TestTable } from './load.ts';

const rows = Array.from({ length: 200 }, (_, i) => [
  i,
  ['ham', 'spam'][i % 2],
  (i * 37) % 19,
  ((i % 2) * 3 + ((i * 11) % 7)) / 4,
  i % 2 ? `free entry ${i % 5} win Straße` : `see you at lunch ${i % 3}`,
]);
const table: TestTable = {
  columns: [
    ['id', 'integer'],
    ['label', 'text'],
    ['a', 'integer'],
    ['b', 'real'],
    ['body', 'text'],
  ],
  rows,
};

describe('scoring in place', () => {
  let engine: SqlEngine;
  beforeAll(async () => {
    engine = await openDuckDb({});
    await makeTable(engine, 'mail', table);
  });
  afterAll(() => engine.close());

  const read = async (sql: string) => {
    const answers: (string | number | null)[][] = [];
    for await (const batch of engine.query(sql)) {
      for (let i = 0; i < batch.rows; i++)
        answers.push(batch.columns.map((column) => column[i] as string | number | null));
    }
    return answers;
  };

  test('numeric columns: the table has the results of the library', async () => {
    const model = await fitFromEngine(new GaussianNB(), {
      engine,
      table: 'mail',
      target: 'label',
      features: ['a', 'b'],
    });
    const { rows: written, columns } = await scoreInEngine(model, { engine, table: 'mail', key: 'id', into: 'scores' });
    expect(written).toBe(rows.length);
    const proba = model.predictProba(rows.map((row) => ({ a: row[2] as number, b: row[3] as number })));
    const answers = await read(
      `SELECT id::DOUBLE, "${columns.label}", "${columns.probabilities[1]}" FROM scores ORDER BY id`,
    );
    answers.forEach(([id, label, p], i) => {
      expect(id).toBe(i);
      expect(label).toBe(proba.at(i, 1) > 0.5 ? 'spam' : 'ham');
      expect(p).toBeCloseTo(proba.at(i, 1), 9);
    });
  });

  test('texts: a temporary table of weights is created and removed', async () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB());
    await fitFromEngine(pipeline, { engine, table: 'mail', target: 'label', features: ['body'] });
    const options = { engine, table: 'mail', key: 'id', columns: ['body'], into: ['main', 'text_scores'] };
    await scoreInEngine(pipeline as never, options);
    const labels = pipeline.predict(rows.map((row) => row[4] as string));
    const answers = await read('SELECT label FROM text_scores ORDER BY id');
    expect(answers.map(([label]) => label)).toEqual(labels);
    expect((await engine.tables()).map((parts) => parts.at(-1)).filter((name) => name?.includes('polya'))).toEqual([]);
    expect((await refusal(scoreInEngine(pipeline as never, options))).code).toBe('E_CONFLICT');
    expect((await scoreInEngine(pipeline as never, { ...options, replace: true })).rows).toBe(rows.length);
  });

  test('a failure leaves existing tables unchanged', async () => {
    const model = new GaussianNB().fit(
      [
        { a: 1, nothere: 2 },
        { a: 3, nothere: 1 },
        { a: 2, nothere: 9 },
      ],
      ['x', 'y', 'x'],
    ); // prettier-ignore
    const before = await read('SELECT count(*)::DOUBLE FROM scores');
    const options = { engine, table: 'mail', key: 'id', into: 'scores', replace: true };
    expect((await refusal(scoreInEngine(model, options))).code).toBe('E_ENGINE_QUERY');
    expect(await read('SELECT count(*)::DOUBLE FROM scores')).toEqual(before);
    expect((await engine.tables()).map((parts) => parts.at(-1)).filter((name) => name?.includes('polya'))).toEqual([]);
  });
});

test('an invalid engine address is an error that does not contain the password', async () => {
  const refused = await refusal(openEngine('mysql://user:hunter2@host/db'));
  expect(refused.code).toBe('E_PARAM');
  expect(JSON.stringify(refused)).not.toContain('hunter2');
  expect((await refusal(openEngine('postgres://localhost/db', { files: 'a.csv' }))).code).toBe('E_PARAM');
  const engine = await openDuckDb({});
  const more = { engine, files: 'a.csv', target: 'y' };
  expect((await refusal(fitFromEngine(new GaussianNB(), more))).code).toBe('E_PARAM');
  expect((await refusal(fitFromEngine(new GaussianNB(), { engine, target: 'y' }))).code).toBe('E_PARAM');
  const wild = { engine, table: { function: 'read_csv(; DROP', arguments: [] }, target: 'y' };
  expect((await refusal(fitFromEngine(new GaussianNB(), wild))).code).toBe('E_IDENTIFIER');
  const call = { engine, table: { function: 'nosuchfunction', arguments: ["it's"] }, target: 'y' };
  expect((await refusal(fitFromEngine(new GaussianNB(), call))).code).toBe('E_ENGINE_QUERY');
  await engine.close();
});
