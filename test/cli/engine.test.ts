import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printedSchemas } from '../../scripts/printed-types.mjs';
import type { Io } from '../../src/cli/io.ts';
import { cancellable, tableParts } from '../../src/cli/work/engine.ts';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import { Classifier, inspectModel } from '../../src/index.ts';
import { duckdb } from '../duckdb.ts';
import { folder, polya } from './harness.ts';

const own = folder();
const cwd = own.path;
const rows = Array.from({ length: 400 }, (_, i) => ({
  id: i,
  label: i % 3 ? 'ham' : 'spam',
  size: ((i * 13) % 29) + (i % 3 ? 0 : 9),
  colour: ['red', 'green', 'blue'][(i * 5 + (i % 3 ? 0 : 1)) % 3],
  body: i % 3 ? `see you at ${i % 7} for lunch` : `free prize number ${i % 5} call now`,
}));

beforeAll(async () => {
  for (const [k, part] of [rows.slice(0, 150), rows.slice(150)].entries()) {
    const lines = part.map((row) => `${row.id},${row.label},${row.size},${row.colour},${row.body}`);
    writeFileSync(join(cwd, `part-${k}.csv`), `id,label,size,colour,body\n${lines.join('\n')}\n`);
  }
  const maker = await duckdb();
  await maker.run(`COPY (SELECT * FROM read_csv('${cwd}/part-*.csv')) TO '${cwd}/all.parquet' (FORMAT parquet)`);
  await maker.run(`ATTACH '${cwd}/shop.db' AS shop`);
  await maker.run(`CREATE TABLE shop.mail AS SELECT * FROM read_csv('${cwd}/part-*.csv')`);
  await maker.run('DETACH shop');
  maker.closeSync();
});
afterAll(() => own.remove());

describe('polya fit --engine', () => {
  test('columns of several kinds from Parquet', async () => {
    const said = await polya(
      [
        'fit',
        '--engine',
        'duckdb',
        'all.parquet',
        '-t',
        'label',
        '--features',
        'size,colour',
        '--model',
        'mixed',
        '-o',
        'm.polya',
        '--json',
      ],
      { cwd },
    );
    expect(said.err).not.toMatch(/error/i);
    expect(said.code).toBe(0);
    const printed = JSON.parse(said.out);
    expect(Value.Check(printedSchemas()['fit@1'], printed)).toBe(true);
    expect(printed).toMatchObject({
      schema: 'polya/fit@1',
      model: 'mixed',
      rows: 400,
      classes: ['ham', 'spam'],
      learns: true,
    });
    const model = Classifier.load(readFileSync(join(cwd, 'm.polya')));
    const features = ['size', 'colour'];
    const reference = Classifier.fit(rows, { target: 'label', features, model: 'mixed', evaluate: false });
    const some = rows.slice(0, 20);
    const [a, b] = [model, reference].map((own) => own.predictLogProba(some));
    a.data.forEach((log, k) => {
      expect(log).toBeCloseTo(b.data[k], 9);
    });
    expect(model.partialFit(some).learns).toBe(true);
    const again = await polya(['predict', 'part-0.csv', '-m', 'm.polya', '--output', 'csv', '--keep', 'id'], { cwd });
    expect(again.code).toBe(0);
    expect(again.out.split('\n')[1]).toMatch(/^0,/);
  });

  test('by default an ensemble is chosen on a sample, counted in the engine and scores there', async () => {
    const words = ['fit', '--engine', 'duckdb', 'all.parquet', '-t', 'label', '-o', 'auto.polya', '--json'];
    const said = await polya(words, { cwd });
    expect(said.code, said.err).toBe(0);
    const printed = JSON.parse(said.out);
    expect(Value.Check(printedSchemas()['fit@1'], printed)).toBe(true);
    expect(printed).toMatchObject({ model: 'auto', rows: 400, learns: true });
    const { evaluation } = Classifier.load(readFileSync(join(cwd, 'auto.polya'))).report();
    expect(evaluation?.accuracy).toBeGreaterThan(0.9);
    expect(printed.tried.some(({ chosen }: { chosen: boolean }) => chosen)).toBe(true);
    const scored = ['predict', '--engine', 'duckdb:shop.db', '--table', 'mail', '-m', 'auto.polya', '--key', 'id'];
    const done = await polya([...scored, '--into', 'answers'], { cwd });
    expect(done.code, done.err).toBe(0);
  });

  test('words of a text from CSV by a pattern, with its smoothing', async () => {
    const named = ['-x', 'body', '--model', 'multinomial', '--alpha', '0.5'];
    const words = ['fit', '--engine', 'duckdb', 'part-*.csv', '-t', 'label', ...named];
    const said = await polya([...words, '--ngrams', '1-2', '--min-df', '2', '-o', 'words.polya'], { cwd });
    expect(said.code, said.err).toBe(0);
    const bytes = readFileSync(join(cwd, 'words.polya'));
    const reference = Classifier.fit(rows, {
      ...{ target: 'label', features: ['body'], kinds: { body: 'text' }, model: 'multinomial' },
      ...{ alpha: 0.5, ngrams: [1, 2], minDf: 2, evaluate: false },
    });
    expect(Classifier.load(bytes).predictLogProba(rows)).toEqual(reference.predictLogProba(rows));
    expect(inspectModel(bytes).provenance?.rows).toBe(400);
    const one = await polya(['predict', '-m', 'words.polya', '--text', 'free prize'], { cwd });
    expect(one.out).toContain('spam');
  });

  test('a table of a database file, a named model, a limit of memory', async () => {
    const words = ['fit', '--engine', 'duckdb:shop.db', '--table', 'mail', '-t', 'label', '--features', 'size'];
    const said = await polya([...words, '--model', 'gaussian', '--memory', '256MB', '-o', 'g.polya'], { cwd });
    expect(said.code, said.err).toBe(0);
    expect(said.err).toContain('Gaussian');
    expect(existsSync(join(cwd, 'g.polya'))).toBe(true);
  });

  test('labels of CSV are what is written, so that the model learns on', async () => {
    writeFileSync(
      join(cwd, 'tosses.tsv'),
      `y\tx\n${Array.from({ length: 40 }, (_, i) => `0${i % 2}\t${i % 5}`).join('\n')}\n`,
    );
    const words = ['fit', '--engine', 'duckdb', 'tosses.tsv', '--format', 'tsv', '-t', 'y', '-o', 'tosses.polya'];
    expect((await polya([...words, '--header', 'yes'], { cwd })).code).toBe(0);
    expect(Classifier.load(readFileSync(join(cwd, 'tosses.polya'))).classes).toEqual(['00', '01']);
    expect((await polya(['update', 'tosses.tsv', '-m', 'tosses.polya', '-o', 'more.polya'], { cwd })).code).toBe(0);
    expect((await polya([...words, '--encoding', 'latin1', '-f'], { cwd })).code).toBe(2);
    expect((await polya(['fit', '--engine', 'duckdb', 'x', '--format', 'mbox', '-t', 'y'], { cwd })).code).toBe(2);
  });

  test('what cannot be is refused with the right exit, and nothing is written', async () => {
    const attempt = (...words: string[]) => polya(['fit', ...words, '-o', 'no.polya'], { cwd });
    const file = ['--engine', 'duckdb', 'all.parquet'];
    expect((await attempt(...file)).code).toBe(2);
    expect((await attempt(...file, '-t', 'label', '--cv', '5')).code).toBe(2);
    expect((await attempt('--engine', 'duckdb', '-t', 'label')).code).toBe(2);
    expect((await attempt('--engine', 'postgres://localhost/db', 'all.parquet', '-t', 'label')).code).toBe(2);
    expect((await attempt('--table', 'mail', 'part-0.csv', '-t', 'label')).code).toBe(2);
    expect((await attempt()).code).toBe(2);
    const near = await attempt(...file, '-t', 'lable');
    expect([near.code, near.err]).toEqual([3, expect.stringContaining('label')]);
    const table = await attempt('--engine', 'duckdb:shop.db', '--table', 'mial', '-t', 'label');
    expect([table.code, table.err]).toEqual([6, expect.stringContaining('mail')]);
    const secret = await attempt('--engine', 'clickhouse://me:hunter2@host:8123/db', '--table', 't', '-t', 'label');
    expect(secret.code).toBe(2);
    expect(secret.err).toContain('CLICKHOUSE_PASSWORD');
    expect(secret.err + secret.out).not.toContain('hunter2');
    const away = await attempt('--engine', 'clickhouse://127.0.0.1:1/db', '--table', 't', '-t', 'label');
    expect(away.code).toBe(6);
    expect(existsSync(join(cwd, 'no.polya'))).toBe(false);
  });
});

describe('tables that are counted part by part', () => {
  const words = ['fit', '--engine', 'duckdb', 'all.parquet', '-t', 'label', '--features', 'size,colour'];

  test('--where is a condition of the queries', async () => {
    const said = await polya([...words, '--model', 'mixed', '--where', 'colour=blue', '-o', 'blue.polya', '--json'], {
      cwd,
    });
    expect(said.code, said.err).toBe(0);
    expect(JSON.parse(said.out).rows).toBe(rows.filter(({ colour }) => colour === 'blue').length);
    const unknown = await polya([...words, '--where', 'color=blue', '-o', 'none.polya'], { cwd });
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('colour')]);
  });

  test('--partition-by counts new partitions only', async () => {
    const parts = [...words.slice(0, 2), 'duckdb', 'all.parquet', '-t', 'label', '--features', 'size'];
    const more = ['--partition-by', 'colour', '--state', 'state', '-o', 'parts.polya', '--force'];
    const first = await polya([...parts, ...more], { cwd });
    expect(first.code, first.err).toBe(0);
    expect(first.err).toContain('partitions: 2 counted, 0 unchanged');
    expect((await polya([...parts, ...more], { cwd })).err).toContain('partitions: 0 counted, 2 unchanged');
    await polya([...parts, '--model', 'mixed', '-o', 'whole.polya'], { cwd });
    const [sum, whole] = ['parts.polya', 'whole.polya'].map((name) => Classifier.load(readFileSync(join(cwd, name))));
    for (const size of [1, 9, 30]) {
      const [a, b] = [sum, whole].map((model) => model.predictProba([{ size }]).row(0)[0]);
      expect(a).toBeCloseTo(b, 12);
    }
    expect((await polya([...parts, '--partition-by', 'colour', '-o', 'x.polya'], { cwd })).code).toBe(2);
    expect((await polya(['fit', 'part-0.csv', '-t', 'label', '--state', 'state'], { cwd })).code).toBe(2);
  });

  test('--dry-run prints the queries and writes nothing', async () => {
    const said = await polya([...words, '--dry-run', '-o', 'dry.polya'], { cwd });
    expect(said.code, said.err).toBe(0);
    expect(said.out).toContain('GROUP BY');
    expect(said.out).toContain('FROM "files"');
    expect(said.out).not.toMatch(/_few/);
    expect(existsSync(join(cwd, 'dry.polya'))).toBe(false);
  });
});

test('a part of a table name may hold a dot', () => {
  expect(tableParts('lake.mail')).toEqual(['lake', 'mail']);
  expect(tableParts('lake."mail.2026"."a ""b"""')).toEqual(['lake', 'mail.2026', 'a "b"']);
  for (const name of ['', '.', 'a.', '.a', 'a..b', 'a"b', '"a', '"a"b']) expect(() => tableParts(name)).toThrow();
});

test('a stop cancels the query that runs in the engine', async () => {
  let stop: ((code: number) => Promise<number>) | undefined;
  const engine = await openDuckDb({});
  const endless =
    'SELECT count(*) FROM range(1000000000) AS a, range(1000000000) AS b WHERE a.range % 7 = b.range % 11';
  const running = cancellable({ onStop: (own: typeof stop) => void (stop = own) } as Io, async (signal) => {
    for await (const _ of engine.query(endless, { signal }));
  });
  const refused = expect(running).rejects.toMatchObject({ code: 'E_CANCELLED' });
  await new Promise((done) => setTimeout(done, 100));
  const began = performance.now();
  expect(await stop?.(143)).toBe(143);
  await refused;
  expect(performance.now() - began).toBeLessThan(2000);
  for await (const { columns } of engine.query('SELECT 1')) expect(columns[0][0]).toBe(1); // the connection is free again
  await engine.close();
});

describe('polya predict --engine --into', () => {
  test('answers become a table where the rows are', async () => {
    await polya(
      ['fit', '--engine', 'duckdb:shop.db', '--table', 'mail', '-t', 'label', '-x', 'body', '-o', 't.polya'].concat(
        '--model',
        'multinomial',
      ),
      { cwd },
    );
    const words = ['predict', '--engine', 'duckdb:shop.db', '--table', 'mail', '-m', 't.polya', '--column', 'body'];
    expect((await polya([...words, '--key', 'id'], { cwd })).code).toBe(2);
    expect((await polya([...words, '--into', 'scores'], { cwd })).code).toBe(2);
    const said = await polya([...words, '--key', 'id', '--into', 'scores', '--json'], { cwd });
    expect(said.code, said.err).toBe(0);
    expect(Value.Check(printedSchemas()['score@1'], JSON.parse(said.out))).toBe(true);
    expect(JSON.parse(said.out)).toMatchObject({ schema: 'polya/score@1', table: 'scores', rows: 400 });
    expect((await polya([...words, '--key', 'id', '--into', 'scores'], { cwd })).code).toBe(4);
    expect((await polya([...words, '--key', 'id', '--into', 'scores', '--force'], { cwd })).code).toBe(0);
    const reader = await duckdb();
    await reader.run(`ATTACH '${cwd}/shop.db' AS shop`);
    const answers = (await reader.runAndReadAll('SELECT id, label FROM shop.scores ORDER BY id')).getRows();
    reader.closeSync();
    const model = Classifier.load(readFileSync(join(cwd, 't.polya')));
    expect(answers.map(([, label]) => label)).toEqual(model.classifyAll(rows).map(({ label }) => label));
  });
});

test('polya export --to sql names columns, weights and what becomes of scripts without spaces', async () => {
  await polya(['fit', '--engine', 'duckdb', 'all.parquet', '-t', 'label', '-x', 'body', '-o', 'e.polya'], { cwd });
  const words = ['export', '-m', 'e.polya', '--to', 'sql', '--table', 'main.mail', '--key', 'id', '--columns', 'body'];
  const said = await polya([...words, '--weights', 'main.w8', '--unspaced', 'null'], { cwd });
  expect(said.code, said.err).toBe(0);
  expect(said.out).toContain('"main"."w8"');
  expect(said.out).toContain('FROM "main"."mail"');
  const maker = await duckdb();
  await maker.run(`CREATE TABLE mail AS SELECT * FROM read_parquet('${cwd}/all.parquet')`);
  for (const statement of said.out.split(';\n').filter((part) => part.trim() !== '')) await maker.run(statement);
  maker.closeSync();
});
