import type { SqlEngine } from '../../../src/engines/engine.ts';
import { quoteIdentifier } from '../../../src/engines/sql/dialect.ts';
import { literal, type TestTable, typeOf } from '../load.ts';

/** Creates a view of these rows in three partitions, and so on both executors. */
export async function makeView(engine: SqlEngine, name: string, { columns, rows }: TestTable): Promise<void> {
  const cast = columns.map(
    ([column, kind], j) => `CAST(col${j + 1} AS ${typeOf(engine, kind)}) AS ${quoteIdentifier('spark', column)}`,
  );
  const tuples = rows.map((row) => `(${row.map((cell) => literal(engine, cell)).join(', ')})`);
  const none = `(${columns.map(() => 'NULL').join(', ')})`;
  await engine.execute(
    `CREATE OR REPLACE TEMPORARY VIEW ${quoteIdentifier('spark', name)} AS SELECT /*+ REPARTITION(3) */ ${cast.join(', ')} ` +
      `FROM VALUES ${tuples.length > 0 ? tuples.join(', ') : none}${tuples.length > 0 ? '' : ' WHERE false'}`,
  );
}
