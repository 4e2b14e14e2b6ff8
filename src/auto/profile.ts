import { levelReader } from '../data/cell-format.ts';
import { flattenRows } from '../data/flatten.ts';
import { Matrix } from '../data/matrix.ts';
import { compareCodePoints } from '../data/order.ts';
import { refuse } from '../errors.ts';
import { cellOf, type DataRow, isBlank, wordOf } from './cells.ts';
import { accuracyAlone } from './column-alone.ts';
import { guessTarget } from './guess-target.ts';
import { inferSchema, readingOf, type Schema, type SchemaColumn } from './schema.ts';
import { describeCells } from './schema-kinds.ts';
import { findWarnings, type Warning } from './warnings.ts';

/** How often a value occurs. */
export interface ValueShare {
  readonly value: string;
  readonly rows: number;
  readonly share: number;
}

/** What a column holds, with what a person wants to see of it. */
export interface ProfiledColumn extends SchemaColumn {
  /** The most frequent values of a category or a label, at most ten. */
  readonly top?: readonly ValueShare[];
  /** The median length of a text, in UTF-16 units. */
  readonly typicalLength?: number;
}

/** The column with the labels. */
export interface ProfiledTarget {
  readonly name: string;
  /** Whether it was guessed, and why, as a part of a sentence. */
  readonly guessed: boolean;
  readonly reason: string;
  /** All classes, the most frequent first. */
  readonly classes: readonly ValueShare[];
  /** Rows without a label. */
  readonly missing: number;
}

/** What rows look like before anything is learned from them. */
export interface TableProfile {
  readonly rows: number;
  readonly target: ProfiledTarget | undefined;
  readonly columns: readonly ProfiledColumn[];
  /** Rows that are copies of an earlier one in every feature. */
  readonly duplicates: number;
  readonly warnings: readonly Warning[];
}

const MOST_VALUES = 10;

/** Tells kinds, roles, balance, gaps, copies and leaks of rows. Without a target the likeliest column is taken for it. */
export function profileRows(
  rows: readonly DataRow[],
  options: { readonly target?: string | undefined } = {},
): TableProfile {
  if (rows.length === 0) refuse('E_EMPTY_INPUT', 'there are no rows to look at', { rows: 0 });
  const flat = flattenRows(rows);
  const names = namesOf(flat);
  const guess = options.target === undefined ? guessTarget(flat, names) : undefined;
  const target = options.target ?? guess?.name;
  if (target === undefined) return withoutTarget(flat, names);
  const schema = inferSchema(rows, { target });
  const labels = flat.map((row) => cellOf(row, target)).map((cell) => (isBlank(cell) ? undefined : wordOf(cell)));
  const classes = sharesOf(labels.filter((label) => label !== undefined));
  const groups = groupsOf(flat, schema);
  return {
    rows: rows.length,
    target: {
      name: target,
      guessed: guess !== undefined,
      reason: guess?.reason ?? 'asked for',
      classes,
      missing: labels.filter((label) => label === undefined).length,
    },
    columns: schema.columns.map((column) => profileColumn(flat, column)),
    duplicates: rows.length - new Set(groups).size,
    warnings: warningsOf(flat, schema, labels, classes, groups),
  };
}

function namesOf(rows: readonly DataRow[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

function withoutTarget(rows: readonly DataRow[], names: readonly string[]): TableProfile {
  const columns = names.map((name): SchemaColumn => {
    const { kind, reason, missing, counts, format } = describeCells(
      name,
      rows.map((row) => cellOf(row, name)),
    );
    const role = kind === 'identifier' || kind === 'constant' || kind === 'split' ? 'ignored' : 'feature';
    return { name, kind, role, reason, missing, distinct: counts.size, ...readingOf(kind, { counts }, format) };
  });
  const groups = groupsOf(rows, { target: '', rows: rows.length, columns });
  const duplicates = rows.length - new Set(groups).size;
  return {
    rows: rows.length,
    target: undefined,
    columns: columns.map((column) => profileColumn(rows, column)),
    duplicates,
    warnings: [],
  };
}

function profileColumn(rows: readonly DataRow[], column: SchemaColumn): ProfiledColumn {
  const read = levelReader(column.format);
  const words = rows.map((row) => read(cellOf(row, column.name))).filter((word) => word !== undefined);
  if (column.kind === 'text') {
    const lengths = Float64Array.from(words, (word) => word.length).sort();
    return { ...column, typicalLength: lengths[Math.floor(lengths.length / 2)] ?? 0 };
  }
  return column.kind === 'category' || column.kind === 'boolean'
    ? { ...column, top: sharesOf(words).slice(0, MOST_VALUES) }
    : column;
}

/** Values with their shares, the most frequent first, equals in the order of their code points. */
function sharesOf(words: readonly string[]): ValueShare[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const order = [...counts].sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b));
  return order.map(([value, count]) => ({ value, rows: count, share: count / words.length }));
}

/** A number for every row, the same for rows that are alike in every feature. */
function groupsOf(rows: readonly DataRow[], { columns }: Schema): Int32Array {
  const features = columns.filter(({ role }) => role === 'feature').map(({ name }) => name);
  const numbers = new Map<string, number>();
  return Int32Array.from(rows, (row) => {
    const words = features.map((name) => wordOf(cellOf(row, name) ?? ''));
    const key = words.map((word) => `${word.length}:${word}`).join(''); // lengths keep neighbours apart
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
}

function warningsOf(
  rows: readonly DataRow[],
  schema: Schema,
  labels: readonly (string | undefined)[],
  classes: readonly ValueShare[],
  groups: Int32Array,
): Warning[] {
  const code = new Map(classes.map(({ value }, c) => [value, c]));
  const codes = Int32Array.from(labels, (label) => (label === undefined ? -1 : code.get(label)!));
  const alone = schema.columns
    .filter(({ role, kind }) => role === 'feature' && kind !== 'text')
    .map((column) => ({ name: column.name, accuracy: accuracyAlone(rows, column, codes, classes.length) }));
  const labelled = [...codes.keys()].filter((i) => codes[i]! >= 0);
  return findWarnings({
    schema,
    classes: classes.map(({ value }) => value),
    codes: Int32Array.from(labelled, (i) => codes[i]!),
    groups: Int32Array.from(labelled, (i) => groups[i]!),
    alone,
    outOfFold: new Matrix(0, classes.length),
    judged: new Int32Array(), // nothing was predicted yet, so nothing is said of confidence
  });
}
