import { fileURLToPath } from 'node:url';
import type { DataRow } from '../data/cells.ts';
import { type BlockTable, RecordTable } from '../data/column-table.ts';
import { BadRows, wholeOption } from '../data/faults.ts';
import { emptyRecord } from '../data/table.ts';
import { refuse } from '../errors.ts';
import type { OpenTableOptions } from './table-options.ts';
import { requireColumns, type TableReader } from './table-reader.ts';
import { listTexts, readText, type TextFile } from './text-files.ts';

const MOST_BYTES = 1 << 24;
const CHUNK_BYTES = 1 << 22;

/** Opens a folder: each file is a row, its sub-folder the label. `onFile` receives the size of every file. */
export async function openFolder(
  path: string | URL,
  options: OpenTableOptions,
  onFile: (bytes: number) => void,
): Promise<TableReader> {
  const files = await listTexts(path instanceof URL ? fileURLToPath(path) : path);
  const columns = files[0]?.label === undefined ? ['text', 'file'] : ['label', 'text', 'file'];
  const wanted = options.columns ?? columns;
  requireColumns(wanted, columns);
  const bytesTotal = files.reduce((sum, { size }) => sum + size, 0);
  return { columns: wanted, bytesTotal, tables: readFiles(files, wanted, options, onFile) };
}

async function* readFiles(
  files: readonly TextFile[],
  wanted: readonly string[],
  options: OpenTableOptions,
  onFile: (bytes: number) => void,
): AsyncGenerator<BlockTable, void, undefined> {
  const { encoding = 'utf-8', signal } = options;
  const bad = new BadRows(options);
  const limit = wholeOption('maxRowBytes', options.maxRowBytes, MOST_BYTES, 1);
  const batchRows = wholeOption('batchRows', options.batchRows, 4096, 1);
  let [rows, lines, bytes]: [DataRow[], number[], number] = [[], [], 0];
  for (const [i, file] of files.entries()) {
    if (signal?.aborted) refuse('E_CANCELLED', 'reading was aborted by the caller', {}, signal.reason);
    const text = await readText(file, encoding, limit, options);
    onFile(file.size);
    if (typeof text === 'string') {
      rows.push(rowOf(file, text, wanted));
      lines.push(i + 1);
      bytes += text.length;
    } else if (bad.admits) bad.leaveOut(text, file.name);
    else bad.refuse({ ...text, reason: `${text.reason} (in the file ${file.name})`, details: { file: file.name } });
    if (rows.length < batchRows && bytes < CHUNK_BYTES) continue;
    yield new RecordTable(rows, lines);
    [rows, lines, bytes] = [[], [], 0];
  }
  if (rows.length > 0) yield new RecordTable(rows, lines);
}

function rowOf({ label, name }: TextFile, text: string, wanted: readonly string[]): DataRow {
  const cells = new Map<string, unknown>([
    ['label', label],
    ['text', text],
    ['file', name],
  ]);
  const row = emptyRecord<unknown>();
  for (const column of wanted) row[column] = cells.get(column);
  return row;
}
