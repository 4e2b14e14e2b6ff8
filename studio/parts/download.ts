import { formatCsv } from '../../src/index.ts';
import { harmless } from '../../src/workbench.ts';

/** A table as plain data. */
export interface Rows {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Downloads a file. */
export function download(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A table as CSV. */
export const asCsv = ({ heads, rows }: Rows): string =>
  formatCsv([[...heads], ...rows.map((row) => row.map((cell) => harmless(String(cell))))]);

/** A table as JSON: one object per row. */
export const asJson = ({ heads, rows }: Rows): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(heads.map((head, k) => [head || `column ${k + 1}`, row[k]]))),
    null,
    2,
  );

/** A table as Markdown; bars, brackets and line ends in cells are escaped. */
export function asMarkdown({ heads, rows }: Rows): string {
  const cell = (value: string | number) =>
    String(value)
      .replaceAll(/([|\\<>[\]`*_])/g, '\\$1')
      .replaceAll(/\s+/g, ' ');
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

/** A file name that is valid on every file system. */
export const fileName = (title: string): string =>
  title
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'chart';
