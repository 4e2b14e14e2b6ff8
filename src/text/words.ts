import { stripAccentsAscii, stripAccentsUnicode } from './accents.ts';
import { WORD_CLASS } from './pattern.ts';

/** A text to another text, such as a stemmer or a preprocessor. */
export type TextFunction = (text: string) => string;

/** How a text is made ready before it is split. */
export interface Cleaning {
  readonly normalize: 'NFC' | 'NFKC' | null;
  readonly lowercase: boolean;
  readonly stripAccents: 'ascii' | 'unicode' | TextFunction | null;
}

const strippers = { ascii: stripAccentsAscii, unicode: stripAccentsUnicode } as const;

/** The steps before splitting, in their order: Unicode normal form, small letters, accents. */
export function cleaner({ normalize, lowercase, stripAccents }: Cleaning): TextFunction {
  const strip = typeof stripAccents === 'string' ? strippers[stripAccents] : stripAccents;
  return (text) => {
    const normal = normalize ? text.normalize(normalize) : text;
    const small = lowercase ? normal.toLowerCase() : normal;
    return strip ? strip(small) : small;
  };
}

const WORDS: RegExp = new RegExp(`[${WORD_CLASS}]{2,}`, 'gu');
const BITS: RegExp = new RegExp(`[${WORD_CLASS}]{1,4096}`, 'gu');

/** Above this length one word of a few million letters outside the basic plane would overflow the stack of the matcher. */
const LONG = 2 ** 20;

/** Runs of two or more letters, numbers and underscores: what scikit-learn's default pattern finds, in linear time. */
export function plainWords(text: string): string[] {
  return text.length > LONG ? longWords(text) : (text.match(WORDS) ?? []);
}

/** The same, bit by bit. */
export function longWords(text: string): string[] {
  const words: string[] = [];
  let [word, end] = ['', 0];
  const push = () => {
    if (word.length > 2 || (word.length === 2 && word.codePointAt(0)! < 0x10000)) words.push(word);
  };
  for (const { 0: bit, index } of text.matchAll(BITS)) {
    if (index > end) {
      push();
      word = '';
    }
    word += bit;
    end = index + bit.length;
  }
  push();
  return words;
}
