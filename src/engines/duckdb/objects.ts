import type { DuckDBConnection } from '@duckdb/node-api';
import { PolyaError, refuse, show } from '../../errors.ts';
import { engineUnavailable, queryFailed } from '../failure.ts';
import { quoteString } from '../sql/dialect.ts';
import { loadDuckDb } from './load.ts';

/** A file of an object store. */
export interface StoredObject {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How object stores are accessed. */
export interface ObjectOptions {
  /**
   * The variables with the credentials of the store: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`,
   * `AWS_REGION`, `AWS_ENDPOINT_URL`.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The maximum size of all files together in bytes. */
  readonly maxBytes: number;
}

/**
 * The files that match an address such as `s3://bucket/part-*.csv`, in the order of their names, read by DuckDB. Its
 * extension `httpfs` is installed on first use, which needs the network.
 */
export async function readObjects(address: string, options: ObjectOptions): Promise<StoredObject[]> {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:', { allow_community_extensions: 'false' });
  const connection = await instance.connect();
  try {
    if (address.startsWith('s3://')) await openStore(connection, options.environment);
    return await readAll(connection, address, options.maxBytes);
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    const text = cause instanceof Error ? cause.message : '';
    if (/No files found|404|Not Found/i.test(text)) refuse('E_PATH', `there is no file ${show(address)}`, {}, cause);
    return queryFailed('DuckDB', cause);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Installs and loads an extension, which needs the network unless it is installed. */
export async function loadExtension(connection: DuckDBConnection, name: string): Promise<void> {
  try {
    await connection.run(`INSTALL ${name}`);
    await connection.run(`LOAD ${name}`);
  } catch (cause) {
    engineUnavailable('DuckDB', `its extension ${name} could not be installed`, cause);
  }
}

/** Gives the credentials of an object store to DuckDB. */
export async function openStore(
  connection: DuckDBConnection,
  environment: ObjectOptions['environment'],
): Promise<void> {
  await loadExtension(connection, 'httpfs');
  await connection.run(`CREATE SECRET (${settingsOf(environment).join(', ')})`);
}

/** The settings of a DuckDB secret, from the variables of the AWS tools. */
function settingsOf(environment: ObjectOptions['environment']): string[] {
  const { AWS_ENDPOINT_URL: endpoint } = environment;
  const given = [
    ['KEY_ID', environment.AWS_ACCESS_KEY_ID],
    ['SECRET', environment.AWS_SECRET_ACCESS_KEY],
    ['SESSION_TOKEN', environment.AWS_SESSION_TOKEN],
    ['REGION', environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION],
    ['ENDPOINT', endpoint?.replace(/^https?:\/\//, '')],
  ] as const;
  return [
    'TYPE s3',
    ...given.flatMap(([name, value]) => (value ? [`${name} ${quoteString('duckdb', value)}`] : [])),
    ...(endpoint ? ["URL_STYLE 'path'", `USE_SSL ${!endpoint.startsWith('http:')}`] : []),
  ];
}

async function readAll(connection: DuckDBConnection, address: string, maxBytes: number): Promise<StoredObject[]> {
  const files = `read_blob(${quoteString('duckdb', address)})`;
  const sizes = await connection.runAndReadAll(`SELECT sum(size)::DOUBLE FROM ${files}`);
  const total = Number(sizes.getRows()[0]?.[0] ?? 0);
  if (total > maxBytes)
    refuse('E_LIMIT', `${show(address)} has ${total} bytes, more than ${maxBytes}; copy the files and name them`, {
      limit: maxBytes,
    });
  const found = await connection.runAndReadAll(`SELECT filename, content FROM ${files} ORDER BY filename`);
  if (found.currentRowCount === 0) refuse('E_PATH', `there is no file ${show(address)}`, {});
  return found.getRows().map(([name, content]) => ({
    name: String(name),
    bytes: (content as { readonly bytes: Uint8Array }).bytes,
  }));
}
