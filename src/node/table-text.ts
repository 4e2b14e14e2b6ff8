import type { TextFormat } from '../data/sniff.ts';
import type { Peeked } from './peek.ts';
import type { TextFile } from './table-blocks.ts';
import { openCsv } from './table-csv.ts';
import { openLines, openMbox } from './table-lines.ts';
import type { OpenTableOptions } from './table-options.ts';
import type { TableReader } from './table-reader.ts';

/** Opens a text in its format. */
export function openText(
  format: TextFormat,
  text: Peeked,
  file: TextFile,
  options: OpenTableOptions,
): TableReader | Promise<TableReader> {
  if (format === 'csv' || format === 'tsv') return openCsv(text, format, file, options);
  return format === 'mbox' ? openMbox(text, options) : openLines(text, format, file, options);
}
