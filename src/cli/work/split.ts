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
  return places.size >= rows.length / 2 ? groups : groups.map((_, i) => i);
}

/** Sets a share of every class aside, by chance; copies of a row stay together. */
export function holdOut(labels: readonly string[], groups: Int32Array, share: number, seed: number): Part {
  const byClass = new Map<string, number[]>();
  const members = new Map<number, number[]>();
  for (let i = 0; i < labels.length; i++) {
    const own = members.get(groups[i]);
    if (own) own.push(i);
    else {
      members.set(groups[i], [i]);
      const others = byClass.get(labels[i]) ?? [];
      others.push(groups[i]); // a group goes with its first row
      byClass.set(labels[i], others);
    }
  }
  const random = new Random(seed);
  const held = new Set<number>();
  for (const label of [...byClass.keys()].sort()) {
    const own = byClass.get(label)!;
    const rows = own.reduce((sum, group) => sum + members.get(group)!.length, 0);
    takeGroups(own, members, Math.round(share * rows), random, held);
  }
  const all = [...labels.keys()];
  return { train: all.filter((i) => !held.has(i)), test: all.filter((i) => held.has(i)) };
}

/** Adds rows of groups drawn by chance until there are enough; one group at the least stays out. */
function takeGroups(
  own: readonly number[],
  members: ReadonlyMap<number, readonly number[]>,
  wanted: number,
  random: Random,
  held: Set<number>,
): void {
  let taken = 0;
  for (const place of Array.from(random.permutation(own.length)).slice(0, own.length - 1)) {
    const rows = members.get(own[place])!;
    if (taken + rows.length > wanted) continue;
    for (const i of rows) held.add(i);
    taken += rows.length;
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
