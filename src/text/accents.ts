const OUTSIDE_ASCII = /[^\0-\x7f]/;
const MARKS = /\p{M}/gu;

const LOWEST = '\u0334'; // combining class 1
const HIGHEST = '\u0345'; // combining class 240, the highest
const combining = new Map<string, boolean>();

/**
 * Whether a fully decomposed character has a combining class other than 0. Canonical ordering (The Unicode Standard
 * 16.0, §3.11) sorts adjacent characters of non-zero class and never moves one of class 0. So the class is non-zero if
 * the character swaps with the lowest mark or with the highest. No table is needed.
 */
export function isCombining(character: string): boolean {
  let known = combining.get(character);
  if (known === undefined) {
    const row = HIGHEST + character + LOWEST;
    combining.set(character, (known = row.normalize('NFD') !== row));
  }
  return known;
}

/** Letters without their accents: compatibility decomposition, then every mark of non-zero combining class is dropped. */
export function stripAccentsUnicode(text: string): string {
  if (!OUTSIDE_ASCII.test(text)) return text;
  return text.normalize('NFKD').replace(MARKS, (mark) => (isCombining(mark) ? '' : mark));
}

/** Compatibility decomposition to ASCII; all other characters are dropped. */
export function stripAccentsAscii(text: string): string {
  return OUTSIDE_ASCII.test(text) ? text.normalize('NFKD').replace(/[^\0-\x7f]+/g, '') : text;
}
