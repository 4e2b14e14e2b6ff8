import { decodeMessage, encodeMessage } from './protobuf.ts';

/** The session: Spark keeps temporary views and settings by session, and sessions by user. */
export interface SparkSession {
  readonly id: string;
  readonly user: string;
}

const CLIENT = 'polya';

/** What an `ExecutePlanRequest` asks for: a `Plan`. */
export type SparkPlan = Buffer;

/** The plan of a query. */
export function queryPlan(sql: string): SparkPlan {
  return encodeMessage([[1, sqlRelation(sql)]]);
}

/** The plan of a statement, of which only the effect is needed. */
export function statementPlan(sql: string): SparkPlan {
  // Spark 3.5 reads the text of a command, Spark 4 its relation
  const statement = encodeMessage([
    [1, sql],
    [6, sqlRelation(sql)],
  ]);
  return encodeMessage([[2, encodeMessage([[5, statement]])]]);
}

/** The plan that makes a view of rows in Arrow's stream format, replacing one of the same name. */
export function viewPlan(name: string, arrow: Uint8Array): SparkPlan {
  const rows = encodeMessage([[11, encodeMessage([[1, arrow]])]]);
  const view = encodeMessage([
    [1, rows],
    [2, name],
    [4, true],
  ]);
  return encodeMessage([[2, encodeMessage([[3, view]])]]);
}

const sqlRelation = (sql: string): Buffer => encodeMessage([[10, encodeMessage([[1, sql]])]]);

/** `ExecutePlanRequest` of a plan. */
export function executePlan(session: SparkSession, operation: string, plan: SparkPlan): Buffer {
  return encodeMessage([
    [1, session.id],
    [2, encodeMessage([[1, session.user]])],
    [3, plan],
    [4, CLIENT],
    [6, operation],
  ]);
}

/** `InterruptRequest` for one operation: interrupt type 3 selects it by its id. */
export function interrupt(session: SparkSession, operation: string): Buffer {
  return encodeMessage([
    [1, session.id],
    [2, encodeMessage([[1, session.user]])],
    [3, CLIENT],
    [4, 3],
    [6, operation],
  ]);
}

/** `ReleaseSessionRequest`: the server discards the session. */
export function releaseSession(session: SparkSession): Buffer {
  return encodeMessage([
    [1, session.id],
    [2, encodeMessage([[1, session.user]])],
    [3, CLIENT],
  ]);
}

/** The content of one `ExecutePlanResponse`: rows, or the progress of the stages. */
export interface SparkResponse {
  readonly batch?: { readonly rows: number; readonly start: number | undefined; readonly arrow: Buffer };
  /** The completed share of the tasks planned so far, from 0 to 1; a new stage lowers it. */
  readonly share?: number;
}

/** Parses an `ExecutePlanResponse`; everything except rows and progress is ignored. */
export function readResponse(bytes: Buffer): SparkResponse {
  for (const [field, value] of decodeMessage(bytes)) {
    if (field === 2 && typeof value !== 'number') return { batch: readBatch(value) };
    if (field === 18 && typeof value !== 'number') return { share: readShare(value) };
  }
  return {};
}

function readBatch(bytes: Buffer) {
  let rows = 0;
  let start: number | undefined;
  let arrow: Buffer = Buffer.alloc(0);
  for (const [field, value] of decodeMessage(bytes)) {
    if (field === 1) rows = value as number;
    if (field === 2) arrow = value as Buffer;
    if (field === 3) start = value as number;
  }
  return { rows, start, arrow };
}

function readShare(bytes: Buffer): number {
  let tasks = 0;
  let completed = 0;
  for (const [field, stage] of decodeMessage(bytes)) {
    if (field !== 1) continue;
    for (const [key, count] of decodeMessage(stage as Buffer)) {
      if (key === 2) tasks += count as number;
      if (key === 3) completed += count as number;
    }
  }
  return tasks === 0 ? 0 : completed / tasks;
}
