import { open } from 'node:fs/promises';
import { BlockReader } from '../data/block-reader.ts';
import type { Block, BlockLayout } from '../data/blocks.ts';
import type { BlockTable } from '../data/column-table.ts';
import { LF } from '../data/line-ends.ts';
import { PolyaError } from '../errors.ts';

/** The approximate number of sampled positions. */
export const SAMPLE_PLACES = 16;

/** The approximate number of bytes per position. */
const PLACE_BYTES = 1 << 15;

const QUOTE = 0x22;

/** The bytes of some whole rows. */
export interface Place {
  readonly layout: BlockLayout;
  readonly bytes: Uint8Array;
}

/** The first rows of a block; none if its rows are longer. */
export function placeIn({ bytes }: Block, layout: BlockLayout): Place {
  const some = bytes.subarray(0, PLACE_BYTES);
  return { layout, bytes: some.slice(0, some.length === bytes.length ? some.length : rowEnds(some, layout)[1]) };
}

/**
 * Rows from evenly spaced positions of a file, after its beginning with the header. A position without a whole row, or
 * with a bad one, is skipped: the file is read from its beginning later, and errors are reported then.
 */
export async function placesIn(path: string, layout: BlockLayout, places: number): Promise<Place[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const most = Math.min(places, Math.floor(size / PLACE_BYTES) - 2);
    const reader = new BlockReader(layout);
    const found: Place[] = [];
    for (let k = 1; k <= most; k++) {
      const at = PLACE_BYTES + Math.round(((size - 2 * PLACE_BYTES) * k) / most);
      const { buffer, bytesRead } = await file.read(new Uint8Array(PLACE_BYTES), 0, PLACE_BYTES, at);
      const rows = rowsWithin(buffer.subarray(0, bytesRead), reader, layout);
      if (rows) found.push({ layout, bytes: rows });
    }
    return found;
  } finally {
    await file.close();
  }
}

/**
 * The whole rows of bytes that begin anywhere. Whether they begin inside quotes is found by trying both: in the wrong
 * case, text is read as cells, and rows have the wrong number of cells.
 */
function rowsWithin(bytes: Uint8Array, reader: BlockReader, layout: BlockLayout): Uint8Array | undefined {
  for (const quoted of layout.delimiter === undefined ? [false] : [false, true]) {
    const rows = bytes.subarray(...rowEnds(bytes, layout, quoted));
    if (rows.length > 0 && tablesIn(reader, [rows])?.length) return rows;
  }
  return undefined;
}

/** The tables of some rows; undefined if one is bad. */
function tablesIn(reader: BlockReader, parts: readonly Uint8Array[]): BlockTable[] | undefined {
  try {
    return [...reader.read(blockOf(parts))];
  } catch (error) {
    if (error instanceof PolyaError) return undefined;
    throw error;
  }
}

/** The end of the first row and of the last: after line ends outside of quotes. */
function rowEnds(bytes: Uint8Array, { delimiter }: BlockLayout, quoted = false): [first: number, last: number] {
  if (!quoted && (delimiter === undefined || !bytes.includes(QUOTE)))
    return [bytes.indexOf(LF) + 1, bytes.lastIndexOf(LF) + 1];
  let [first, last, inside] = [0, 0, quoted];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === QUOTE) inside = !inside;
    if (bytes[i] !== LF || inside) continue;
    last = i + 1;
    if (first === 0) first = last;
  }
  return [first, last];
}

/**
 * The sampled rows as tables, one for each layout; their line numbers are not those of the file. Positions with a bad
 * row are skipped.
 */
export function tablesOfPlaces(places: readonly Place[]): BlockTable[] {
  const byLayout = new Map<string, Place[]>();
  for (const place of places) {
    const key = JSON.stringify(place.layout);
    byLayout.set(key, [...(byLayout.get(key) ?? []), place]);
  }
  return [...byLayout.values()].flatMap((own) => {
    const reader = new BlockReader(own[0].layout);
    const parts = own.map(({ bytes }) => bytes);
    return tablesIn(reader, parts) ?? [...reader.read(blockOf(parts.filter((part) => tablesIn(reader, [part]))))];
  });
}

const blockOf = (parts: readonly Uint8Array[]): Block => ({
  ...{ index: 0, line: 1, offset: 0, before: new Uint8Array(0) },
  bytes: Uint8Array.from(Buffer.concat(parts)),
});
