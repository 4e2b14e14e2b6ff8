import type { Moves } from '../core/model.ts';
import type { RowParts, Rows, SparseRows } from '../data/batch.ts';
import { levelMoves, sameDictionaries } from '../data/dictionaries.ts';
import { requireSome, requireWidth } from '../data/input.ts';
import { type Dictionary, LevelColumn, type UnknownPolicy } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import { cellAt } from '../data/packed-columns.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse, show } from '../errors.ts';
import { numbered } from './level-classifier.ts';
import { readLists, readMatrix, readSingles, requireList } from './mixed-cells.ts';
import {
  type Block,
  blockShapes,
  blocksOf,
  type ColumnFamilies,
  dictionariesOf,
  featuresOf,
  type MixedColumn,
  withDictionaries,
} from './mixed-columns.ts';
import { type Cells, describe, lengthOf, readSources, type Source } from './mixed-sources.ts';

/** How columns of different kinds are read. */
export interface MixedPolicy {
  readonly families: ColumnFamilies | null;
  readonly extra: 'error' | 'ignore';
  readonly unknown: UnknownPolicy;
  /** Rows are being learned: new levels join. */
  readonly learning: boolean;
  readonly silent: ((row: number) => boolean) | undefined;
}

/** Rows in blocks, what is known of the columns with them, and how known levels move. */
export interface MixedInput {
  readonly rows: Rows;
  readonly columns: readonly MixedColumn[];
  /** The largest count in a cell. */
  readonly peak: number;
  readonly moves: Moves | undefined;
}

/** Reads rows whose columns are of different kinds, each cell by the family of its column. */
export function readMixed(X: unknown, known: readonly MixedColumn[] | undefined, policy: MixedPolicy): MixedInput {
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

/** Refusals name row and column as the caller knows them: a column among all columns, or a cell of a list. */
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

/** The largest count in any cell; levels and coins count as one, bells do not count cells. */
function peakOf(parts: readonly (readonly [string, Rows])[]): number {
  let peak = 1;
  for (const [name, rows] of parts) {
    if (!/^(poisson|multinomial)/.test(name)) continue;
    for (const value of 'x' in rows ? rows.x : rows.values) if (value > peak) peak = value;
  }
  return peak;
}
