import { isBlank } from '../data/cells.ts';
import type { BlockTable } from '../data/column-table.ts';

/**
 * Which rows of a table are held out: those whose content has a low hash. So copies of a row stay on one side, and a file that is read in
 * blocks is split without an index of its rows.
 */
export interface RowSplit {
  /** The share of rows that is held out. */
  readonly share: number;
  readonly seed: number;
  /** Rows with equal texts in these columns are copies; undefined where each row stands for itself, and its line is hashed. */
  readonly columns: readonly string[] | undefined;
  /** The line of the first row: files in different formats count their lines from different ones. */
  readonly firstLine: number;
  /** Hashes of the first rows that are on the other side than they say, so that classes are evenly split there. */
  readonly moved: ReadonlySet<number>;
}

/** A split is planned by this many rows, the first of the data. */
export const SPLIT_SAMPLE = 1_000;

/**
 * Plans how to split data, of which `head` has the first `SPLIT_SAMPLE` rows or more; rows without a label are left out. Where fewer than
 * half of these rows are different, as in a table with few categories, equal rows are not copies: each stands for itself. Of these rows,
 * the share of every class is held out, as nearly as copies allow; of the rows after them, those with a low hash.
 */
export function planSplit(head: BlockTable, target: string, share: number, seed: number): RowSplit {
  const sample = labelledSample(head, target);
  const columns = contentColumns(sample, target);
  const copies = areCopies(sample.hash(columns, seed));
  const plan = {
    ...{ share, seed, columns: copies ? columns : undefined },
    firstLine: sample.length > 0 ? sample.line(0) : 1,
  };
  return { ...plan, moved: movedRows(hashRows(sample, plan), sample.column(target).cells().map(String), share) };
}

/** The numbers of the rows to train with and to evaluate with. */
export function splitTable(table: BlockTable, split: RowSplit): readonly [train: number[], held: number[]] {
  const limit = split.share * 2 ** 32;
  const parts: [number[], number[]] = [[], []];
  for (const [i, hash] of hashRows(table, split).entries())
    parts[hash < limit !== split.moved.has(hash) ? 1 : 0].push(i);
  return parts;
}

/** For each row a number that its copies share, for folds; copies are the same as those of a split. */
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

/** The columns that have anything in them, but the target. They are sorted: the keys of JSON may come in any order. */
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

/** The hashes of rows that change sides, so that the share of every class is held out, and never all of its rows. */
function movedRows(hashes: Uint32Array, labels: readonly string[], share: number): Set<number> {
  const moved = new Set<number>();
  const copies = new Map<number, number>();
  const byClass = new Map<string, number[]>();
  for (const [i, hash] of hashes.entries()) {
    const known = copies.get(hash) ?? 0;
    copies.set(hash, known + 1);
    if (known > 0) continue; // copies belong to the class of the first one
    const own = byClass.get(labels[i]);
    if (own) own.push(hash);
    else byClass.set(labels[i], [hash]);
  }
  for (const own of byClass.values()) {
    const rows = own.reduce((sum, hash) => sum + copies.get(hash)!, 0);
    const wanted = Math.round(share * rows);
    let [held, left] = [0, own.length];
    for (const hash of own.sort((a, b) => a - b)) {
      const next = held + copies.get(hash)!;
      const isHeld = left > 1 && Math.abs(next - wanted) < Math.abs(held - wanted);
      if (isHeld) [held, left] = [next, left - 1];
      if (isHeld !== hash < share * 2 ** 32) moved.add(hash);
    }
  }
  return moved;
}
