import { refuseBinary } from '../../src/data/binary.ts';
import type { DataRow } from '../../src/data/cells.ts';
import { SAMPLE_BYTES } from '../../src/data/csv-delimiter.ts';
import { formatCsv } from '../../src/data/csv-format.ts';
import type { BadRow } from '../../src/data/faults.ts';
import { sha256 } from '../../src/data/sha256.ts';
import { sniffText } from '../../src/data/sniff.ts';
import type { Dataset } from '../../src/datasets/dataset.ts';
import { loadIris } from '../../src/datasets/iris.ts';
import { loadTitanic } from '../../src/datasets/titanic.ts';
import { refuse, show } from '../../src/errors.ts';
import type { Peeked } from '../../src/node/peek.ts';
import type { OpenTableOptions } from '../../src/node/table-options.ts';
import type { TableReader } from '../../src/node/table-reader.ts';
import { openText } from '../../src/node/table-text.ts';
import type { DataSource } from '../protocol.ts';

/** All rows of a file, with what is known of it. */
export interface Reading {
  readonly name: string;
  readonly format: string;
  readonly reason: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly rows: readonly DataRow[];
  /** The lines on which the rows begin. */
  readonly lines: readonly number[];
  readonly bad: readonly BadRow[];
}

/** A page holds its rows in memory; beyond this the command does better. */
const MOST_BYTES = 128 * 1_000_000;
const MOST_ROWS = 1_000_000;
const MOST_COLUMNS = 2_000;
/** So many broken rows are left out and listed; with more the file is probably something else. */
const MOST_BAD_ROWS = 1_000;

/** Reads data, telling the format from the content exactly as the command line does. */
export async function readData(source: DataSource, tell: (share: number) => void): Promise<Reading> {
  const { name, blob } = await blobOf(source);
  if (blob.size > MOST_BYTES) {
    const sentence = `${show(name)} has ${Math.round(blob.size / 1e6)} MB and this page reads up to ${MOST_BYTES / 1e6} MB; use the command: polya fit`;
    refuse('E_LIMIT', sentence, { limit: MOST_BYTES });
  }
  if (blob.size === 0) refuse('E_EMPTY_INPUT', `${show(name)} is empty`, { rows: 0 });
  const plain = await plainOf(blob);
  const bad: BadRow[] = [];
  const options: OpenTableOptions = { maxBadRows: MOST_BAD_ROWS, onBadRow: (row) => bad.push(row), batchRows: 4096 };
  const { format, reason, reader } = await recognise(plain, name, options, tell);
  if (reader.columns.length > MOST_COLUMNS) {
    const sentence = `${show(name)} has ${reader.columns.length} columns and this page shows up to ${MOST_COLUMNS}; use the command: polya fit`;
    refuse('E_LIMIT', sentence, { limit: MOST_COLUMNS });
  }
  const [rows, lines]: [DataRow[], number[]] = [[], []];
  for await (const table of reader.tables) {
    for (const row of table.records()) rows.push(row);
    for (let i = 0; i < table.length; i++) lines.push(table.line(i));
    if (rows.length > MOST_ROWS) {
      const sentence = `${show(name)} has more than ${MOST_ROWS} rows, which this page does not hold; use the command: polya fit`;
      refuse('E_LIMIT', sentence, { limit: MOST_ROWS });
    }
  }
  if (rows.length === 0) refuseEmpty(name, bad[0]);
  const hash = sha256(new Uint8Array(await blob.arrayBuffer()));
  return { name, format, reason, bytes: blob.size, sha256: hash, columns: columnsOf(reader, rows), rows, lines, bad };
}

function refuseEmpty(name: string, first: BadRow | undefined): never {
  const told = first ? `has no good row; line ${first.line}: ${first.reason}` : 'has no rows';
  refuse('E_EMPTY_INPUT', `${show(name)} ${told}`, { rows: 0 });
}

function columnsOf({ columns }: TableReader, rows: readonly DataRow[]): string[] {
  const names = new Set(columns);
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

async function blobOf(source: DataSource): Promise<{ name: string; blob: Blob }> {
  if (source.kind === 'file') return { name: source.file.name, blob: source.file };
  if (source.kind === 'paste') return { name: 'pasted.csv', blob: new Blob([source.text]) };
  const open = samples.get(source.name) ?? refuse('E_NOT_FOUND', `there is no sample ${show(source.name)}`);
  return { name: `${source.name}.csv`, blob: await open() };
}

/** The samples as CSV. The texts are files of their own, which are fetched when they are opened. */
const samples: ReadonlyMap<string, () => Blob | Promise<Blob>> = new Map<string, () => Blob | Promise<Blob>>([
  ['sms', () => fetched(new URL('../../data/sms.csv.gz', import.meta.url))],
  ['reviews', () => fetched(new URL('../../data/reviews.csv.gz', import.meta.url))],
  ['iris', () => asCsv(loadIris())],
  ['titanic', () => asCsv(loadTitanic())],
]);

const asCsv = ({ columns, rows }: Dataset): Blob =>
  new Blob([formatCsv([columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))])]);

async function fetched(file: URL): Promise<Blob> {
  const response = await fetch(file).catch(() => undefined);
  if (!response?.ok) refuse('E_IO', `the sample could not be fetched from ${file.href}`);
  return plainOf(await response.blob());
}

/** The content of a file, unpacked if it is gzip. */
async function plainOf(blob: Blob): Promise<Blob> {
  const head = await headOf(blob);
  return head[0] === 0x1f && head[1] === 0x8b ? unpack(blob) : blob;
}

const headOf = async (blob: Blob): Promise<Uint8Array> =>
  new Uint8Array(await blob.slice(0, SAMPLE_BYTES).arrayBuffer());

/** Unpacks gzip, no further than a page holds. */
async function unpack(blob: Blob): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of piecesOf(blob.stream().pipeThrough(new DecompressionStream('gzip')))) {
    size += piece.length;
    if (size > MOST_BYTES) refuse('E_LIMIT', `unpacked it has more than ${MOST_BYTES / 1e6} MB`, { limit: MOST_BYTES });
    pieces.push(piece);
  }
  return new Blob(pieces);
}

async function* piecesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    refuse('E_FORMAT', `the file cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function recognise(
  blob: Blob,
  name: string,
  options: OpenTableOptions,
  tell: (share: number) => void,
): Promise<{ format: string; reason: string; reader: TableReader }> {
  const head = await headOf(blob);
  if (String.fromCharCode(...head.subarray(0, 4)) === 'PAR1') {
    const { openParquet } = await import('../../src/node/table-parquet.ts');
    const slice = (start: number, end?: number) => blob.slice(start, end).arrayBuffer();
    const reader = await openParquet({ byteLength: blob.size, slice, close: async () => undefined }, options);
    return { format: 'parquet', reason: 'it begins with PAR1', reader };
  }
  refuseBinary(head);
  const whole = blob.size <= head.length;
  const text: Peeked = { head, whole, chunks: told(blob, tell) };
  const { format, reason } = sniffText(head, { name, whole });
  const reader = await openText(format, text, { name, isPath: true, transcoded: false }, options);
  return { format, reason, reader };
}

async function* told(blob: Blob, tell: (share: number) => void): AsyncGenerator<Uint8Array, void, undefined> {
  let read = 0;
  for await (const piece of piecesOf(blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>)) {
    read += piece.length;
    tell(read / blob.size);
    yield piece;
  }
}
