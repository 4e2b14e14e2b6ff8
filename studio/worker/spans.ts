import { type ClassifierExplanation, CountVectorizer } from '../../src/index.ts';

/** What a cell or a word adds to the score of each class. */
export type Term = ClassifierExplanation['terms'][number];

/** A word of a text: its position, and its contribution to the score of each class. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly byClass: readonly number[];
}

/** A part of a text, and how much it favours one class over another, in nats. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

const tokenize = new CountVectorizer({ tokenizer: 'auto' }).buildTokenizer();

/** Lower-cases a text without changing its length: a letter whose lower case has two characters is left alone. */
const lowered = (text: string): string =>
  text.replaceAll(/./gsu, (letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter));

/** The words of a text by the tokenizer of the models, which also segments scripts without spaces. */
function wordsIn(text: string): { readonly word: string; readonly from: number; readonly to: number }[] {
  let at = 0;
  return tokenize(text).map((word) => {
    const from = text.indexOf(word, at);
    at = from + word.length;
    return { word, from, to: at };
  });
}

/**
 * The words of a text with their contributions. The contribution of an n-gram is divided among its words, that of a repeated term among its
 * occurrences, and that of a character n-gram among the words that contain it, so that the spans sum to the terms.
 */
export function spansOf(text: string, terms: readonly Term[], classes: number): Span[] {
  const small = lowered(text);
  const words = wordsIn(small);
  const sums = words.map(() => new Float64Array(classes));
  const places = new Map<string, number[]>();
  for (const [k, { word }] of words.entries()) places.set(word, [...(places.get(word) ?? []), k]);
  for (const { value, byClass } of terms) {
    const term = lowered(String(value ?? ''));
    const own = term.trim().split(/\s+/);
    const starts = (places.get(own[0]) ?? []).filter((k) => own.every((word, n) => words[k + n]?.word === word));
    const whole = starts.flatMap((k) => own.map((_, n) => k + n));
    const touched = whole.length > 0 ? whole : touchedBy(small, term.trim(), words);
    for (const k of touched) for (let c = 0; c < classes; c++) sums[k][c] += byClass[c] / touched.length;
  }
  return words.flatMap(({ from, to }, k) =>
    sums[k].some((value) => value !== 0) ? [{ from, to, byClass: Array.from(sums[k]) }] : [],
  );
}

/** The words that contain the characters of a term. */
function touchedBy(text: string, term: string, words: readonly { from: number; to: number }[]): number[] {
  const found: number[] = [];
  for (let at = term === '' ? -1 : text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    for (const [k, { from, to }] of words.entries()) if (from < at + term.length && to > at) found.push(k);
  }
  return found;
}
