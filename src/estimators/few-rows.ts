import { isSparse, type Rows, type SparseRows } from '../data/batch.ts';
import { asStored } from '../data/stored.ts';
import type { Sums } from '../stats/sums.ts';

/** Rows in the columns that they have cells in, and the counts of these columns alone. */
export interface FewRows {
  readonly rows: SparseRows;
  readonly part: Sums;
}

/** More rows, or a larger share of all columns, are better scored with the parameters of all. */
const ROWS = 64;
const SHARE = 1 / 8;

/** The part of a statistic that some rows ask for; undefined where they ask for too much of it. */
export function fewRows(stats: Sums, rows: Rows): FewRows | undefined {
  const { classes, features, n } = stats;
  if (!isSparse(rows) || rows.rows > ROWS || rows.indices.length > features * SHARE) return undefined;
  const columns = Uint32Array.from(new Set(rows.indices)).sort();
  const place = new Map(Array.from(columns, (column, k) => [column, k]));
  const s = asStored(stats, 's');
  const cells = new Float64Array(classes * columns.length);
  for (let c = 0; c < classes; c++) {
    for (let k = 0; k < columns.length; k++) cells[c * columns.length + k] = s[c * features + columns[k]];
  }
  const indices = rows.indices.map((column) => place.get(column) as number);
  return {
    rows: { ...rows, features: columns.length, indices },
    part: { classes, features: columns.length, n, s: cells, m: new Float64Array(0) },
  };
}
