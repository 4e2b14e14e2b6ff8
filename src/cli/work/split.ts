import { cellOf, type DataRow, wordOf } from '../../auto/cells.ts';
import { StratifiedGroupKFold } from '../../evaluate/group-folds.ts';
import { Random } from '../../math/random.ts';
import { fail } from '../problem.ts';
import { texts } from '../texts/index.ts';

/** Numbers of rows to learn from and to judge by. */
export interface Part {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/**
 * For each row a number that its copies share: rows that are alike in all columns but the target and those that only count. Where
 * most rows are alike, the columns have no more to say and it is not copying: every row stands for itself.
 */
export function groupsOf(rows: readonly DataRow[], target: string, ignored: ReadonlySet<string>): Int32Array {
  const places = new Map<string, number>();
  const groups = Int32Array.from(rows, (row) => {
    const cells = Object.keys(row).filter((name) => name !== target && !ignored.has(name));
    const key = JSON.stringify(cells.map((name) => [name, wordOf(cellOf(row, name) ?? '')]));
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  });
  return unlessMost(groups, places.size);
}

/** Groups of rows, so many of them different; where most rows are alike, each for itself. */
export const unlessMost = (groups: Int32Array, different: number): Int32Array =>
  different >= groups.length / 2 ? groups : groups.map((_, i) => i);

/** Sets a share of every class aside, by chance; copies of a row stay together. */
export function holdOut(labels: readonly string[], groups: Int32Array, share: number, seed: number): Part {
  const copies = new Copies(groups);
  const byClass = new Map<string, number[]>();
  for (let i = 0; i < labels.length; i++) {
    if (copies.first(groups[i]) !== i) continue;
    const own = byClass.get(labels[i]); // a group goes with its first row
    if (own) own.push(groups[i]);
    else byClass.set(labels[i], [groups[i]]);
  }
  const random = new Random(seed);
  const held = new Uint8Array(labels.length);
  for (const label of [...byClass.keys()].sort()) {
    const own = byClass.get(label)!;
    const rows = own.reduce((sum, group) => sum + copies.size(group), 0);
    takeGroups(own, copies, Math.round(share * rows), random, held);
  }
  const [train, test]: [number[], number[]] = [[], []];
  for (let i = 0; i < held.length; i++) (held[i] === 1 ? test : train).push(i);
  return { train, test };
}

/** The rows of each group, in numbers alone: there may be a hundred thousand of them. */
class Copies {
  private readonly firsts: Int32Array;
  private readonly nexts: Int32Array;
  private readonly sizes: Int32Array;

  constructor(groups: Int32Array) {
    const most = groups.reduce((highest, group) => Math.max(highest, group), -1) + 1;
    this.firsts = new Int32Array(most).fill(-1);
    this.sizes = new Int32Array(most);
    this.nexts = new Int32Array(groups.length);
    for (let i = groups.length - 1; i >= 0; i--) {
      this.nexts[i] = this.firsts[groups[i]];
      this.firsts[groups[i]] = i;
      this.sizes[groups[i]]++;
    }
  }

  first(group: number): number {
    return this.firsts[group];
  }

  size(group: number): number {
    return this.sizes[group];
  }

  *rows(group: number): Generator<number> {
    for (let i = this.firsts[group]; i >= 0; i = this.nexts[i]) yield i;
  }
}

/** Marks rows of groups drawn by chance until there are enough; one group at the least stays out. */
function takeGroups(own: readonly number[], copies: Copies, wanted: number, random: Random, held: Uint8Array): void {
  let taken = 0;
  const places = random.permutation(own.length);
  for (let k = 0; k < own.length - 1; k++) {
    const group = own[places[k]];
    if (taken + copies.size(group) > wanted) continue;
    for (const i of copies.rows(group)) held[i] = 1;
    taken += copies.size(group);
  }
}

/** K folds with even classes; copies of a row stay together. */
export function foldsOf(labels: readonly string[], groups: Int32Array, k: number, seed: number): Part[] {
  const distinct = new Set(groups).size;
  if (distinct < k) fail('E_USAGE', texts.fit.tooFewForFolds(k, distinct));
  const splitter = new StratifiedGroupKFold({ nSplits: k, shuffle: true, randomState: seed });
  return Array.from(
    splitter.split(
      Array.from(groups, (group) => [group]),
      labels as string[],
      Array.from(groups),
    ),
    ([train, test]) => ({
      train: Array.from(train),
      test: Array.from(test),
    }),
  );
}
