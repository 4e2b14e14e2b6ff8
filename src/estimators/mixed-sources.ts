import { checkNames } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { NameCheck } from '../data/names.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { readTable, type TableRows } from '../features/table.ts';
import type { Family } from '../models/mixed.ts';
import { inferFamily, isList, isMissing } from './mixed-cells.ts';
import { type ColumnFamilies, featuresOf, type MixedColumn, widthOf } from './mixed-columns.ts';

/** A column as it came: one cell per row, or a matrix with several features. */
export type Source = ArrayLike<unknown> | Matrix | SparseMatrix;

/** Columns as they came, with their names. */
export interface Sources {
  readonly sources: readonly Source[];
  readonly names: readonly string[] | undefined;
  readonly rows: number;
}

/** Takes rows of any accepted kind apart into columns. */
export function readSources(
  X: unknown,
  known: readonly MixedColumn[] | undefined,
  { families, extra, learning }: { families: ColumnFamilies | null; extra: 'error' | 'ignore'; learning: boolean },
): Sources {
  if (X instanceof SparseMatrix) refuse('E_TYPE', 'a sparse matrix is one column among others here: { words: X }');
  if (X instanceof Matrix && known) return splitMatrix(X, known);
  const { single, blocks } = takeBlocks(X);
  const named = known && known[0]?.name !== null ? known.map(({ name }) => name as string) : undefined;
  const expected = named ?? (families && !Array.isArray(families) ? declared(single, families) : undefined);
  const table = readTable(single as TableRows, {
    names: expected?.filter((name) => !blocks.has(name)),
    features: blocks.size === 0 && !learning ? known?.length : undefined,
    extra,
    absent: true,
  });
  if (blocks.size === 0) return { sources: table.columns, names: named ?? table.names, rows: table.rows };
  const names = named ?? [...new Set([...Object.keys(X as object), ...(table.names ?? [])])];
  new NameCheck({ names, optional: 'all', extra }).check(Object.fromEntries(blocks));
  const present = Object.keys(single as object).length > 0;
  const rows = present ? table.rows : [...blocks.values()][0].rows;
  const empty = new Array<unknown>(rows).fill(null);
  const columnOf = (name: string) => (present ? table.columns[table.names?.indexOf(name) ?? -1] : empty);
  return { sources: names.map((name) => blocks.get(name) ?? columnOf(name)), names, rows };
}

/** Columns that were given as a matrix, apart from the others. */
function takeBlocks(X: unknown): { single: unknown; blocks: Map<string, Matrix | SparseMatrix> } {
  const blocks = new Map<string, Matrix | SparseMatrix>();
  if (typeof X !== 'object' || X === null || Array.isArray(X) || X instanceof Matrix) return { single: X, blocks };
  for (const [name, column] of Object.entries(X)) {
    if (column instanceof Matrix || column instanceof SparseMatrix) blocks.set(name, column);
  }
  const single = blocks.size === 0 ? X : Object.fromEntries(Object.entries(X).filter(([name]) => !blocks.has(name)));
  return { single, blocks };
}

/** The names in the rows, and those that were declared although no row has them. */
function declared(X: unknown, families: object): readonly string[] | undefined {
  const records: unknown[] = Array.isArray(X) ? X : [X];
  if (records.some((row) => typeof row !== 'object' || row === null || isList(row) || row instanceof Matrix)) {
    return undefined;
  }
  return checkNames([...new Set([...records.flatMap((row) => Object.keys(row as object)), ...Object.keys(families)])]);
}

/** A matrix of all features, as `sample` draws them, in columns. */
function splitMatrix(X: Matrix, known: readonly MixedColumn[]): Sources {
  const features = featuresOf(known);
  if (X.rows > 0 && X.cols !== features) {
    const details = { expected: features, actual: X.cols };
    refuse('E_FEATURE_COUNT', `rows have ${X.cols} features, the model has ${features}`, details);
  }
  const rows = Array.from({ length: X.rows }, (_, i) => X.row(i));
  let start = 0;
  const sources = known.map((column): Source => {
    const from = start;
    start += widthOf(column);
    const to = start;
    return column.width === undefined ? rows.map((row) => row[from]) : rows.map((row) => row.subarray(from, to));
  });
  return { sources, names: undefined, rows: X.rows };
}

/** What can be told of a column from its first rows. */
export function describe(source: Source, name: string | null, k: number, families: ColumnFamilies | null): MixedColumn {
  const isMatrix = source instanceof Matrix || source instanceof SparseMatrix;
  const first = isMatrix ? undefined : Array.from(source).find((cell) => !isMissing(cell));
  const width = isMatrix ? source.cols : isList(first) ? first.length : undefined;
  const family = givenFamily(families, name, k) ?? (isMatrix ? matrixFamily(source) : inferFamily(first, source, k));
  const levels = family === 'categorical' ? Array.from({ length: width ?? 1 }, () => null) : undefined;
  return { name, family, ...(width !== undefined && { width }), ...(levels && { levels }) };
}

function givenFamily(families: ColumnFamilies | null, name: string | null, k: number): Family | undefined {
  if (families === null || Array.isArray(families)) return families?.[k];
  const byName = families as Readonly<Record<string, Family>>;
  return name !== null && Object.hasOwn(byName, name) ? byName[name] : undefined;
}

const matrixFamily = (source: Matrix | SparseMatrix): Family =>
  source instanceof SparseMatrix ? 'multinomial' : 'gaussian';
