import type { CellBlock } from '../core/insight.ts';
import { isSparse, type RowParts, type Rows, sliceRows, toDense, toSparse } from '../data/batch.ts';

/** A cell of a row that can be removed, and its value when removed. */
export interface PresentCell {
  readonly feature: number;
  readonly value: number;
  readonly gone: CellBlock['gone'];
}

/** The rows of one block. */
export function rowsOfBlock(rows: Rows, { part }: CellBlock): Rows {
  return part === undefined ? rows : (rows.parts?.[part] as Rows);
}

/** The place of feature j of a block among all features. */
export const placeIn = ({ places }: CellBlock, j: number): number => (places ? places[j] : j);

/** The removable cells of row i: present words and known values. */
export function presentCells(blocks: readonly CellBlock[], rows: Rows, i: number): PresentCell[] {
  return blocks.flatMap((block) => {
    const { gone } = block;
    const own = sliceRows(rowsOfBlock(rows, block), i, i + 1);
    const found: PresentCell[] = [];
    const add = (j: number, value: number) => {
      if (!Number.isNaN(value)) found.push({ feature: placeIn(block, j), value, gone });
    };
    if (gone === 'missing') toDense(own).x.forEach((value, j) => void add(j, value));
    else {
      const { indptr, indices, values } = toSparse(own);
      for (let k = indptr[0]; k < indptr[1]; k++) if (values[k] !== 0) add(indices[k], values[k]);
    }
    return found;
  });
}

/** Row i without some of its cells, in rows of one. */
export function rowWithout(blocks: readonly CellBlock[], rows: Rows, i: number, without: ReadonlySet<number>): Rows {
  const parts: Record<string, Rows> = {};
  for (const block of blocks) {
    const row = blockWithout(block, sliceRows(rowsOfBlock(rows, block), i, i + 1), without);
    if (block.part === undefined) return row;
    parts[block.part] = row;
  }
  return { ...sliceRows({ ...rows, parts: {} }, i, i + 1), parts: parts as unknown as RowParts };
}

function blockWithout(block: CellBlock, row: Rows, without: ReadonlySet<number>): Rows {
  const { features } = row;
  const kept = (j: number) => !without.has(placeIn(block, j));
  if (block.gone === 'missing') {
    const x = toDense(row).x.map((value, j) => (kept(j) ? value : Number.NaN));
    return isSparse(row) ? toSparse({ rows: 1, features, x }) : { rows: 1, features, x };
  }
  const { indptr, indices, values } = toSparse(row);
  const places = Array.from({ length: indptr[1] - indptr[0] }, (_, f) => indptr[0] + f).filter((k) => kept(indices[k]));
  return {
    rows: 1,
    features,
    indptr: Uint32Array.of(0, places.length),
    indices: Uint32Array.from(places, (k) => indices[k]),
    values: Float64Array.from(places, (k) => values[k]),
  };
}
