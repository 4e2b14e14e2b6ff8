import { refuse } from '../errors.ts';

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
