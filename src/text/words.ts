/** Maps a text to another text, such as a stemmer or a preprocessor. */
export type TextFunction = (text: string) => string;

/** How a text is prepared before it is split. */
export interface Cleaning {
  readonly normalize: 'NFC' | 'NFKC' | null;
  readonly lowercase: boolean;
  readonly stripAccents: TextFunction | null;
}

/** The steps before splitting, in order: Unicode normal form, lower case, accents. */
export function clean(text: string, { normalize, lowercase, stripAccents }: Cleaning): string {
  const normal = normalize ? text.normalize(normalize) : text;
  const small = lowercase ? normal.toLowerCase() : normal;
  return stripAccents ? stripAccents(small) : small;
}

/** Python's `\w` as the inside of a character class; JavaScript's covers only ASCII. */
export const WORD_CLASS = '\\p{L}\\p{N}_';

const WORDS: RegExp = new RegExp(`[${WORD_CLASS}]{2,}`, 'gu');
const BREAK: RegExp = new RegExp(`[^${WORD_CLASS}]`, 'u');

/** Above this length, one word of a few million letters outside the basic plane would overflow the matcher's stack. */
const LONG = 2 ** 20;

/**
 * Runs of two or more letters, numbers and underscores: the matches of scikit-learn's default pattern, in linear time.
 */
export function plainWords(text: string): string[] {
  return text.length > LONG ? longWords(text) : (text.match(WORDS) ?? []);
}

/** The same, from break to break. */
export function longWords(text: string): string[] {
  return text.split(BREAK).filter((word) => word.length > 2 || (word.length === 2 && word.codePointAt(0)! < 0x10000));
}
