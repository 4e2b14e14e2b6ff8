/** Python's `\s` and `str.split` white space, as the inside of a character class; JavaScript's `\s` differs. */
export const WHITE_SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const RUNS: RegExp = new RegExp(`[${WHITE_SPACE}]{2,}`, 'g');
const PIECES: RegExp = new RegExp(`[^${WHITE_SPACE}]+`, 'g');

/** The start of each code point, and the end of the text. */
function boundaries(text: string): number[] {
  const places = [0];
  for (let at = 0; at < text.length; ) places.push((at += text.codePointAt(at)! > 0xffff ? 2 : 1));
  return places;
}

function pushGrams(text: string, places: readonly number[], n: number, grams: string[]): void {
  for (let i = 0; i + n < places.length; i++) grams.push(text.slice(places[i], places[i + n]));
}

/** All substrings of `lowest` to `highest` code points; a run of white space counts as one space. Analyzer 'char'. */
export function characterGrams(text: string, lowest: number, highest: number): string[] {
  const collapsed = text.replace(RUNS, ' ');
  const places = boundaries(collapsed);
  const grams: string[] = [];
  for (let n = lowest; n <= highest && n < places.length; n++) pushGrams(collapsed, places, n, grams);
  return grams;
}

/**
 * Substrings within words, each padded with one space on either side. A padded word of at most n characters is one
 * gram, and larger n are skipped for it. Analyzer 'char_wb'.
 */
export function wordCharacterGrams(text: string, lowest: number, highest: number): string[] {
  const grams: string[] = [];
  for (const [piece] of text.matchAll(PIECES)) {
    const word = ` ${piece} `;
    const places = boundaries(word);
    const longest = Math.min(highest, Math.max(lowest, places.length - 1));
    for (let n = lowest; n <= longest; n++) {
      if (n >= places.length) grams.push(word);
      else pushGrams(word, places, n, grams);
    }
  }
  return grams;
}
