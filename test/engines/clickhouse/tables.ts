import type { SqlEngine } from '../../../src/engines/engine.ts';
import { quoteIdentifier, quotePath, quoteString } from '../../../src/engines/sql/dialect.ts';
import { type Cell, literal, type TestTable, typeOf } from '../load.ts';

/** A number by its bits: not every version parses decimal text exactly. */
function exactly(cell: Cell, engine: SqlEngine): string {
  if (typeof cell !== 'number' || Number.isSafeInteger(cell)) return literal(engine, cell);
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(cell);
  return `reinterpretAsFloat64(unhex('${bytes.toString('hex')}'))`;
}

/** The columns, Nullable if the whole table has a NULL: all shards have the same declaration. */
function declared(engine: SqlEngine, { columns, rows }: TestTable): string {
  return columns
    .map(([name, kind], j) => {
      const type = typeOf(engine, kind);
      const nullable = rows.some((row) => row[j] === null);
      return `${quoteIdentifier('clickhouse', name)} ${nullable ? `Nullable(${type})` : type}`;
    })
    .join(', ');
}

/** Creates a table in one server, with its part of the rows. */
export async function makeLocalTable(
  engine: SqlEngine,
  name: string | readonly string[],
  table: TestTable,
  own: (row: number) => boolean = () => true,
  storage = 'Memory',
): Promise<void> {
  const path = quotePath('clickhouse', name);
  await engine.execute(`DROP TABLE IF EXISTS ${path}`);
  await engine.execute(`CREATE TABLE ${path} (${declared(engine, table)}) ENGINE = ${storage}`);
  const rows = table.rows.filter((_, i) => own(i));
  const values = rows.map((row) => `(${row.map((cell) => exactly(cell, engine)).join(', ')})`);
  if (values.length > 0) await engine.execute(`INSERT INTO ${path} VALUES ${values.join(', ')}`);
}

/** The database for the parts of distributed tables. */
export const PARTS = 'parts';

/**
 * Creates a table whose rows are distributed over the shards by `place`, and in the first shard a Distributed table of
 * the same name.
 */
export async function makeSpreadTable(
  shards: readonly SqlEngine[],
  name: string,
  table: TestTable,
  place: (row: number) => number,
): Promise<void> {
  for (const [k, shard] of shards.entries()) {
    await shard.execute(`CREATE DATABASE IF NOT EXISTS ${PARTS}`);
    await makeLocalTable(shard, [PARTS, name], table, (row) => place(row) === k);
  }
  const path = quotePath('clickhouse', name);
  const parts = [PARTS, name].map((part) => quoteString('clickhouse', part)).join(', ');
  await shards[0].execute(`DROP TABLE IF EXISTS ${path}`);
  await shards[0].execute(
    `CREATE TABLE ${path} (${declared(shards[0], table)}) ENGINE = Distributed('polya', ${parts})`,
  );
}
