import { refuse } from '../errors.ts';
import type { CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { numberRows } from '../evaluate/rows.ts';

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
  if (groups) return numberRows(groups);
  const alike = numberRows(documents.map(likenessOf));
  return largest(alike) > Math.max(5, documents.length / 20) ? numberRows(documents) : alike;
}

/** A way to read a text as terms. */
export interface View {
  readonly name: string;
  readonly options: CountVectorizerOptions;
  /** The most characters of training text that this view is tried on: they are what reading it costs, in time and memory. */
  readonly most: number;
  /** The most characters times classes, plus a few for the reading: they are what scoring it costs. */
  readonly work: number;
}

/** Letters of scripts that are written without spaces between words. */
const PACKED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/gu;
const LETTER = /\p{L}/gu;

/** Reading a text costs about as much as scoring it for so many classes. */
const READING = 4;

/** So many characters tell which script a corpus is written in. */
const SAMPLE = 200_000;

const spaced: readonly View[] = [
  { name: 'words', options: {}, most: Infinity, work: Infinity },
  { name: 'pairs of words', options: { ngramRange: [2, 2] }, most: 40e6, work: 300e6 },
  { name: 'characters 3–5', options: { analyzer: 'char_wb', ngramRange: [3, 5] }, most: 4e6, work: 60e6 },
];

const packed: readonly View[] = [
  { name: 'characters', options: { analyzer: 'char', ngramRange: [1, 1] }, most: Infinity, work: Infinity },
  { name: 'pairs of characters', options: { analyzer: 'char', ngramRange: [2, 2] }, most: 40e6, work: 600e6 },
  {
    name: 'triples of characters',
    options: { analyzer: 'char', ngramRange: [3, 3] },
    most: 8e6,
    work: 120e6,
  },
];

/** The share of letters in a script without spaces, in documents taken evenly from the whole. */
function packedShare(documents: readonly string[], characters: number): number {
  const step = Math.max(1, Math.ceil(characters / SAMPLE));
  let [inScript, letters] = [0, 0];
  for (let i = 0; i < documents.length; i += step) {
    inScript += documents[i].match(PACKED)?.length ?? 0;
    letters += documents[i].match(LETTER)?.length ?? 0;
  }
  return letters === 0 ? 0 : inScript / letters;
}

/**
 * The views to try, by the script of the texts and their amount: n-grams of characters cost many times what words do, and
 * the more text there is, the less they add to words.
 */
export function viewsFor(
  documents: readonly string[],
  classes: number,
  stopWords?: CountVectorizerOptions['stopWords'],
): View[] {
  const characters = documents.reduce((total, text) => total + text.length, 0);
  const views = packedShare(documents, characters) > 0.3 ? packed : spaced;
  const affordable = views.filter(({ most, work }) => characters <= most && characters * (classes + READING) <= work);
  if (!stopWords || views === packed) return affordable;
  const words = affordable.filter(({ options }) => options.analyzer === undefined);
  return words.map((view) => ({ ...view, options: { ...view.options, stopWords } }));
}
