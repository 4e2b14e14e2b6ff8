/**
 * The entry point `polya/engines/duckdb`: opens DuckDB as an engine. Needs Node and `@duckdb/node-api`.
 *
 * @module polya/engines/duckdb
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { refuse, show } from '../../errors.ts';
import type { SqlEngine } from '../engine.ts';
import { queryFailed } from '../failure.ts';
import { quoteString } from '../sql/dialect.ts';
import { DuckDbEngine } from './engine.ts';
import { type FileOptions, filesRelation, formatOf } from './files.ts';
import { loadDuckDb } from './load.ts';
import { loadExtension, openStore } from './objects.ts';

export type { FileFormat, FileOptions } from './files.ts';

/** How DuckDB is opened. Its file access is fixed here and locked. */
export interface DuckDbOptions extends FileOptions {
  /** Files or patterns such as `data/*.parquet`; they become the table `files`. Nothing else can be read. Default: none. */
  readonly files?: string | readonly string[] | undefined;
  /**
   * Extensions that may be installed and loaded: `httpfs` for files at s3:// and https:// addresses, `iceberg` and `delta`
   * for tables of these formats. Nothing else is reached than the addresses in `files`. Default: none.
   */
  readonly extensions?: readonly DuckDbExtension[] | undefined;
  /** The variables with the credentials of an object store, named as by the AWS tools. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** A database file, whose tables and views can be read. Default: a database in memory. */
  readonly database?: string | undefined;
  /** Whether tables may be created in the database file. Default: false. */
  readonly write?: boolean | undefined;
  /** Memory limit, such as `512MB`; beyond it data is spilled to disk. Default: 80 % of the memory. */
  readonly memoryLimit?: string | undefined;
  /** The number of threads of DuckDB, and of those that count its texts. Default: one per core. */
  readonly threads?: number | undefined;
  /** Where data that does not fit into memory is spilled, in a folder that is removed on close. Default: the system's temporary folder. */
  readonly temporary?: string | undefined;
  /** The base of relative paths. Default: the current folder. */
  readonly cwd?: string | undefined;
}

/** The extensions that can be allowed. */
export type DuckDbExtension = (typeof EXTENSIONS)[number];

const EXTENSIONS = ['httpfs', 'iceberg', 'delta'] as const;

/** The name of the table of files. */
const FILES_TABLE = 'files';

/**
 * Opens DuckDB in this process, locked: no extension is downloaded or loaded, no file is read or written except those
 * named here and temporary files, and no setting can be changed afterwards. `@duckdb/node-api` must be installed beside
 * Pólya.
 */
export async function openDuckDb(options: DuckDbOptions = {}): Promise<SqlEngine> {
  const { DuckDBInstance } = await loadDuckDb();
  const { cwd = process.cwd(), database, memoryLimit, threads } = options;
  const folder = await mkdtemp(join(options.temporary ?? tmpdir(), 'polya-duckdb-'));
  const sweep = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', sweep); // also if `close` is never called
  let cleanUp = async () => {
    process.off('exit', sweep);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const instance = await DuckDBInstance.create(database === undefined ? ':memory:' : resolve(cwd, database), {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      allow_persistent_secrets: 'false', // they would be looked for after the lock, which fails
      temp_directory: folder,
      preserve_insertion_order: 'false',
      ...(database !== undefined && !options.write && { access_mode: 'READ_ONLY' }),
      ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
      ...(threads !== undefined && { threads: String(threads) }),
    });
    const connection = await instance.connect();
    const engine = new DuckDbEngine(instance, connection, cleanUp, threads);
    cleanUp = () => engine.close();
    await extend(connection, options);
    engine.source = await prepare(engine, options, cwd);
    return engine;
  } catch (cause) {
    await cleanUp();
    if (database !== undefined && cause instanceof Error && /IO Error|Cannot open/.test(cause.message)) {
      refuse('E_PATH', `the database file ${show(database)} cannot be opened`, { database }, cause);
    }
    return queryFailed('DuckDB', cause);
  }
}

const isAddress = (name: string): boolean => /^(s3|https?):\/\//i.test(name);

/** The folder of a table of a lake, which is named itself or by a metadata file of Iceberg. */
const lakeFolder = (name: string): string => `${name.replace(/\/metadata\/[^/]+\.json$/, '').replace(/\/+$/, '')}/`;

/** Loads the allowed extensions; throws for files that need one that is not allowed. */
async function extend(
  connection: DuckDBConnection,
  { extensions = [], files = [], format, environment = process.env }: DuckDbOptions,
): Promise<void> {
  const names = typeof files === 'string' ? [files] : files;
  const needed = [
    ...(names.some(isAddress) ? (['httpfs'] as const) : []),
    ...(format === 'iceberg' || format === 'delta' ? [format] : []),
  ];
  const lacking = needed.find((name) => !extensions.includes(name));
  if (lacking) {
    refuse('E_PARAM', `these files need the extension ${lacking} of DuckDB: allow it with extensions`, {
      name: 'extensions',
    });
  }
  for (const name of extensions) {
    if (!EXTENSIONS.includes(name)) refuse('E_PARAM', `${show(name)} is not one of ${EXTENSIONS.join(', ')}`, { name: 'extensions' }); // biome-ignore format: one line
    await loadExtension(connection, name);
  }
  if (names.some((name) => /^s3:/i.test(name))) await openStore(connection, environment);
}

/** Restricts and locks DuckDB, then creates the table of files; returns it. */
async function prepare(engine: DuckDbEngine, options: DuckDbOptions, cwd: string): Promise<DuckDbEngine['source']> {
  const patterns = typeof options.files === 'string' ? [options.files] : (options.files ?? []);
  const format = options.format;
  const isFolder = format === 'iceberg' || format === 'delta';
  const files = isFolder
    ? patterns.map((name) => (isAddress(name) ? name : resolve(cwd, name)))
    : await namedFiles(engine, patterns, cwd);
  const listOf = (names: readonly string[]) => `[${names.map((name) => quoteString('duckdb', name)).join(', ')}]`;
  const statements = [
    `SET allowed_paths = ${listOf(isFolder ? [] : files)}`,
    `SET allowed_directories = ${listOf(isFolder ? files.map(lakeFolder) : [])}`,
    'SET enable_progress_bar = true',
    'SET enable_progress_bar_print = false',
    'SET enable_external_access = false',
    'SET lock_configuration = true',
    ...(files.length > 0 ? [`CREATE TEMP VIEW ${FILES_TABLE} AS SELECT * FROM ${filesRelation(files, options)}`] : []),
  ];
  for (const statement of statements) await engine.execute(statement);
  if (files.length === 0) return undefined;
  return { table: FILES_TABLE, oneScan: (options.format ?? formatOf(files)) !== 'parquet' };
}

/** The files that match patterns; a pattern without matches is an error. */
async function namedFiles(engine: SqlEngine, patterns: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = [];
  for (const pattern of patterns) {
    if (/^https?:/i.test(pattern)) {
      files.push(pattern); // a web server lists no files
      continue;
    }
    const before = files.length;
    const sql = `SELECT file FROM glob(${quoteString('duckdb', isAddress(pattern) ? pattern : resolve(cwd, pattern))}) ORDER BY file`;
    for await (const { columns } of engine.query(sql)) files.push(...(columns[0] as string[]));
    if (files.length === before) refuse('E_PATH', `there is no file ${show(pattern)}`, { file: pattern });
  }
  return [...new Set(files)];
}
