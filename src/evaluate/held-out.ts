import { isBlank } from '../data/cells.ts';
import type { BlockTable } from '../data/column-table.ts';

/**
 * A split of rows by a hash of their content. Copies of a row are in the same part, and a file read in blocks is split without an index of
 * its rows.
 */
export interface RowSplit {
  /** The share of rows in each part; they sum to 1. The last part has the lowest hashes. */
  readonly shares: readonly number[];
  readonly seed: number;
  /** Rows with equal cells in these columns are copies; undefined if there are no copies and the line number is hashed. */
  readonly columns: readonly string[] | undefined;
  /** The line of the first row: files in different formats count their lines from different ones. */
  readonly firstLine: number;
  /** The parts of those first rows, by hash, that were reassigned to stratify the classes. */
  readonly moved: ReadonlyMap<number, number>;
}

/** The number of leading rows from which a split is planned. */
export const SPLIT_SAMPLE = 1_000;

/**
 * Plans to hold out a share of the rows, as the second of two parts. `head` has the first `SPLIT_SAMPLE` rows of the data or more; rows
 * without a label are left out. Of these rows, the share of every class is held out, as nearly as copies allow, and never all of its rows;
 * of the rows after them, those with a low hash.
 */
export function planSplit(head: BlockTable, target: string, share: number, seed: number): RowSplit {
  return plan(head, target, [1 - share, share], seed, (own) => {
    const rows = own.reduce((sum, { copies }) => sum + copies, 0);
    const wanted = Math.round(share * rows);
    let [held, left] = [0, own.length];
    return own.map(({ copies }) => {
      const isHeld = left > 1 && Math.abs(held + copies - wanted) < Math.abs(held - wanted);
      if (isHeld) [held, left] = [held + copies, left - 1];
      return Number(isHeld);
    });
  });
}

/** Plans k folds: the first rows of each class are assigned in turn, later rows by their hashes. */
export function planFolds(head: BlockTable, target: string, k: number, seed: number): RowSplit {
  let dealt = 0;
  return plan(head, target, new Array<number>(k).fill(1 / k), seed, (own) => own.map(() => dealt++ % k));
}

/**
 * Plans how to split data. If fewer than half of the first rows are distinct, as in a table with few categories, equal rows do not count as
 * copies. `deal` chooses the parts of the first rows of one class, which are sorted by hash.
 */
function plan(
  head: BlockTable,
  target: string,
  shares: readonly number[],
  seed: number,
  deal: (own: readonly Copies[]) => readonly number[],
): RowSplit {
  const sample = labelledSample(head, target);
  const columns = contentColumns(sample, target);
  const copies = areCopies(sample.hash(columns, seed));
  const rule = {
    ...{ shares, seed, columns: copies ? columns : undefined },
    firstLine: sample.length > 0 ? sample.line(0) : 1,
  };
  const moved = new Map<number, number>();
  const hashes = hashRows(sample, rule);
  for (const own of copiesByClass(hashes, sample.column(target).cells().map(String))) {
    const parts = deal(own);
    for (const [k, { hash }] of own.entries()) if (partOf(hash, shares) !== parts[k]) moved.set(hash, parts[k]);
  }
  return { ...rule, moved };
}

/** The numbers of the rows in each part. */
export function splitTable(table: BlockTable, split: RowSplit): readonly number[][] {
  const { shares, moved } = split;
  const parts = shares.map((): number[] => []);
  for (const [i, hash] of hashRows(table, split).entries()) parts[moved.get(hash) ?? partOf(hash, shares)].push(i);
  return parts;
}

/** The part of a hash. */
function partOf(hash: number, shares: readonly number[]): number {
  let part = shares.length - 1;
  for (let limit = shares[part]; part > 0 && hash >= limit * 2 ** 32; limit += shares[part]) part--;
  return part;
}

/** A number for each row that its copies share, for folds; copies are defined as in a split. */
export function copiesOf(table: BlockTable, target: string): Int32Array {
  const hashes = table.hash(contentColumns(table, target), 0);
  if (!areCopies(hashes)) return Int32Array.from(hashes.keys());
  const groups = new Map<number, number>();
  return Int32Array.from(hashes, (hash) => {
    const group = groups.get(hash) ?? groups.size;
    groups.set(hash, group);
    return group;
  });
}

const areCopies = (hashes: Uint32Array): boolean => new Set(hashes).size >= hashes.length / 2;

function labelledSample(head: BlockTable, target: string): BlockTable {
  const labels = head.column(target).cells().slice(0, SPLIT_SAMPLE);
  return head.take([...labels.keys()].filter((i) => !isBlank(labels[i])));
}

/** All non-empty columns except the target, sorted, because JSON keys may come in any order. */
function contentColumns(table: BlockTable, target: string): string[] {
  const isUsed = (name: string) => !table.column(name).cells().every(isBlank);
  return table.names.filter((name) => name !== target && isUsed(name)).sort();
}

function hashRows(table: BlockTable, { columns, seed, firstLine }: Omit<RowSplit, 'moved'>): Uint32Array {
  if (columns) return table.hash(columns, seed);
  return Uint32Array.from({ length: table.length }, (_, i) => mix(table.line(i) - firstLine, seed));
}

/** A well-mixed number for a line: the finaliser of MurmurHash3. */
function mix(line: number, seed: number): number {
  let h = line + Math.imul(seed, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Rows with the same hash. */
interface Copies {
  readonly hash: number;
  copies: number;
}

/** Rows by class, each class by rising hash; copies belong to the class of the first one. */
function copiesByClass(hashes: Uint32Array, labels: readonly string[]): Copies[][] {
  const known = new Map<number, Copies>();
  const byClass = new Map<string, Copies[]>();
  for (const [i, hash] of hashes.entries()) {
    const before = known.get(hash);
    if (before) {
      before.copies++;
      continue;
    }
    const copies = { hash, copies: 1 };
    known.set(hash, copies);
    const own = byClass.get(labels[i]);
    if (own) own.push(copies);
    else byClass.set(labels[i], [copies]);
  }
  return Array.from(byClass.values(), (own) => own.sort((a, b) => a.hash - b.hash));
}
