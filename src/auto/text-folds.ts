import { refuse } from '../errors.ts';
import { Random } from '../math/random.ts';

/** Texts up to this length are alike when their letters are; longer ones only when they are equal. */
const SHORT = 500;

/** What two rows share exactly when one tells the class of the other: the same letters, whatever their case and numbers. */
function likenessOf(text: string): string {
  if (text.length > SHORT) return text;
  const letters = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
  return letters === '' ? text : letters;
}

/** Keys as numbers, in the order of arrival. */
function numbered(keys: ArrayLike<unknown>): Int32Array {
  const numbers = new Map<unknown, number>();
  return Int32Array.from({ length: keys.length }, (_, i) => {
    const known = numbers.get(keys[i]);
    if (known === undefined) numbers.set(keys[i], numbers.size);
    return known ?? numbers.size - 1;
  });
}

function largest(group: Int32Array): number {
  const sizes = new Int32Array(group.length);
  return group.reduce((most, g) => Math.max(most, ++sizes[g]), 0);
}

/**
 * Groups of rows that must lie in one fold: those of the caller, or rows whose texts are alike. Where that would put more
 * than a twentieth of the rows together, numbers are what tells the texts apart, and only equal texts are alike.
 */
export function groupRows(documents: readonly string[], groups?: ArrayLike<unknown>): Int32Array {
  if (groups && groups.length !== documents.length) {
    refuse('E_SHAPE', `there are ${groups.length} groups for ${documents.length} documents`, {
      expected: documents.length,
      actual: groups.length,
    });
  }
  if (groups) return numbered(groups);
  const alike = numbered(documents.map(likenessOf));
  return largest(alike) > Math.max(5, documents.length / 20) ? numbered(documents) : alike;
}

/**
 * The fold of every row. Groups are dealt in random order, each to the fold that has the fewest rows of the class of its first row.
 * Among equals it is the fold with the fewest rows or, for a class with fewer groups than folds (but more than one), the first,
 * so that small classes share their folds: if a fold held out one class alone, the class counts of the others would reveal it.
 */
export function dealFolds(group: Int32Array, y: Int32Array, most: number, seed: number): Int32Array {
  const members: number[][] = [];
  for (let i = 0; i < group.length; i++) (members[group[i]] ??= []).push(i);
  const folds = Math.min(most, members.length);
  if (folds < 2) {
    refuse('E_EMPTY_INPUT', 'to choose a model takes two documents that differ, at least', { actual: members.length });
  }
  const classes = y.reduce((top, c) => Math.max(top, c + 1), 0);
  const groupsOf = new Int32Array(classes);
  for (const [first] of members) groupsOf[y[first]]++;
  const held = new Int32Array(folds * classes);
  const load = new Int32Array(folds);
  const fold = new Int32Array(group.length);
  for (const g of new Random(seed).permutation(members.length)) {
    const own = y[members[g][0]];
    const small = groupsOf[own] > 1 && groupsOf[own] < folds;
    let best = 0;
    for (let k = 1; k < folds; k++) {
      const fewer = held[k * classes + own] - held[best * classes + own];
      if (fewer < 0 || (fewer === 0 && !small && load[k] < load[best])) best = k;
    }
    for (const i of members[g]) {
      fold[i] = best;
      held[best * classes + y[i]]++;
      load[best]++;
    }
  }
  return fold;
}

/** The rows of each fold, ascending. */
export function rowsByFold(fold: Int32Array): Uint32Array[] {
  const lists: number[][] = Array.from({ length: fold.reduce((top, k) => Math.max(top, k + 1), 0) }, () => []);
  for (let i = 0; i < fold.length; i++) lists[fold[i]].push(i);
  return lists.map((rows) => Uint32Array.from(rows));
}

/** The rows of all folds but one, ascending. */
export function rowsOutside(fold: Int32Array, k: number): Uint32Array {
  return Uint32Array.from(fold.keys()).filter((i) => fold[i] !== k);
}
