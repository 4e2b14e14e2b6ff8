import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { classifierFromEngine, type EngineClassifierOptions } from '../../src/warehouse/classifier.ts';
import { partitionFolder } from '../../src/warehouse/partition-folder.ts';
import { classifierFromPartitions } from '../../src/warehouse/partitions.ts';
import { refusal } from './laws.ts';

const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03'];
const COLOURS = ['red', 'green', 'blue'];

/** Rows of a day; each day has a colour and words of its own. */
const insert = (day: string, from: number, rows: number) => {
  const values = Array.from({ length: rows }, (_, k) => {
    const i = from + k;
    const label = i % 3 ? 'keep' : 'drop';
    return `(DATE '${day}', '${label}', ${(i * 13) % 29}, '${COLOURS[i % 3]} ${i % 4 ? '' : day}', 'word${i % 7} of ${day}')`;
  });
  return `INSERT INTO events VALUES ${values.join(', ')}`;
};

describe('counts by partition', () => {
  let engine: SqlEngine;
  let folder: string;
  beforeAll(async () => {
    engine = await openDuckDb({});
    folder = mkdtempSync(join(tmpdir(), 'polya-partitions-'));
    await engine.execute('CREATE TABLE events (day DATE, label VARCHAR, size BIGINT, colour VARCHAR, note VARCHAR)');
    for (const [k, day] of DAYS.entries()) await engine.execute(insert(day, 100 * k, 60 + 10 * k));
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const cases: readonly (readonly [string, readonly string[] | undefined, EngineClassifierOptions])[] = [
    ['mixed', ['size', 'colour'], {}],
    ['text', ['note'], { kinds: { note: 'text' } }],
    ['categorical', ['colour'], { model: 'categorical' }],
  ];
  const learn = (name: string, features: readonly string[] | undefined, options: EngineClassifierOptions) =>
    classifierFromPartitions(
      {
        engine,
        table: 'events',
        target: 'label',
        features,
        partitionBy: 'day',
        state: partitionFolder(join(folder, name)),
      },
      options,
    );
  const whole = (features: readonly string[] | undefined, options: EngineClassifierOptions) =>
    classifierFromEngine(
      { engine, table: 'events', target: 'label', features },
      { model: options.kinds?.note === 'text' && features?.length === 1 ? 'multinomial' : 'mixed', ...options },
    );
  const rows = [
    { size: 3, colour: 'red', note: 'word1 of 2026' },
    { size: 20, colour: 'blue 2026-01-02', note: 'word4 word5' },
  ];
  const statuses = async (found: ReturnType<typeof learn>) => (await found).partitions.map(({ status }) => status);

  for (const [name, features, options] of cases) {
    test(`${name}: partitions add up to the table, and only changed ones are counted again`, async () => {
      const first = await learn(name, features, options);
      expect(first.partitions.map(({ value, rows: n, status }) => [value, n, status])).toEqual([
        ['2026-01-01', 60, 'counted'],
        ['2026-01-02', 70, 'counted'],
        ['2026-01-03', 80, 'counted'],
      ]);
      const expected = (await whole(features, options)).predictProba(rows);
      first.model
        .predictProba(rows)
        .toArray()
        .flat()
        .forEach((p, k) => {
          expect(p).toBeCloseTo(expected.toArray().flat()[k], 12);
        });
      expect(await statuses(learn(name, features, options))).toEqual(['unchanged', 'unchanged', 'unchanged']);

      await engine.execute(
        "UPDATE events SET size = size + 1, colour = 'violet', note = 'other' WHERE day = '2026-01-02' AND size = 5",
      );
      expect(await statuses(learn(name, features, options))).toEqual(['unchanged', 'counted', 'unchanged']);

      await engine.execute("DELETE FROM events WHERE day = '2026-01-01'");
      const later = await learn(name, features, options);
      expect(later.dropped.map(({ value }) => value)).toEqual(['2026-01-01']);
      const left = (await whole(features, options)).predictProba(rows);
      later.model
        .predictProba(rows)
        .toArray()
        .flat()
        .forEach((p, k) => {
          expect(p).toBeCloseTo(left.toArray().flat()[k], 12);
        });
      expect(readdirSync(join(folder, name))).toHaveLength(3); // two partitions and the index
      await engine.execute("DELETE FROM events WHERE day = '2026-01-02'");
      await engine.execute(insert('2026-01-01', 0, 60));
      await engine.execute(insert('2026-01-02', 100, 70));
    });
  }

  test('a column that grows with every change replaces the hash of the rows', async () => {
    await engine.execute('CREATE TABLE log (day VARCHAR, label VARCHAR, x DOUBLE, changed TIMESTAMP)');
    await engine.execute(
      "INSERT INTO log SELECT 'd' || (range % 2), CASE WHEN range % 3 = 0 THEN 'a' ELSE 'b' END, range, TIMESTAMP '2026-01-01 00:00:00' FROM range(40)",
    );
    const source = { engine, table: 'log', target: 'label', features: ['x'], partitionBy: 'day', changedBy: 'changed' };
    const run = () => statuses(classifierFromPartitions({ ...source, state: partitionFolder(join(folder, 'log')) }));
    expect(await run()).toEqual(['counted', 'counted']);
    expect(await run()).toEqual(['unchanged', 'unchanged']);
    await engine.execute("UPDATE log SET x = 7, changed = TIMESTAMP '2026-01-02 00:00:00' WHERE x = 4");
    expect(await run()).toEqual(['counted', 'unchanged']);
  });

  test('counts under other options, rows without a partition and a damaged index are errors', async () => {
    await learn('refused', ['size'], {});
    expect(await refusal(learn('refused', ['size'], { model: 'poisson' }))).toMatchObject({ code: 'E_CONFLICT' });
    expect(await refusal(learn('pruned', ['note'], { kinds: { note: 'text' }, minDf: 2 }))).toMatchObject({
      code: 'E_ENGINE_CAPABILITY',
    });
    await engine.execute("INSERT INTO events VALUES (NULL, 'keep', 1, 'red', 'x')");
    expect(await refusal(learn('refused', ['size'], {}))).toMatchObject({ code: 'E_TYPE' });
    await engine.execute('DELETE FROM events WHERE day IS NULL');
    writeFileSync(join(folder, 'refused', 'partitions.json'), '{"format":1}');
    expect(await refusal(learn('refused', ['size'], {}))).toMatchObject({ code: 'E_FORMAT' });
  });
});

test('where: only rows with a value are counted', async () => {
  const engine = await openDuckDb({});
  await engine.execute(
    "CREATE TABLE t AS SELECT range AS id, CASE WHEN range % 3 = 0 THEN 'a' ELSE 'b' END AS label, range % 5 AS x, 'c' || (range % 2) AS shop, range % 4 = 0 AS flag, DATE '2026-01-01' + CAST(range % 3 AS INTEGER) AS day FROM range(60)",
  );
  const counted = async (where: Record<string, string>) => {
    const source = { engine, table: 't', target: 'label', features: ['x'], where };
    return (await classifierFromEngine(source, { model: 'mixed' })).report().schema.rows;
  };
  expect(await counted({})).toBe(60);
  expect(await counted({ shop: 'c1' })).toBe(30);
  expect(await counted({ shop: 'c0', flag: 'true' })).toBe(15);
  expect(await counted({ x: '2' })).toBe(12);
  expect(await counted({ day: '2026-01-02' })).toBe(20);
  expect(await refusal(counted({ shpo: 'c1' }))).toMatchObject({ code: 'E_FEATURE_MISSING' });
  await engine.close();
});
