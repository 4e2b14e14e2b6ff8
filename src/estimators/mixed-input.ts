import type { Moves } from '../core/model.ts';
import { type DenseRows, mapCells, type RowParts, type Rows, rowsOf, type SparseRows, toDense } from '../data/batch.ts';
import { levelMoves, sameDictionaries, shrinkDictionaries, uniteDictionaries } from '../data/dictionaries.ts';
import { checkNames, largestOf, readFeatures, requireSome, requireWidth } from '../data/input.ts';
import { type Dictionary, type Level, LevelColumn, type UnknownPolicy } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import { NameCheck } from '../data/names.ts';
import { CodedColumn, cellAt, NumberColumn, PackedColumn } from '../data/packed-columns.ts';
import { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { readTable, type TableRows } from '../features/table.ts';
import { type Family, LARGEST_CELL, rangeOf, supportOf } from '../models/mixed.ts';
import type { Blocks } from '../stats/blocks.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Learned } from './learned.ts';
import type { ColumnRules, Received, Union } from './learning.ts';
import { histogramWeights, numbered, weightless } from './levels.ts';
import {
  type Block,
  blockShapes,
  blocksOf,
  type ColumnFamilies,
  columnsOf,
  dictionariesOf,
  featureCell,
  featureName,
  featuresOf,
  type MixedColumn,
  outline,
  shapeWith,
  widthOf,
  withDictionaries,
} from './mixed-columns.ts';

/** How columns of different kinds are read. */
interface MixedPolicy {
  readonly families: ColumnFamilies | null;
  readonly extra: 'error' | 'ignore';
  readonly unknown: UnknownPolicy;
  /** Rows are being learned: new levels join. */
  readonly learning: boolean;
  readonly silent: ((row: number) => boolean) | undefined;
}

/** Rows in blocks, what is known of the columns with them, and how known levels move. */
interface MixedInput {
  readonly rows: Rows;
  readonly columns: readonly MixedColumn[];
  /** The largest count in a cell. */
  readonly peak: number;
  readonly moves: Moves | undefined;
}

/** Columns of different kinds: each is read by its family, and columns of levels have dictionaries that grow and shrink. */
export class MixedColumns implements ColumnRules<Blocks, unknown> {
  private readonly options: Pick<MixedPolicy, 'families' | 'extra' | 'unknown'>;

  constructor(options: Pick<MixedPolicy, 'families' | 'extra' | 'unknown'>) {
    this.options = options;
  }

  receive(X: unknown, known: Learned<Blocks> | undefined, learning: boolean, weights?: Weights): Received {
    const policy = { ...this.options, learning, silent: weightless(weights) };
    const { rows, columns, peak, moves } = readMixed(X, known && columnsOf(known.schema), policy);
    const schema = columns as unknown as JsonValue;
    return { rows, names: undefined, peak, shape: { features: rows.features }, schema, ...(moves && { moves }) };
  }

  unite(mine: Learned<Blocks>, theirs: Learned<Blocks>): Union {
    const [a, b] = [columnsOf(mine.schema), columnsOf(theirs.schema)];
    if (outline(a) !== outline(b)) {
      refuse('E_MERGE_MISMATCH', 'the two estimators have learned from different columns or families', {
        expected: a.length,
        actual: b.length,
      });
    }
    const moves: { mine: Record<string, Moves>; theirs: Record<string, Moves> } = { mine: {}, theirs: {} };
    const columns = withLevels(a, (name, left, block) => {
      const right = dictionariesOf(b, block.columns);
      const united = uniteDictionaries(left, right);
      moves.mine[name] = { levels: levelMoves(left, united) };
      moves.theirs[name] = { levels: levelMoves(right, united) };
      return united;
    });
    return {
      shape: shapeWith(mine.counts.shape.classes, columns),
      mine: { parts: moves.mine },
      theirs: { parts: moves.theirs },
      schema: columns as unknown as JsonValue,
    };
  }

  compact(learned: Learned<Blocks>, { parts }: Blocks): Omit<Union, 'theirs'> | undefined {
    const moves: Record<string, Moves> = {};
    const columns = withLevels(columnsOf(learned.schema), (name, before) => {
      const kept = shrinkDictionaries(before, levelWeights(parts[name] as Histogram));
      if (sameDictionaries(before, kept)) return before;
      moves[name] = { levels: levelMoves(before, kept) };
      return kept;
    });
    if (Object.keys(moves).length === 0) return undefined;
    const shape = shapeWith(learned.counts.shape.classes, columns);
    return { shape, mine: { parts: moves }, schema: columns as unknown as JsonValue };
  }

  /** Words of a block are named by their number in it. */
  name({ schema }: Learned<Blocks>, j: number): string | number {
    return featureName(columnsOf(schema), j);
  }

  cell({ schema }: Learned<Blocks>, j: number, value: number): Level | null {
    return featureCell(columnsOf(schema), j, value);
  }
}

/** The columns with dictionaries changed block by block. */
function withLevels(
  columns: readonly MixedColumn[],
  change: (name: string, dictionaries: readonly Dictionary[], block: Block) => readonly Dictionary[],
): readonly MixedColumn[] {
  let changed = columns;
  for (const [name, block] of blocksOf(columns)) {
    if (block.family !== 'categorical') continue;
    changed = withDictionaries(changed, block, change(name, dictionariesOf(columns, block.columns), block));
  }
  return changed;
}

/** Reads rows whose columns are of different kinds, each cell by the family of its column. */
function readMixed(X: unknown, known: readonly MixedColumn[] | undefined, policy: MixedPolicy): MixedInput {
  const { sources, names, rows } = readSources(X, known, policy);
  const given = noCells(rows, sources.length);
  if (policy.learning) requireSome(given);
  if (rows > 0) requireWidth(given, known?.length);
  const described = known ?? sources.map((source, k) => describe(source, names?.[k] ?? null, k, policy.families));
  if (rows > 0) for (const [k, source] of sources.entries()) requireRows(source, rows, described[k]);
  const coded = X instanceof Matrix && !policy.learning;
  let columns = described;
  const moves: Record<string, Moves> = {};
  const parts = [...blocksOf(described)].map(([name, block]) => {
    if (block.family !== 'categorical') return [name, readBlock(block, described, sources, rows)] as const;
    const before = dictionariesOf(described, block.columns);
    const { cells, dictionaries } = readLevelBlock(block, described, sources, rows, policy, coded);
    if (policy.learning && known && !sameDictionaries(before, dictionaries)) {
      moves[name] = { levels: levelMoves(before, dictionaries) };
    }
    if (policy.learning) columns = withDictionaries(columns, block, dictionaries);
    return [name, cells] as const;
  });
  const shapes = blockShapes(columns, 0); // how many classes there are is for the labels to say
  const shaped = parts.map(([name, cells]) => [name, { ...cells, ...shapes[name] }] as const);
  return {
    rows: { ...noCells(rows, featuresOf(columns)), parts: Object.fromEntries(shaped) as RowParts },
    columns,
    peak: peakOf(parts),
    moves: Object.keys(moves).length > 0 ? { parts: moves } : undefined,
  };
}

/** All cells are in the parts. */
const noCells = (rows: number, features: number): SparseRows => ({
  rows,
  features,
  indptr: new Uint32Array(rows + 1),
  indices: new Uint32Array(0),
  values: new Float64Array(0),
});

function requireRows(source: Source, rows: number, { name }: MixedColumn): void {
  const length = lengthOf(source);
  if (length === rows) return;
  refuse('E_SHAPE', `column ${show(name)} has ${length} rows, others have ${rows}`, { expected: rows, actual: length });
}

function readBlock(
  { family, columns: own }: Block,
  columns: readonly MixedColumn[],
  sources: readonly Source[],
  rows: number,
): Rows {
  const [k] = own;
  const { width, name } = columns[k];
  if (width === undefined)
    return readSingles(
      own.map((at) => requireCells(sources[at], columns[at])),
      own,
      family,
      rows,
    );
  const source = sources[k];
  if (!(source instanceof Matrix || source instanceof SparseMatrix)) return readLists(source, family, k, width);
  if (source.cols !== width) {
    const details = { expected: width, actual: source.cols };
    refuse('E_FEATURE_COUNT', `column ${show(name)} has ${source.cols} features, the model has ${width}`, details);
  }
  return readMatrix(source, family);
}

function requireCells(source: Source, { name }: MixedColumn): Cells {
  if (!(source instanceof Matrix || source instanceof SparseMatrix)) return source;
  return refuse('E_TYPE', `column ${show(name)} has one cell per row, not a matrix`, { feature: name });
}

/** Errors name row and column as the caller knows them: a column among all columns, or a cell of a list. */
function readLevelBlock(
  { columns: own }: Block,
  columns: readonly MixedColumn[],
  sources: readonly Source[],
  rows: number,
  { learning, unknown, silent }: MixedPolicy,
  coded: boolean,
): { cells: Rows; dictionaries: readonly Dictionary[] } {
  const { width } = columns[own[0]];
  const policy = { missing: true, grow: learning, unknown, silent };
  const readers = dictionariesOf(columns, own).map(
    (known, j) => new LevelColumn(coded ? numbered(known) : known, width === undefined ? own[j] : j, policy),
  );
  const features = readers.length;
  const x = new Float64Array(rows * features);
  if (width === undefined) {
    for (const [j, k] of own.entries()) readers[j].readAll(requireCells(sources[k], columns[k]), x, j, features);
  } else {
    const cells = requireCells(sources[own[0]], columns[own[0]]);
    for (let i = 0; i < rows; i++) {
      const list = requireList(cellAt(cells, i), i, own[0], width);
      for (const [j, reader] of readers.entries()) x[i * features + j] = reader.read(list?.[j], i);
    }
  }
  return { cells: { rows, features, x }, dictionaries: readers.map((reader, j) => reader.settle(x, j, features)) };
}

/** The largest count in any cell; levels and booleans count as one, numbers not at all. */
function peakOf(parts: readonly (readonly [string, Rows])[]): number {
  let peak = 1;
  for (const [name, rows] of parts) {
    if (!/^(poisson|multinomial)/.test(name)) continue;
    for (const value of 'x' in rows ? rows.x : rows.values) if (value > peak) peak = value;
  }
  return peak;
}

/** A column as it came: one cell per row, or a matrix with several features. */
type Source = Cells | Matrix | SparseMatrix;

/** One cell per row. */
type Cells = ArrayLike<unknown> | PackedColumn;

/** Columns as they came, with their names. */
interface Sources {
  readonly sources: readonly Source[];
  readonly names: readonly string[] | undefined;
  readonly rows: number;
}

/** Splits rows of any accepted kind into columns. */
function readSources(
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
const lengthOf = (source: Source): number =>
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

/** What is inferred about a column from its first rows. */
function describe(source: Source, name: string | null, k: number, families: ColumnFamilies | null): MixedColumn {
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

/** Whether a cell is missing. */
const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && Number.isNaN(value));

/** Whether a cell is a list: several features in one column. */
function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** The family of a column by its first cell that is there; numbers where none is. */
function inferFamily(first: unknown, cells: ArrayLike<unknown> | PackedColumn, column: number): Family {
  if (first === undefined || typeof first === 'number') return 'gaussian';
  if (typeof first === 'boolean') return 'bernoulli';
  if (isList(first)) return typeof first[0] === 'string' ? 'categorical' : 'multinomial';
  if (typeof first === 'string') return 'categorical';
  let row = 0;
  while (cellAt(cells, row) !== first) row++;
  return refuseCell(first, 'a number, a word, true or false', row, column);
}

/** A cell as the number that its family counts. */
function readCell(value: unknown, family: Family, row: number, column: number): number {
  if (isMissing(value)) return family === 'multinomial' ? 0 : Number.NaN;
  if (family === 'bernoulli') return readToss(value, row, column);
  if (typeof value !== 'number') refuseCell(value, 'a number', row, column);
  const where = `row ${row}, column ${column}`;
  if (!Number.isFinite(value)) refuse('E_NOT_FINITE', `${where}: ${value} is not a finite number`, { row, column });
  if (Math.abs(value) > LARGEST_CELL) {
    const details = { row, column, limit: LARGEST_CELL, actual: value };
    refuse('E_VALUE_RANGE', `${where}: ${value} is larger than ${LARGEST_CELL}`, details);
  }
  const [least, most] = rangeOf(family);
  const details = { row, column, actual: value };
  if (value < 0 && value < least) {
    refuse('E_NEGATIVE', `${where}: ${value} is negative, cells of the family ${family} are not`, details);
  }
  if (value < least || value > most) {
    const expected = most < 1 ? 'between 0 and 1' : 'above zero';
    refuse('E_VALUE_RANGE', `${where}: cells of the family ${family} are ${expected}, got ${value}`, details);
  }
  return value;
}

function readToss(value: unknown, row: number, column: number): number {
  if (value === true || value === 1) return 1;
  if (value === false || value === 0) return 0;
  if (typeof value !== 'number') refuseCell(value, 'true or false', row, column);
  if (!Number.isFinite(value)) {
    refuse('E_NOT_FINITE', `row ${row}, column ${column}: ${value} is not a finite number`, { row, column });
  }
  const details = { row, column, actual: value };
  return refuse('E_VALUE_RANGE', `row ${row}, column ${column}: expected true, false, 0 or 1, got ${value}`, details);
}

function refuseCell(value: unknown, expected: string, row: number, column: number): never {
  return refuse('E_TYPE', `row ${row}, column ${column}: expected ${expected}, got ${typeof value} ${show(value)}`, {
    row,
    column,
    actual: typeof value,
  });
}

/** Single columns of one family side by side. */
function readSingles(
  columns: readonly (ArrayLike<unknown> | PackedColumn)[],
  numbers: readonly number[],
  family: Family,
  rows: number,
): DenseRows {
  const features = columns.length;
  const whole = family === 'bernoulli' ? undefined : NumberColumn.whole(columns);
  if (whole) {
    const { x, largest } = whole;
    const [least, most] = rangeOf(family);
    const expected = { missing: family !== 'multinomial', nonNegative: least >= 0, limit: LARGEST_CELL };
    const high = least < 0 && largest !== undefined ? largest : largestOf(x, expected);
    if (high <= most && !(least > 0 && x.includes(0))) return { rows, features, x };
  }
  const x = new Float64Array(rows * features);
  for (const [j, column] of columns.entries()) readSingle(column, numbers[j], family, x, j, features);
  return { rows, features, x };
}

function readSingle(
  cells: ArrayLike<unknown> | PackedColumn,
  column: number,
  family: Family,
  x: Float64Array,
  start: number,
  stride: number,
): void {
  const [least, largest] = rangeOf(family);
  const most = family === 'bernoulli' ? -1 : largest; // booleans always need conversion
  for (let i = 0; i < cells.length; i++) {
    const value = cellAt(cells, i);
    const plain = typeof value === 'number' && value >= least && value <= most;
    x[start + i * stride] = plain ? value : readCell(value, family, i, column);
  }
}

/** A block that came as a matrix. */
function readMatrix(block: Matrix | SparseMatrix, family: Family): Rows {
  if (block.rows === 0) return rowsOf(block);
  const support = supportOf(family);
  const { rows } = readFeatures(block, {
    sparse: true,
    missing: family !== 'multinomial',
    nonNegative: support !== 'real',
    limit: LARGEST_CELL,
  });
  if (family === 'bernoulli') {
    return mapCells(rows, (value, column) => (Number.isNaN(value) ? value : readToss(value, -1, column)));
  }
  if (support === 'positive' || support === 'unit') {
    const { x } = toDense(rows);
    const { features } = rows;
    for (let at = 0; at < x.length; at++) readCell(x[at], family, Math.floor(at / features), at % features);
  }
  return rows;
}

/** A block that came as one list per row; a missing list is a row of missing cells. */
function readLists(cells: ArrayLike<unknown> | PackedColumn, family: Family, column: number, width: number): DenseRows {
  const x = new Float64Array(cells.length * width);
  for (let i = 0; i < cells.length; i++) {
    const list = requireList(cellAt(cells, i), i, column, width);
    for (let j = 0; j < width; j++) x[i * width + j] = readCell(list?.[j], family, i, column);
  }
  return { rows: cells.length, features: width, x };
}

/** The list in a cell, of this length; undefined where it is missing. */
function requireList(cell: unknown, row: number, column: number, width: number): ArrayLike<unknown> | undefined {
  if (isMissing(cell)) return undefined;
  if (!isList(cell)) return refuseCell(cell, 'a list', row, column);
  if (cell.length === width) return cell;
  return refuse('E_SHAPE', `row ${row}, column ${column}: the list has ${cell.length} cells, expected ${width}`, {
    row,
    column,
    expected: width,
    actual: cell.length,
  });
}

/** The weight of every level, feature by feature. */
function levelWeights(counts: Histogram): Float64Array[] {
  const weights = histogramWeights(counts);
  const offsets = levelOffsets(counts.levels);
  return Array.from(counts.levels, (_, j) => weights.subarray(offsets[j], offsets[j + 1]));
}
