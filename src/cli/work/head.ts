import { stat } from 'node:fs/promises';
import { BlockReader } from '../../data/block-reader.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import { MemoryTable } from '../../data/memory-table.ts';
import { PolyaError } from '../../errors.ts';
import type { Piece } from '../../node/pool.ts';
import { type Place, placeIn, SAMPLE_PLACES, tablesOfPlaces } from '../../node/table-sample.ts';
import type { RowSource } from '../data.ts';
import { linesOf, takeRows } from './table-rows.ts';

/** The first rows of the data, a sample, and all pieces, which can be read repeatedly. */
export interface Head {
  readonly table: BlockTable;
  /** Whether these are all rows. */
  readonly isAll: boolean;
  /** A sample from the whole file: the first rows may all be of one class. */
  readonly sample: BlockTable;
  /** All pieces; the second call reads the data again. */
  pieces(): AsyncGenerator<Piece>;
}

/**
 * Reads the first rows: at least `most`, or all of the first piece. If `twice` is set, data that cannot be read again, such as stdin,
 * is kept in memory.
 */
export async function headOf(
  source: RowSource,
  { most, twice, samples }: { readonly most: number; readonly twice: boolean; readonly samples: boolean },
): Promise<Head> {
  const pieces = source.pieces();
  const kept: Piece[] = [];
  const tables: BlockTable[] = [];
  const keepsAll = twice && !source.again;
  let [rows, seen, whole] = [0, 0, false];
  while (keepsAll || rows < most) {
    const { done, value } = await pieces.next();
    whole = done === true;
    if (done) break;
    const first = rows < most;
    const own = first || 'tables' in value ? lastingTables(value, source) : [];
    if ('block' in value) {
      const { release: _, ...rest } = value; // it is used again
      kept.push(rest);
    } else kept.push({ ...value, tables: own });
    if (!first) continue;
    seen++;
    for (const table of own) rows += tables[tables.push(takeRows(table, source.rules)) - 1].length;
  }
  let fresh = true;
  const again = async function* (): AsyncGenerator<Piece> {
    if (fresh || whole) yield* kept;
    if (fresh && !whole) yield* pieces;
    else if (!whole) yield* (await source.again!()).pieces();
    fresh = false;
  };
  const table = tables.length === 1 ? tables[0] : asOne(tables);
  const isAll = whole && seen === kept.length;
  const others = isAll || !samples ? [] : whole ? await sampleOf(kept) : await source.sample();
  const sample = others.length === 0 ? table : sampleWith([...sampledFrom(kept[0]), ...others], source);
  return { table, sample, isAll, pieces: again };
}

/** Some rows from one place of the data; as bytes if it is read in blocks. */
export type Sampled = Place | BlockTable;

/** The maximum number of rows from one table. */
const PLACE_ROWS = 500;

function sampledFrom(piece: Piece): Sampled[] {
  if ('block' in piece) return [placeIn(piece.block, piece.layout)];
  return Array.from(piece.tables, (table) => lasting(table.take(firstRows(table, PLACE_ROWS))));
}

function sampleWith(sampled: readonly Sampled[], { rules }: RowSource): BlockTable {
  const places = sampled.filter((own) => 'bytes' in own);
  const tables = sampled.flatMap((own) => ('bytes' in own ? [] : [own]));
  const all = [...tablesOfPlaces(places), ...tables].map((table) => takeRows(table, rules));
  return all.length === 1 ? all[0] : asOne(all);
}

/** Samples every k-th piece after the first, about SAMPLE_PLACES of them; errors are reported when the piece is counted. */
export async function sampleOf(pieces: AsyncIterable<Piece> | Iterable<Piece>): Promise<Sampled[]> {
  let [found, every]: [Sampled[], number] = [[], 1];
  try {
    for await (const piece of pieces) {
      if (piece.index > 0 && piece.index % every === 0) found.push(...sampledFrom(piece));
      if ('block' in piece) piece.release?.();
      if (found.length < 2 * SAMPLE_PLACES) continue;
      found = found.filter((_, k) => k % 2 === 1);
      every *= 2;
    }
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
  }
  return found;
}

/** The numbers of the first rows of a table. */
export const firstRows = ({ length }: BlockTable, most: number): Uint32Array =>
  Uint32Array.from({ length: Math.min(length, most) }, (_, i) => i);

/** Whether files can be read twice; pipes cannot. */
export async function canReadTwice(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => stat(path)));
  return found.every((own) => own.isFile() || own.isDirectory());
}

/** A copy of a table that stays valid when the next one is read. */
const lasting = (table: BlockTable): BlockTable => new RecordTable(table.records(), linesOf(table));

function asOne(tables: readonly BlockTable[]): BlockTable {
  const all = new MemoryTable();
  for (const table of tables) all.add(table);
  return all;
}

/** The tables of a piece, valid also when the next one is read. */
function lastingTables(piece: Piece, source: RowSource): BlockTable[] {
  try {
    if ('block' in piece) return [...tablesOf(piece)]; // a reader of its own has one table
    return Array.from(piece.tables, lasting);
  } catch (error) {
    return source.refuse(error, piece.file);
  }
}

/** The tables of a piece, read in this thread. */
function tablesOf(piece: Piece): Iterable<BlockTable> {
  return 'block' in piece ? new BlockReader(piece.layout).read(piece.block) : piece.tables;
}
