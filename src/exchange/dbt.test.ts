import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { duckdb } from '../../test/duckdb.ts';
import { CategoricalNB, CountVectorizer, GaussianNB, MultinomialNB, makePipeline } from '../index.ts';
import { toDbt } from './dbt.ts';

type Connection = Awaited<ReturnType<typeof duckdb>>;
let connection: Connection;
beforeAll(async () => void (connection = await duckdb()));
afterAll(() => connection.closeSync());

/** The query as dbt would hand it to the engine. */
const rendered = (model: string) =>
  model
    .replace(/\{\{ config\(.*?\) \}\}/, '')
    .replaceAll(/\{\{ ref\('(\w+)'\) \}\}/g, '"$1"')
    .replaceAll("{{ '{' }}", '{');

const texts = ['cheap pills', 'lunch at noon', 'cheap lunch', 'noon pills pills'];
const words = makePipeline(new CountVectorizer({ stopWords: ['at', '{{ x }}'] }), new MultinomialNB()).fit(texts, [
  'spam',
  'ham',
  'ham',
  'spam',
]);

test('a dbt model of texts scores as the library does, with its weights from the seed', async () => {
  const { model, schema, seed } = toDbt(words, { dialect: 'duckdb', name: 'scores', ref: 'mails', key: 'id' });
  await connection.run(`CREATE OR REPLACE TABLE mails (id INTEGER, text VARCHAR)`);
  for (const [id, text] of texts.entries()) await connection.run(`INSERT INTO mails VALUES (${id}, '${text}')`);
  const lines = seed!
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const types = [...schema.matchAll(/^ {8}(\w+): (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(types.map((own) => own.split(' ')[0])).toEqual(lines[0]);
  await connection.run(`CREATE OR REPLACE TABLE scores_weights (${types.join(', ')})`);
  for (const line of lines.slice(1)) {
    const cells = line.map((cell) => (cell === '' ? 'NULL' : cell.replace(/^"(.*)"$/, "'$1'")));
    await connection.run(`INSERT INTO scores_weights VALUES (${cells.join(', ')})`);
  }
  const rows = (await connection.runAndReadAll(`SELECT * FROM (${rendered(model)}) ORDER BY id`)).getRowObjects();
  const here = words.predictProba(texts);
  rows.forEach((row, i) => {
    expect(row.label).toBe(words.predict([texts[i]])[0]);
    expect(Math.abs((row.p_ham as number) - here.row(i)[0])).toBeLessThanOrEqual(1e-9);
  });
  expect(rows).toHaveLength(texts.length);
});

test('the schema names every column, and marks of dbt in the model stay text', () => {
  const { schema, seed } = toDbt(
    new GaussianNB().fit(
      [
        [1, 2],
        [3, 4],
      ],
      ['a', 'b'],
    ),
    { dialect: 'bigquery', name: 'scores', ref: 'flowers', logOdds: true },
  );
  for (const name of ['label', 'p_a', 'p_b', 'logit_a', 'logit_b']) expect(schema).toContain(`- name: "${name}"`);
  expect(seed).toBeUndefined();
  const odd = new CategoricalNB().fit([['{{ ref() }}'], ['{% raw %}']], [0, 1]);
  const { model } = toDbt(odd, { dialect: 'snowflake', name: 'odd', ref: 'rows' });
  expect(model).not.toMatch(/\{\{ ref\(\) \}\}|\{%/);
});

test('names that dbt cannot have are refused', () => {
  const own = new GaussianNB().fit([[1], [2]], [0, 1]);
  for (const name of ['', 'a b', "x') }}"]) {
    expect(refusalOf(() => toDbt(own, { dialect: 'duckdb', name, ref: 'rows' })).code).toBe('E_IDENTIFIER');
  }
});
