import type { SqlEngine } from '../engines/engine.ts';
import { textColumns } from '../engines/text-columns.ts';
import { refuse } from '../errors.ts';
import { type EngineClassifierOptions, learnClassifier } from './classifier.ts';
import { type EngineRows, openSource } from './source.ts';

/** The queries of a fit, and the size of the table if the engine can estimate it. */
export interface FitQueries {
  readonly queries: readonly string[];
  readonly size?: string | undefined;
}

/** The number of rows on which queries are tried. */
const TRIED_ROWS = 1000;

/**
 * The queries that `classifierFromEngine` would send. Later queries depend on the results of earlier ones, so all of
 * them are run on the first rows of the table; the returned texts name the whole table.
 */
export async function queriesOf(rows: EngineRows, options: EngineClassifierOptions): Promise<FitQueries> {
  const whole = await openSource(rows);
  const { relation, prefix = '' } = whole.frame;
  const few = `(SELECT * FROM ${relation} LIMIT ${TRIED_ROWS}) AS ${prefix}few`;
  const queries: string[] = [];
  const engine = listening(rows.engine, (sql) => queries.push(sql.replaceAll(few, relation)));
  const opened = { ...whole, frame: { ...whole.frame, engine, relation: few } };
  await learnClassifier({ ...rows, engine }, options, opened);
  return { queries, size: await sizeOf(rows.engine, relation) };
}

/** The same engine; `listen` is called with the text of every query. */
function listening(engine: SqlEngine, listen: (sql: string) => void): SqlEngine {
  const query: SqlEngine['query'] = (sql, options) => {
    listen(sql);
    return engine.query(sql, options);
  };
  const execute = () => refuse('E_INTERNAL', 'counting sends queries only');
  return Object.create(engine, { query: { value: query }, execute: { value: execute } });
}

/** The engine's estimate without reading the table; undefined if it has none. */
async function sizeOf(engine: SqlEngine, relation: string): Promise<string | undefined> {
  if (engine.dialect === 'postgres') {
    const [[text]] = await textColumns(engine.query(`EXPLAIN (FORMAT JSON) SELECT * FROM ${relation}`), 1);
    const [{ Plan: plan }] = JSON.parse(text) as { Plan: Record<string, number> }[];
    return `${plan['Plan Rows']} rows of ${plan['Plan Width']} bytes`;
  }
  if (engine.dialect === 'clickhouse') {
    const answer = engine.query(`EXPLAIN ESTIMATE SELECT * FROM ${relation}`);
    const columns = await textColumns(answer, 4).catch(() => undefined); // not supported by older servers
    const rows = columns?.[3]?.reduce((sum, own) => sum + Number(own), 0);
    return rows === undefined ? undefined : `${rows} rows`;
  }
  return undefined;
}
