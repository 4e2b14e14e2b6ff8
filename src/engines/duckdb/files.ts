import { refuse, show } from '../../errors.ts';
import { quoteString } from '../sql/dialect.ts';

/** The formats of files. */
export type FileFormat = 'csv' | 'json' | 'parquet' | 'iceberg' | 'delta';

/** How text files are read. Default: detected. */
export interface FileOptions {
  /**
   * The format of the files; tables of Iceberg and Delta are folders, and one of Iceberg without a version hint is named by its metadata
   * file. Default: by their extensions.
   */
  readonly format?: FileFormat | undefined;
  /** The field delimiter of CSV. Default: detected. */
  readonly delimiter?: string | undefined;
  /** Whether the first row of CSV has the names. Default: detected. */
  readonly header?: boolean | undefined;
  /** Types of columns, in DuckDB's notation. Default: inferred from the first rows. */
  readonly types?: Readonly<Record<string, string>> | undefined;
}

const ENDINGS: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.parquet$/i, 'parquet'],
  [/\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i, 'json'],
  [/\.(csv|tsv|txt)(\.gz|\.zst)?$/i, 'csv'],
];

/** The format of files by their extensions; files of two formats are an error. */
export function formatOf(files: readonly string[]): FileFormat {
  const formats = new Set(files.map((file) => ENDINGS.find(([ending]) => ending.test(file))?.[1]));
  const [format] = formats;
  if (formats.size === 1 && format) return format;
  const sentence =
    formats.size > 1
      ? 'the files are of different formats; read them one format at a time'
      : `the format of ${show(files[0])} cannot be inferred from its name; give format: csv, json, parquet, iceberg or delta`;
  return refuse('E_FORMAT', sentence, { files: files.slice(0, 10) });
}

/** The FROM clause that reads these files. */
export function filesRelation(files: readonly string[], options: FileOptions = {}): string {
  const { format = formatOf(files), delimiter, header, types } = options;
  const text = (value: string) => quoteString('duckdb', value);
  const list = `[${files.map(text).join(', ')}]`;
  if (format === 'parquet') return `read_parquet(${list})`;
  if (format === 'iceberg' || format === 'delta') {
    if (files.length > 1) refuse('E_PARAM', `a table of the format ${format} is one folder`, { name: 'files' });
    return `${format}_scan(${text(files[0])})`;
  }
  const declared = Object.entries(types ?? {}).map(([name, type]) => `${text(name)}: ${text(type)}`);
  if (format === 'json') {
    if (declared.length > 0) refuse('E_PARAM', 'types are only for CSV; JSON has its own', { name: 'types' });
    return `read_json(${list}, format = 'auto')`;
  }
  const given = [
    list,
    ...(delimiter === undefined ? [] : [`delim = ${text(delimiter)}`]),
    ...(header === undefined ? [] : [`header = ${header}`]),
    ...(declared.length === 0 ? [] : [`types = {${declared.join(', ')}}`]),
  ];
  return `read_csv(${given.join(', ')})`;
}
