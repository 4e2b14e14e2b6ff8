import { expect, test } from 'vitest';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { CategoricalNB, GaussianNB, KDependenceNB, TreeAugmentedNB } from '../../src/index.ts';
import { classifierFromEngine } from '../../src/warehouse/classifier.ts';
import { fitFromEngine } from '../../src/warehouse/fit.ts';
import { variableForSecret } from '../../src/warehouse/open.ts';
import { scoreInEngine } from '../../src/warehouse/score.ts';
import { expectSameCounts, refusal } from './laws.ts';
import { makeTable } from './load.ts';

const small = {
  columns: [
    ['id', 'integer'],
    ['y', 'text'],
    ['a', 'real'],
  ] as const,
  rows: [
    [1, 'u', 0.5],
    [2, 'u', 1.5],
    [3, 'v', 7],
    [4, 'v', 9],
  ],
};

async function withTable(work: (engine: SqlEngine) => Promise<void>): Promise<void> {
  const engine = await openDuckDb();
  try {
    await makeTable(engine, 'small', small);
    await work(engine);
  } finally {
    await engine.close();
  }
}

const numbersOf = async (engine: SqlEngine, sql: string): Promise<number[]> => {
  const found: number[] = [];
  for await (const { columns } of engine.query(sql)) found.push(...(columns[0] as Float64Array));
  return found;
};

test('columns with tens of thousands of levels are counted', async () => {
  const engine = await openDuckDb();
  try {
    await engine.execute(
      `CREATE TABLE wide AS SELECT 'a' || (i % 40000) AS a, 'b' || (i % 39999) AS b, 'c' || (i % 39998) AS c, 'y' || (i % 2) AS y FROM range(200000) t(i)`,
    );
    const model = await fitFromEngine(new CategoricalNB(), { engine, table: 'wide', target: 'y' });
    expect([...model.classCount]).toEqual([100000, 100000]);
    expect([...model.nCategories]).toEqual([40000, 39999, 39998]);
  } finally {
    await engine.close();
  }
}, 60_000);

test('two concurrent fits have separate snapshots', () =>
  withTable(async (engine) => {
    const learned = () => fitFromEngine(new GaussianNB(), { engine, table: 'small', target: 'y', features: ['a'] });
    const [first, second] = await Promise.all([learned(), learned()]);
    expect(second.toBytes()).toEqual(first.toBytes());
    expect([...first.classCount]).toEqual([2, 2]);
  }));

/** An engine whose table gets another row before query number n. */
function disturbed(engine: SqlEngine, before: number, insert: string): SqlEngine {
  let queries = 0;
  return {
    ...{ name: engine.name, dialect: engine.dialect, table: engine.table },
    async *query(sql, options) {
      if (++queries === before) await engine.execute(insert);
      yield* engine.query(sql, options);
    },
    execute: (sql, options) => engine.execute(sql, options),
    describe: (relation, options) => engine.describe(relation, options),
    tables: (options) => engine.tables(options),
    close: () => engine.close(),
  };
}

test('nothing is written between the queries of a fit', () =>
  withTable(async (engine) => {
    const source = { table: 'small', target: 'y', features: ['a'] };
    const own = disturbed(engine, 2, "INSERT INTO small VALUES (9, 'u', 1)");
    const { code } = await refusal(
      fitFromEngine(new GaussianNB(), { ...source, engine: { ...own, ...snapshotOf(engine) } }),
    );
    expect(code).toBe('E_ENGINE_QUERY');
    expect(await numbersOf(engine, 'SELECT count(*)::DOUBLE FROM small')).toEqual([4]);
  }));

/** The snapshots of an engine, for one with other queries. */
const snapshotOf = (engine: SqlEngine): Pick<SqlEngine, 'inSnapshot'> => ({
  inSnapshot: (work) => (engine.inSnapshot as NonNullable<SqlEngine['inSnapshot']>)(work),
});

test.each(['u', 'w'])('without snapshots, a row of class %s that is added meanwhile is an error', (label) =>
  withTable(async (engine) => {
    await engine.execute(`CREATE TABLE levels AS SELECT y, 'k' || id AS a, 'm' || id AS b FROM small`);
    const insert = `INSERT INTO levels VALUES ('${label}', 'k9', 'm9')`;
    let queries = 0;
    for (let before = 1; ; before++) {
      await engine.execute(`DELETE FROM levels WHERE a = 'k9'`);
      const source = { engine: disturbed(engine, before, insert), table: 'levels', target: 'y' };
      const { code } = await refusal(fitFromEngine(new TreeAugmentedNB(), source));
      const wasInserted = (await numbersOf(engine, `SELECT count(*)::DOUBLE FROM levels`))[0] === 5;
      if (!wasInserted) break;
      queries = before;
      expect(code, `before query ${before}`).toBe(before === 1 ? 'accepted' : 'E_ENGINE_QUERY');
    }
    expect(queries).toBeGreaterThan(3);
  }),
);

test('scoring replaces a table atomically and drops only its own tables', () =>
  withTable(async (engine) => {
    const model = await fitFromEngine(new GaussianNB(), { engine, table: 'small', target: 'y', features: ['a'] });
    await engine.execute('CREATE TABLE scores__polya AS SELECT 1 AS mine');
    await engine.execute('CREATE TABLE scores AS SELECT 1 AS mine');
    const into = { engine, table: 'small', key: 'id', into: 'scores' };
    expect((await refusal(scoreInEngine(model, into))).code).toBe('E_CONFLICT');
    const { rows } = await scoreInEngine(model, { ...into, replace: true });
    expect(rows).toBe(4);
    const missing = scoreInEngine(model, { ...into, key: 'nothing', replace: true });
    expect((await refusal(missing)).code).toMatch(/^E_/);
    expect(await numbersOf(engine, 'SELECT count(*)::DOUBLE FROM scores')).toEqual([4]);
    expect((await engine.tables()).map((parts) => parts.at(-1)).sort()).toEqual(['scores', 'scores__polya', 'small']);
  }));

test('secrets in addresses are rejected, and the error names the variable to use', () => {
  expect(variableForSecret('postgres://u:secret@h/db')).toBe('PGPASSWORD');
  expect(variableForSecret('postgres://u@h/db?sslmode=require&password=x')).toBe('PGPASSWORD');
  expect(variableForSecret('clickhouse://h:8123/db?secure=true&Password=x')).toBe('CLICKHOUSE_PASSWORD');
  expect(variableForSecret('sc://h:15002/;user_id=me;token=x')).toBe('SPARK_CONNECT_TOKEN');
  for (const address of ['postgres://u@h:5432/db?sslmode=verify-full', 'duckdb:a:b@c', 'sc://h:15002/;use_ssl=true']) {
    expect(variableForSecret(address)).toBeUndefined();
  }
});

test('moments of integers are exact, and a constant column costs no second scan', async () => {
  const engine = await openDuckDb();
  try {
    await engine.execute(
      `CREATE TABLE whole AS SELECT 'y' || (i % 3) AS y, 1000000007 + (i % 3) * 5000 + (i * 7) % 4 AS a, CASE WHEN i % 3 = 1 THEN 12345 ELSE i % 11 END AS b FROM range(30000) t(i)`,
    );
    const texts: string[] = [];
    const watched = new Proxy(engine, {
      get: (own, name) => {
        if (name !== 'query')
          return typeof own[name as 'query'] === 'function' ? own[name as 'query'].bind(own) : own[name as 'query'];
        return (sql: string, options?: object) => {
          texts.push(sql);
          return own.query(sql, options);
        };
      },
    });
    const model = await fitFromEngine(new GaussianNB({ varSmoothing: 0 }), {
      engine: watched,
      table: 'whole',
      target: 'y',
      features: ['a'],
    });
    // each class has the values 0 … 3 above its base equally often: variance 5/4
    expect(model.var.toArray().flat()).toEqual([1.25, 1.25, 1.25]);
    const constant = new GaussianNB();
    texts.length = 0;
    await fitFromEngine(constant, { engine: watched, table: 'whole', target: 'y', features: ['b'] });
    expect(texts.filter((sql) => sql.includes('sum('))).toHaveLength(2); // a sample for the pivots, then one scan
  } finally {
    await engine.close();
  }
});

test('texts of many blocks are counted by several threads as by one', async () => {
  const engines = await Promise.all([1, 3].map((threads) => openDuckDb({ threads })));
  const words = Array.from({ length: 9 }, (_, k) => `'w' || (hash(range, ${k}) % 300)`).join(" || ' ' || ");
  const body = `'k' || (range % 3) || ' ' || ${words} || repeat(' ', 1500)`; // more than four blocks
  const sql = `SELECT range % 3 AS label, ${body} AS body FROM range(6000) ORDER BY range`;
  for (const engine of engines) await engine.execute(`CREATE TABLE mail AS ${sql}`);
  const [one, several] = engines.map((engine) => ({ engine, table: 'mail', target: 'label', features: ['body'] }));
  for (const options of [{ model: 'multinomial', kinds: { body: 'text' } } as const, {}])
    expectSameCounts(await classifierFromEngine(several, options), await classifierFromEngine(one, options));
  for (const engine of engines) await engine.close();
}, 120_000);

test('values in the context of two parents are counted where a parent is missing', async () => {
  const cell = (i: number, salt: number) => ((i * salt) % 7 === 3 ? null : `v${(i * salt) % 3}`);
  const rows = Array.from({ length: 150 }, (_, i) => [
    `y${i % 2}`,
    cell(i, 5),
    cell(i, 11),
    cell(i + 1, 13),
    cell(i, 17),
  ]);
  const names = ['a', 'b', 'c', 'd'];
  const table = { columns: ['y', ...names].map((name) => [name, 'text'] as const), rows };
  const make = () =>
    new KDependenceNB({ k: 2, parents: 'previous', selectColumns: false, concentration: 1, missing: 'ignore' });
  const engine = await openDuckDb({ threads: 1 });
  await makeTable(engine, 'gaps', table);
  const records = rows.map(([, ...cells]) => Object.fromEntries(cells.map((own, k) => [names[k], own])));
  const expected = make().fit(records as never, rows.map(([label]) => label as string)); // biome-ignore format: one line
  expectSameCounts(await fitFromEngine(make(), { engine, table: 'gaps', target: 'y' }), expected);
  await engine.close();
});
