import { checkNames } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { NameCheck } from '../data/names.ts';
import { CodedColumn, cellAt, PackedColumn } from '../data/packed-columns.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { readTable, type TableRows } from '../features/table.ts';
import type { Family } from '../models/mixed.ts';
import { inferFamily, isList, isMissing } from './mixed-cells.ts';
import { type ColumnFamilies, featuresOf, type MixedColumn, widthOf } from './mixed-columns.ts';

/** A column as it came: one cell per row, or a matrix with several features. */
export type Source = Cells | Matrix | SparseMatrix;

/** One cell per row. */
export type Cells = ArrayLike<unknown> | PackedColumn;

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
  const rows = present ? table.rows : lengthOf([...blocks.values()][0]);
  const empty = new Array<unknown>(rows).fill(null);
  const columnOf = (name: string) => (present ? table.columns[table.names?.indexOf(name) ?? -1] : empty);
  return { sources: names.map((name) => blocks.get(name) ?? columnOf(name)), names, rows };
}

/** How many rows a column has. */
export const lengthOf = (source: Source): number =>
  source instanceof Matrix || source instanceof SparseMatrix ? source.rows : source.length;

/** Columns that were given as a matrix or packed, apart from the others. */
function takeBlocks(X: unknown): { single: unknown; blocks: Map<string, Matrix | SparseMatrix | PackedColumn> } {
  const blocks = new Map<string, Matrix | SparseMatrix | PackedColumn>();
  if (typeof X !== 'object' || X === null || Array.isArray(X) || X instanceof Matrix) return { single: X, blocks };
  for (const [name, column] of Object.entries(X)) {
    const apart = column instanceof Matrix || column instanceof SparseMatrix || column instanceof PackedColumn;
    if (apart) blocks.set(name, column);
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
  const first = isMatrix ? undefined : firstPresent(source);
  const width = isMatrix ? source.cols : isList(first) ? first.length : undefined;
  const family = givenFamily(families, name, k) ?? (isMatrix ? matrixFamily(source) : inferFamily(first, source, k));
  const levels = family === 'categorical' ? Array.from({ length: width ?? 1 }, () => null) : undefined;
  return { name, family, ...(width !== undefined && { width }), ...(levels && { levels }) };
}

/** The first cell that is not missing. */
function firstPresent(cells: Cells): unknown {
  if (cells instanceof CodedColumn) return cells.values.find((cell) => !isMissing(cell));
  for (let i = 0; i < cells.length; i++) if (!isMissing(cellAt(cells, i))) return cellAt(cells, i);
  return undefined;
}

function givenFamily(families: ColumnFamilies | null, name: string | null, k: number): Family | undefined {
  if (families === null || Array.isArray(families)) return families?.[k];
  const byName = families as Readonly<Record<string, Family>>;
  return name !== null && Object.hasOwn(byName, name) ? byName[name] : undefined;
}

const matrixFamily = (source: Matrix | SparseMatrix): Family =>
  source instanceof SparseMatrix ? 'multinomial' : 'gaussian';
