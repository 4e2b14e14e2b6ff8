import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { filesRelation } from '../../src/engines/duckdb/files.ts';
import { type DuckDbOptions, openDuckDb } from '../../src/engines/duckdb/index.ts';
import { GaussianNB, MixedNB, MultinomialNB } from '../../src/index.ts';
import { fitFromEngine } from '../../src/warehouse/fit.ts';
import { duckdb } from '../duckdb.ts';
import { atMost } from '../quiet.ts';
import { expectSameCounts, refusal } from './laws.ts';

const rows = Array.from({ length: 3000 }, (_, i) => ({
  label: ['ham', 'spam', 'ünï "x"'][(i * 7) % 3],
  n: (i * 31) % 13,
  m: i % 4,
  size: ((i * 17) % 101) / 8,
  colour: ['red', 'green', 'blue,ish', ''][i % 4] || 'none',
}));
const features = ['n', 'm'];
const X = rows.map(({ n, m }) => ({ n, m }));
const y = rows.map(({ label }) => label);
const csvOf = (some: typeof rows) =>
  `label,n,m,size,colour\n${some.map((row) => `"${row.label.replaceAll('"', '""')}",${row.n},${row.m},${row.size},"${row.colour}"`).join('\n')}\n`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'polya-engine-'));
  const parts = [rows.slice(0, 10), rows.slice(10, 11), rows.slice(11, 2000), rows.slice(2000)];
  parts.forEach((part, k) => {
    writeFileSync(join(folder, `part-${k}.csv`), csvOf(part));
    writeFileSync(join(folder, `zip-${k}.csv.gz`), gzipSync(csvOf(part)));
    writeFileSync(join(folder, `line-${k}.jsonl`), part.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });
  writeFileSync(join(folder, 'part-empty.csv'), csvOf([]));
  const maker = await duckdb();
  for (const k of parts.keys()) {
    await maker.run(
      `COPY (SELECT * FROM read_csv('${folder}/part-${k}.csv')) TO '${folder}/row-${k}.parquet' (FORMAT parquet)`,
    );
  }
  await maker.run(
    `COPY (SELECT * FROM read_csv('${folder}/part-0.csv') LIMIT 0) TO '${folder}/row-empty.parquet' (FORMAT parquet)`,
  );
  await maker.run(`ATTACH '${folder}/shop.db' AS shop`);
  await maker.run(`CREATE TABLE shop.orders AS SELECT * FROM read_csv('${folder}/part-*.csv')`);
  await maker.run(`CREATE VIEW shop.recent AS SELECT * FROM shop.orders WHERE m > 1`);
  await maker.run('DETACH shop');
  maker.closeSync();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('files', () => {
  for (const files of ['part-*.csv', 'zip-*.csv.gz', 'line-*.jsonl', 'row-*.parquet']) {
    test(`${files}: all parts together, including empty ones, give the same counts as in memory`, async () => {
      for (const threads of [1, 2]) {
        const source = { engine: 'duckdb', files, cwd: folder, threads, target: 'label' };
        expectSameCounts(
          await fitFromEngine(new MultinomialNB(), { ...source, features }),
          new MultinomialNB().fit(X, y),
        );
        const mixed = await fitFromEngine(new MixedNB(), source);
        const reference = new MixedNB().fit(
          rows.map(({ label: _, ...cells }) => cells),
          y,
        );
        expect(mixed.columns).toEqual(reference.columns);
        const [a, b] = [mixed, reference].map((model) =>
          model.predictJointLogProba([{ n: 3, m: 1, size: 2, colour: 'red' }]),
        );
        a.data.forEach((score, c) => {
          expect(score).toBeCloseTo(b.data[c], 10);
        });
      }
    });
  }

  test('a database file is read and not written', async () => {
    const engine = await openDuckDb({ database: 'shop.db', cwd: folder });
    expectSameCounts(
      await fitFromEngine(new MultinomialNB(), { engine, table: 'orders', target: 'label', features }),
      new MultinomialNB().fit(X, y),
    );
    const recent = await fitFromEngine(new MultinomialNB(), {
      engine,
      table: ['main', 'recent'],
      target: 'label',
      features,
    });
    expect(recent.classCount.reduce((sum, n) => sum + n, 0)).toBe(rows.filter(({ m }) => m > 1).length);
    expect(await engine.tables()).toContainEqual(['main', 'orders']);
    expect((await refusal(engine.execute('CREATE TABLE main.t AS SELECT 1 AS x'))).code).toBe('E_ENGINE_QUERY');
    await engine.close();
    await engine.close();
    expect((await refusal(openDuckDb({ database: 'shop.db.', cwd: folder }))).code).toBe('E_PATH');
  });

  test('options give what the file name does not', async () => {
    writeFileSync(join(folder, 'data.dat'), 'label;x\na;1\nb;2\n');
    const source = { engine: 'duckdb', files: 'data.dat', cwd: folder, target: 'label' };
    expect((await refusal(fitFromEngine(new MultinomialNB(), source))).code).toBe('E_FORMAT');
    const csv = { ...source, format: 'csv', delimiter: ';', header: true, types: { x: 'DOUBLE' } } as const;
    expect((await fitFromEngine(new GaussianNB(), csv)).theta.toArray()).toEqual([[1], [2]]);
    const json = { ...csv, format: 'json' } as const;
    expect((await refusal(fitFromEngine(new GaussianNB(), json))).code).toBe('E_PARAM');
    const two = { ...source, files: ['part-0.csv', 'row-0.parquet'] };
    expect((await refusal(fitFromEngine(new MultinomialNB(), two))).code).toBe('E_FORMAT');
    expect((await refusal(fitFromEngine(new MultinomialNB(), { ...source, files: 'none-*.csv' }))).code).toBe('E_PATH');
  });
});

describe('the lock', () => {
  test('only the named files are read, nothing is written, loaded or set', async () => {
    const engine = await openDuckDb({ files: 'part-0.csv', cwd: folder });
    const allowed = join(folder, 'part-0.csv');
    await engine.execute(`SELECT count(*) FROM read_csv('${allowed}')`);
    for (const statement of [
      `SELECT * FROM read_csv('${join(folder, 'part-1.csv')}')`,
      `SELECT * FROM read_text('/etc/passwd')`,
      `SELECT * FROM glob('/etc/*')`,
      `COPY (SELECT 1) TO '${join(folder, 'out.csv')}'`,
      `ATTACH '${join(folder, 'shop.db')}' AS shop`,
      'INSTALL httpfs',
      'LOAD httpfs',
      `SELECT * FROM read_csv('https://example.com/a.csv')`,
      `SET allowed_paths = ['/etc/passwd']`,
      'SET enable_external_access = true',
      'SET threads = 1',
    ]) {
      const refused = await refusal(engine.execute(statement));
      expect(refused.code, statement).toBe('E_ENGINE_QUERY');
      expect(refused.message).not.toContain('SELECT');
    }
    expect(existsSync(join(folder, 'out.csv'))).toBe(false);
    await engine.close();
  });
});

describe('addresses and tables of lakes', () => {
  const attempt = async (options: DuckDbOptions) => refusal(openDuckDb({ cwd: folder, ...options }));

  test('need an extension that is allowed by name', async () => {
    for (const [options, extension] of [
      [{ files: 's3://bucket/part-*.parquet' }, 'httpfs'],
      [{ files: ['https://example.com/a.csv'] }, 'httpfs'],
      [{ files: 'orders', format: 'iceberg' }, 'iceberg'],
      [{ files: 's3://bucket/orders', format: 'delta', extensions: ['httpfs'] }, 'delta'],
    ] as [DuckDbOptions, string][]) {
      const { code, message } = await attempt(options);
      expect([code, message]).toEqual(['E_PARAM', expect.stringContaining(`extension ${extension} of DuckDB`)]);
    }
    expect((await attempt({ extensions: ['spatial' as never] })).code).toBe('E_PARAM');
  });

  test('an allowed extension is loaded or reported, and an address that does not answer is an error', async () => {
    const { code } = await attempt({ files: 'http://127.0.0.1:1/a.csv', extensions: ['httpfs'] });
    expect(['E_ENGINE_UNAVAILABLE', 'E_ENGINE_QUERY']).toContain(code); // whether the extension can be installed here
  });

  test('tables of lakes are read by their functions', () => {
    expect(filesRelation(["/lake/it's"], { format: 'iceberg' })).toBe("iceberg_scan('/lake/it''s')");
    expect(filesRelation(['s3://lake/a'], { format: 'delta' })).toBe("delta_scan('s3://lake/a')");
    expect(() => filesRelation(['a', 'b'], { format: 'delta' })).toThrow('one folder');
  });
});

describe('long queries', () => {
  const heavy = "SELECT count(*) FROM range(10000000000) WHERE md5(range::VARCHAR) = 'x'"; // takes hours

  test('end when aborted, and the connection remains usable', async () => {
    const engine = await openDuckDb({ memoryLimit: '256MB', threads: 1 });
    const controller = new AbortController();
    const shares: number[] = [];
    const running = engine.execute(heavy, { signal: controller.signal, onShare: (share) => shares.push(share) });
    setTimeout(() => controller.abort(), 700);
    const begun = performance.now();
    expect((await refusal(running)).code).toBe('E_CANCELLED');
    expect(performance.now() - begun).toBeLessThan(atMost(4000));
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    await engine.execute('SELECT 1');
    await engine.close();
  });

  test('spill into a separate folder, which is removed afterwards', async () => {
    const temporary = join(folder, 'spill');
    mkdirSync(temporary);
    const engine = await openDuckDb({ memoryLimit: '64MB', threads: 1, temporary });
    expect(readdirSync(temporary)).toHaveLength(1);
    await engine.execute('CREATE TABLE t AS SELECT range AS a, md5(range::VARCHAR) AS b FROM range(3000000)');
    expect(readdirSync(join(temporary, readdirSync(temporary)[0])).length).toBeGreaterThan(0);
    let groups = 0;
    for await (const { columns } of engine.query('SELECT count(*)::DOUBLE FROM (SELECT b, sum(a) FROM t GROUP BY b)'))
      groups = (columns[0] as Float64Array)[0];
    expect(groups).toBe(3_000_000);
    await engine.close();
    expect(readdirSync(temporary)).toEqual([]);
  });
});

test('without the package of DuckDB the error says what to install', async () => {
  vi.resetModules();
  vi.doMock('@duckdb/node-api', () => {
    throw new Error('Cannot find package');
  });
  const { openDuckDb: openWithout } = await import('../../src/engines/duckdb/index.ts');
  const refused = await refusal(openWithout());
  vi.doUnmock('@duckdb/node-api');
  expect(refused.code).toBe('E_ENGINE_UNAVAILABLE');
  expect(refused.message).toContain('npm install @duckdb/node-api');
});
