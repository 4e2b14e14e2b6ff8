import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Contribution } from '../estimators/explanation.ts';
import { addScaledInto } from '../math/arrays.ts';
import { type Document, textOf } from '../text/documents.ts';
import type { Bag } from '../text/reader.ts';

/** What a term of a document adds to the score of each class, and how often it occurs. */
export interface ExplainedTerm {
  readonly byClass: Float64Array;
  readonly count: number;
}

/** One view of a document: its terms by their numbers, what they are called, and how a word of the document is read. */
export interface ExplainedView {
  readonly vectorizer: CountVectorizer;
  readonly terms: ReadonlyMap<number, ExplainedTerm>;
  nameOf(term: number): string;
  read(word: string): Pick<Bag, 'ids' | 'counts'>;
}

/** A word in lower case without the punctuation around it, as views of words have it. */
const bare = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}]+(?=.)|(?<=.)[^\p{L}\p{N}]+$/gu, '') || word;

/**
 * What every word of a document adds to the score of each class. N-grams of characters that do not go beyond a word (`char_wb`) are added
 * up by word, each word with its share of their occurrences; other n-grams of characters are shown between two dots.
 */
export function explainByWord(
  document: Document,
  row: number,
  classes: number,
  views: readonly ExplainedView[],
): Contribution[] {
  const found = new Map<string, Float64Array>();
  const add = (feature: string, share: number, byClass: Float64Array) => {
    const sum = found.get(feature) ?? new Float64Array(classes);
    addScaledInto(sum, share, byClass);
    found.set(feature, sum);
  };
  for (const { vectorizer, terms, nameOf, read } of views) {
    const { analyzer } = vectorizer.getParams();
    if (analyzer !== 'char_wb') {
      for (const [term, { byClass }] of terms)
        add(analyzer === 'word' ? nameOf(term) : `·${nameOf(term)}·`, 1, byClass);
      continue;
    }
    for (const word of textOf(document, row).split(/\s+/)) {
      const { ids, counts } = read(word);
      for (let k = 0; k < ids.length; k++) {
        const term = terms.get(ids[k]);
        if (term) add(bare(word), counts[k] / term.count, term.byClass);
      }
    }
  }
  return Array.from(found, ([feature, byClass]) => ({ feature, byClass }));
}
