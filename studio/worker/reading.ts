import { type BadRow, type Dataset, formatCsv, loadIris, loadTitanic, type TextEncoding } from '../../src/index.ts';
import {
  compareCodePoints,
  type DataRow,
  decodeText,
  detectEncoding,
  encodingOf,
  type OpenTableOptions,
  openParquet,
  openText,
  peek,
  refuse,
  refuseBinary,
  SAMPLE_BYTES,
  sha256,
  show,
  sniffText,
  type TableReader,
  toUtf8,
  unpackBrotli,
} from '../../src/workbench.ts';
import type { DataSource, NamedFile } from '../protocol.ts';

/** The rows of a file and how it was read. */
export interface Reading {
  readonly name: string;
  readonly format: string;
  readonly reason: string;
  /** The text encoding; '' if the data are not text. */
  readonly encoding: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly string[];
  readonly rows: readonly DataRow[];
  /** The line on which each row begins. */
  readonly lines: readonly number[];
  readonly bad: readonly BadRow[];
  /** The new names of columns whose name another column had before them. */
  readonly renamed: readonly string[];
}

/** The most bytes that a page reads; larger files are for the command line. */
const MOST_BYTES = 128 * 1_000_000;
const MOST_ROWS = 1_000_000;
const MOST_COLUMNS = 2_000;
/** The number of leading bytes used to detect the encoding. */
const DETECTED_BYTES = 1 << 20;
/** The most malformed rows that are skipped and listed; with more, the file is probably not in this format. */
const MOST_BAD_ROWS = 1_000;

/** Reads data; format and encoding are detected from the content, as on the command line. */
export async function readData(source: DataSource, tell: (share: number) => void): Promise<Reading> {
  const { name, files } = await filesOf(source);
  const size = files.reduce((sum, { blob }) => sum + blob.size, 0);
  if (size > MOST_BYTES) {
    const sentence = `${show(name)} has ${Math.round(size / 1e6)} MB and this page reads up to ${MOST_BYTES / 1e6} MB; use the command: polya fit`;
    refuse('E_LIMIT', sentence, { limit: MOST_BYTES });
  }
  if (size === 0) refuse('E_EMPTY_INPUT', `${show(name)} is empty`, { rows: 0 });
  const bad: BadRow[] = [];
  const encoding = source.kind === 'files' && source.encoding ? encodingOf(source.encoding) : undefined;
  const found = await readFiles(files, { bad, encoding, size, tell });
  const { columns, rows } = found;
  if (columns.length > MOST_COLUMNS) {
    const sentence = `${show(name)} has ${columns.length} columns and this page shows up to ${MOST_COLUMNS}; use the command: polya fit`;
    refuse('E_LIMIT', sentence, { limit: MOST_COLUMNS });
  }
  if (rows.length === 0) refuseEmpty(name, bad[0]);
  const hash = sha256(new Uint8Array(await new Blob(files.map(({ blob }) => blob)).arrayBuffer()));
  return { name, ...found, bytes: size, sha256: hash, bad };
}

/** Options for reading files. */
interface ReadOptions {
  readonly bad: BadRow[];
  /** Detected for each file by default. */
  readonly encoding: TextEncoding | undefined;
  readonly size: number;
  readonly tell: (share: number) => void;
}

type Rows = Omit<Reading, 'name' | 'bytes' | 'sha256' | 'bad'>;

/** File names of tables: several of them form one table; all other files are texts. */
const TABLE = /\.(csv|tsv|tab|json|jsonl|ndjson|arff|parquet)(\.gz)?$/i;

/** Tables are concatenated by column names. In a folder of texts each file is a row and its sub-folder the label. */
async function readFiles(files: readonly NamedFile[], options: ReadOptions): Promise<Rows> {
  if (files.length > 1 && !files.every(({ path }) => TABLE.test(path))) return readTexts(files, options);
  const parts: Rows[] = [];
  let done = 0;
  for (const file of files) {
    const from = done;
    const tell = (share: number) => options.tell((from + share * file.blob.size) / options.size);
    parts.push(await readTable(file, { ...options, tell }));
    done += file.blob.size;
  }
  const [first] = parts;
  if (parts.length === 1) return first;
  const rows = parts.flatMap((part) => part.rows);
  const columns = [...new Set(parts.flatMap((part) => part.columns))];
  return { ...first, columns, rows, lines: rows.map((_, i) => i + 1) };
}

async function readTable({ path, blob }: NamedFile, { bad, encoding, tell }: ReadOptions): Promise<Rows> {
  const options: OpenTableOptions = {
    ...{ maxBadRows: MOST_BAD_ROWS, onBadRow: (row) => bad.push(row), batchRows: 4096 },
    duplicates: 'number', // as the command reads them
  };
  const plain = await plainOf(blob);
  const { format, reason, reader, encoding: found } = await recognise({ path, blob: plain }, encoding, options, tell);
  const [rows, lines]: [DataRow[], number[]] = [[], []];
  for await (const table of reader.tables) {
    for (const row of table.records()) rows.push(row);
    for (let i = 0; i < table.length; i++) lines.push(table.line(i));
    if (rows.length > MOST_ROWS) {
      const sentence = `${show(path)} has more than ${MOST_ROWS} rows, which this page does not hold; use the command: polya fit`;
      refuse('E_LIMIT', sentence, { limit: MOST_ROWS });
    }
  }
  const renamed = reader.renamed ?? [];
  return { format, reason, encoding: found, columns: columnsOf(reader, rows), rows, lines, renamed };
}

/** One row per text; the first sub-folder of its path is its label, if there are sub-folders. */
async function readTexts(files: readonly NamedFile[], { bad, encoding, tell }: ReadOptions): Promise<Rows> {
  const texts = files
    .map(({ path, blob }) => ({ names: path.split('/'), blob }))
    .filter(({ names }) => !names.some((name) => name.startsWith('.')))
    .sort((a, b) => compareCodePoints(a.names.join('/'), b.names.join('/')));
  const hasLabels = texts.some(({ names }) => names.length > 2);
  const rows: DataRow[] = [];
  let first = '';
  for (const [i, { names, blob }] of texts.entries()) {
    if (hasLabels && names.length < 3) continue;
    tell(i / texts.length);
    const bytes = new Uint8Array(await (await plainOf(blob)).arrayBuffer());
    const own = encoding ?? detectEncoding(bytes);
    const text = decodeText(bytes, own, 'strict');
    first ||= own;
    const file = names.slice(1).join('/') || names[0];
    if (text === undefined || text.includes('\0'))
      bad.push({
        line: i + 1,
        column: 1,
        offset: 0,
        code: 'E_ENCODING',
        reason: `${show(file)} is not text in ${own}`,
        text: '',
      });
    else rows.push({ ...(hasLabels && { label: names[1] }), text: text.replace(/^\ufeff/, ''), file });
  }
  const columns = [...(hasLabels ? ['label'] : []), 'text', 'file'];
  return {
    format: 'folder',
    reason: 'it is a folder',
    encoding: first,
    columns,
    rows,
    lines: rows.map((_, i) => i + 1),
    renamed: [],
  };
}

function refuseEmpty(name: string, first: BadRow | undefined): never {
  const why = first ? `has no good row; line ${first.line}: ${first.reason}` : 'has no rows';
  refuse('E_EMPTY_INPUT', `${show(name)} ${why}`, { rows: 0 });
}

function columnsOf({ columns }: TableReader, rows: readonly DataRow[]): string[] {
  const names = new Set(columns);
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

async function filesOf(source: DataSource): Promise<{ name: string; files: readonly NamedFile[] }> {
  if (source.kind === 'files') return { name: nameOf(source.files), files: source.files };
  if (source.kind === 'paste') return oneFile('pasted.csv', new Blob([source.text]));
  const open = samples.get(source.name) ?? refuse('E_NOT_FOUND', `there is no sample ${show(source.name)}`);
  return oneFile(`${source.name}.csv`, await open());
}

const oneFile = (name: string, blob: Blob) => ({ name, files: [{ path: name, blob }] });

/** The name of a file; for several files, their folder, or the first file and the number of others. */
function nameOf(files: readonly NamedFile[]): string {
  const [{ path }] = files;
  const [folder] = path.split('/');
  if (files.length === 1) return path.split('/').pop()!;
  return files.every((file) => file.path.startsWith(`${folder}/`)) ? folder : `${path} + ${files.length - 1}`;
}

/** The samples as CSV. Text samples are separate files, fetched on demand. */
const samples: ReadonlyMap<string, () => Blob | Promise<Blob>> = new Map<string, () => Blob | Promise<Blob>>([
  ['sms', () => fetched(new URL('../../data/sms.csv.br', import.meta.url), 481_137)],
  ['reviews', () => fetched(new URL('../../data/reviews.csv.br', import.meta.url), 1_337_392)],
  ['iris', () => asCsv(loadIris())],
  ['titanic', () => asCsv(loadTitanic())],
]);

const asCsv = ({ columns, rows }: Dataset): Blob =>
  new Blob([formatCsv([columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))])]);

/** A compressed sample, with its size in bytes. */
async function fetched(file: URL, size: number): Promise<Blob> {
  const response = await fetch(file).catch(() => undefined);
  if (!response?.ok) refuse('E_IO', `the sample could not be fetched from ${file.href}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return new Blob([bytes.length === size ? bytes : await unpackBrotli(bytes, size)]); // some servers let the browser unpack it
}

/** The content of a file, unpacked if it is gzip. */
async function plainOf(blob: Blob): Promise<Blob> {
  const head = await headOf(blob);
  return head[0] === 0x1f && head[1] === 0x8b ? unpack(blob) : blob;
}

const headOf = async (blob: Blob): Promise<Uint8Array> =>
  new Uint8Array(await blob.slice(0, SAMPLE_BYTES).arrayBuffer());

/** Unpacks gzip, up to the size limit. */
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
  { path: name, blob }: NamedFile,
  given: TextEncoding | undefined,
  options: OpenTableOptions,
  tell: (share: number) => void,
): Promise<{ format: string; reason: string; encoding: string; reader: TableReader }> {
  const head = await headOf(blob);
  if (String.fromCharCode(...head.subarray(0, 4)) === 'PAR1') {
    const slice = (start: number, end?: number) => blob.slice(start, end).arrayBuffer();
    const reader = await openParquet({ byteLength: blob.size, slice, close: async () => undefined }, options);
    return { format: 'parquet', reason: 'it begins with PAR1', encoding: '', reader };
  }
  const encoding = given ?? detectEncoding(new Uint8Array(await blob.slice(0, DETECTED_BYTES).arrayBuffer()));
  if (!encoding.startsWith('utf-16')) refuseBinary(head);
  const text = await peek(toUtf8(withProgress(blob, tell), encoding), SAMPLE_BYTES);
  const { format, reason } = sniffText(text.head.subarray(0, SAMPLE_BYTES), {
    name,
    whole: text.whole && text.head.length <= SAMPLE_BYTES,
  });
  const reader = await openText(format, text, { name, isPath: true, transcoded: encoding !== 'utf-8' }, options);
  return { format, reason, encoding, reader };
}

async function* withProgress(blob: Blob, tell: (share: number) => void): AsyncGenerator<Uint8Array, void, undefined> {
  let read = 0;
  for await (const piece of piecesOf(blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>)) {
    read += piece.length;
    tell(read / blob.size);
    yield piece;
  }
}
