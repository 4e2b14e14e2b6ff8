import { Classifier } from '../auto/classifier.ts';
import { requirePriors } from '../auto/learner-families.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { quoteIdentifier, quoteString, type SqlDialect } from '../engines/sql/dialect.ts';
import { column } from '../engines/sql/frame.ts';
import { refuseChange } from '../engines/sql/totals.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import { countClassifier, type EngineClassifierOptions, type EnginePlan, planClassifier } from './classifier.ts';
import { type EngineSource, withEngine } from './open.ts';
import { describeTable, type EngineRows, type Opened, openSource, relationOf } from './source.ts';

/** A partition with stored counts. */
export interface StoredPartition {
  /** The value of the partition column. */
  readonly value: string;
  readonly rows: number;
  /** Changes when a row of the partition changes. */
  readonly version: string;
}

/** Where the counts of partitions are stored between fits. */
export interface PartitionStore {
  /** The last stored state: the settings of the counts, and the partitions. */
  list(): Promise<{ readonly settings: string; readonly partitions: readonly StoredPartition[] } | undefined>;
  read(partition: StoredPartition): Promise<Uint8Array>;
  write(partition: StoredPartition, bytes: Uint8Array): Promise<void>;
  /** Replaces the stored partitions; the files of all others are removed. */
  commit(settings: string, partitions: readonly StoredPartition[]): Promise<void>;
}

/** Rows in an engine, partitioned by a column. */
export type PartitionedSource = EngineSource & {
  /** The partition column, such as a day. Rows without a value there are an error. */
  readonly partitionBy: string;
  readonly state: PartitionStore;
  /**
   * A column that grows when a partition changes, such as `updated_at`: a partition is counted again if the largest
   * value or the number of rows differs. Default: every row is hashed, which finds any change but reads all columns in
   * use.
   */
  readonly changedBy?: string | undefined;
};

/** A classifier of all partitions, and what was done for each. */
export interface PartitionedFit {
  readonly model: Classifier;
  readonly partitions: readonly (StoredPartition & { readonly status: 'counted' | 'unchanged' })[];
  /** Partitions that are no longer in the table: the model has none of their rows. */
  readonly dropped: readonly StoredPartition[];
}

/**
 * Learns a classifier of records from a partitioned table, and stores the counts of each partition. A later call counts
 * only new and changed partitions. The model is the sum of the current partitions of the table, so a removed one is
 * unlearned exactly.
 */
export function classifierFromPartitions(
  source: PartitionedSource,
  options: EngineClassifierOptions = {},
): Promise<PartitionedFit> {
  const { partitionBy, state, changedBy, ...given } = source;
  return withEngine(given, async (all) => {
    requireWholeVocabulary(options);
    const rows = { ...all, features: all.features ?? (await featuresOf(all, partitionBy)) };
    const opened = await openSource(rows);
    const plan = await planClassifier(rows, options, opened);
    const settings = settingsOf(plan, opened, { partitionBy, changedBy });
    const stored = await storedUnder(state, settings);
    const present = await listPartitions(opened, partitionBy, changedBy);
    const known = new Map(stored.map((partition) => [partition.value, partition]));
    const partitions: PartitionedFit['partitions'][number][] = [];
    let model: Classifier | undefined;
    for (const [k, partition] of present.entries()) {
      const onShare = rows.onShare && ((share: number) => rows.onShare?.((k + share) / present.length));
      const isUnchanged = known.get(partition.value)?.version === partition.version;
      const own = isUnchanged
        ? Classifier.load(await state.read(partition))
        : await countPartition(plan, { ...rows, onShare }, partitionBy, partition);
      if (!isUnchanged) await state.write(partition, own.toBytes());
      partitions.push({ ...partition, status: isUnchanged ? 'unchanged' : 'counted' });
      model = model ? model.merge(own) : own;
    }
    if (!model) refuse('E_EMPTY_INPUT', 'the table has no rows', { rows: 0 });
    requirePriors(plan.recipe.priors, model.classes);
    await state.commit(settings, present);
    const values = new Set(present.map(({ value }) => value));
    return { model, partitions, dropped: stored.filter(({ value }) => !values.has(value)) };
  });
}

/** All columns except the target, the weight and the partition column. */
async function featuresOf({ engine, table, target, weight, signal }: EngineRows, partitionBy: string) {
  const columns = await describeTable(engine, table, relationOf(engine, table), signal);
  return columns.map(({ name }) => name).filter((name) => ![target, weight, partitionBy].includes(name));
}

/** A partition would drop rare words without their frequency in other partitions, so the limits would be wrong. */
function requireWholeVocabulary(options: EngineClassifierOptions): void {
  const { minDf = 1, maxDf = 1, maxFeatures = null } = options;
  if (minDf === 1 && maxDf === 1 && maxFeatures === null) return;
  refuse('E_ENGINE_CAPABILITY', 'minDf, maxDf and maxFeatures need the counts of all partitions; leave them out', {
    name: minDf !== 1 ? 'minDf' : maxDf !== 1 ? 'maxDf' : 'maxFeatures',
  });
}

/** All settings that affect the counts of a partition. */
function settingsOf({ rows, options, recipe }: EnginePlan, { features, target }: Opened, more: object): string {
  const { signal: _signal, onProgress: _onProgress, ...plain } = options as Record<string, unknown>;
  return JSON.stringify({
    table: rows.table,
    target,
    features,
    weight: rows.weight,
    where: rows.where,
    model: recipe.model,
    columns: recipe.columns,
    options: plain,
    ...more,
  });
}

async function storedUnder(state: PartitionStore, settings: string): Promise<readonly StoredPartition[]> {
  const found = await state.list();
  if (!found) return [];
  if (found.settings === settings) return found.partitions;
  return refuse(
    'E_CONFLICT',
    'the stored counts are of another table, other columns or other options; use an empty folder for these',
    { name: 'state' },
  );
}

async function countPartition(
  plan: EnginePlan,
  rows: EngineRows,
  partitionBy: string,
  partition: StoredPartition,
): Promise<Classifier> {
  const part = { ...rows, where: { ...rows.where, [partitionBy]: partition.value } };
  const model = await countClassifier(plan, await openSource(part));
  const { rows: counted } = model.report().schema;
  if (rows.weight === undefined && counted !== partition.rows) {
    refuseChange(`partition ${show(partition.value)} has ${counted} rows where ${partition.rows} were listed`);
  }
  return model;
}

/** The sum of a hash of each row, as a text, independent of the order of rows. Values are texts that are never NULL. */
const checksums: Readonly<Record<SqlDialect, (values: readonly string[]) => string>> = {
  duckdb: (values) => `CAST(sum(CAST(hash(${values.join(', ')}) AS HUGEINT)) AS VARCHAR)`,
  clickhouse: (values) => `toString(sum(cityHash64(${values.join(', ')})))`,
  postgres: (values) => `CAST(sum(hashtextextended(CAST(ROW(${values.join(', ')}) AS TEXT), 0)) AS TEXT)`,
  spark: (values) => `CAST(sum(CAST(xxhash64(${values.join(', ')}) AS DECIMAL(20, 0))) AS STRING)`,
  bigquery: (values) =>
    `CAST(SUM(CAST(FARM_FINGERPRINT(TO_JSON_STRING([${values.join(', ')}])) AS NUMERIC)) AS STRING)`,
  snowflake: (values) => `CAST(HASH_AGG(${values.join(', ')}) AS VARCHAR)`,
  trino: (values) => `to_hex(checksum(CAST(ARRAY[${values.join(', ')}] AS JSON)))`,
};

/** The partitions of a table in the order of their values, with their number of rows and their fingerprint. */
async function listPartitions(opened: Opened, by: string, changedBy: string | undefined): Promise<StoredPartition[]> {
  const { frame, features, target } = opened;
  const { engine, relation } = frame;
  const { dialect } = engine;
  const { double, text } = wordsOf(dialect);
  const quoted = (name: string) => quoteIdentifier(dialect, name);
  const value = text(quoted(by));
  const cell = ({ name }: Pick<EngineColumn, 'name'>) =>
    `COALESCE(${text(quoted(name))}, ${quoteString(dialect, '\\N')})`;
  const cells = [target, ...features].map(cell).concat(frame.weight === undefined ? [] : [text(frame.weight)]);
  const version = changedBy === undefined ? checksums[dialect](cells) : text(`max(${quoted(changedBy)})`);
  const names = ['value', 'rows', 'version'].map((name) => column(frame, name));
  const listed = [value, double('count(*)'), version].map((sql, k) => `${sql} AS ${names[k]}`).join(', ');
  const found: StoredPartition[] = [];
  const sql = `SELECT ${listed} FROM ${relation} GROUP BY ${value}`;
  for await (const { rows, columns } of engine.query(sql, { signal: frame.options?.signal })) {
    const [values, counts, versions] = columns as [(string | null)[], Float64Array, (string | null)[]];
    for (let i = 0; i < rows; i++) {
      const own = values[i];
      if (own === null) refuseNoPartition(by, counts[i]);
      found.push({ value: own, rows: counts[i], version: `${counts[i]}:${versions[i]}` });
    }
  }
  return found.sort((a, b) => (a.value < b.value ? -1 : 1));
}

function refuseNoPartition(by: string, rows: number): never {
  return refuse('E_TYPE', `${rows} rows have no value in ${show(by)}, so they belong to no partition`, {
    column: by,
    rows,
  });
}
