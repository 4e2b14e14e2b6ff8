import { arffLines } from '../data/arff.ts';
import { SAMPLE_BYTES } from '../data/csv-delimiter.ts';
import { arrayLines } from '../data/json-array.ts';
import type { TextFormat } from '../data/sniff.ts';
import { type Peeked, peek } from './peek.ts';
import type { TextFile } from './table-blocks.ts';
import { openCsv } from './table-csv.ts';
import { openLines, openMbox } from './table-lines.ts';
import type { OpenTableOptions } from './table-options.ts';
import type { TableReader } from './table-reader.ts';

/** Opens a text in its format. A JSON array is converted to JSON Lines, and ARFF to CSV, while reading. */
export async function openText(
  format: TextFormat,
  text: Peeked,
  file: TextFile,
  options: OpenTableOptions,
): Promise<TableReader> {
  const converted = { ...file, transcoded: true };
  if (format === 'json') {
    const lines = await peek(arrayLines(text.chunks), SAMPLE_BYTES);
    return openLines(lines, 'jsonl', converted, options);
  }
  if (format === 'arff') {
    const rows = await peek(arffLines(text.chunks), SAMPLE_BYTES);
    return openCsv(rows, 'csv', converted, { ...options, delimiter: ',', header: true });
  }
  if (format === 'csv' || format === 'tsv') return openCsv(text, format, file, options);
  return format === 'mbox' ? openMbox(text, options) : openLines(text, format, file, options);
}
