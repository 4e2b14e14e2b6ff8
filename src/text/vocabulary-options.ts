import { flag, integer, optional } from '../core/options.ts';
import { custom, type SpecOf, stringsOf } from './option-kinds.ts';
import type { DocumentLimit } from './prune.ts';

/** Which terms get a column, and what is counted in it. */
export interface VocabularyOptions {
  /** Terms in fewer documents are dropped: below 1 a share of all, otherwise a number. */
  readonly minDf: number | DocumentLimit;
  /** Terms in more documents are dropped: up to 1 a share of all, otherwise a number. */
  readonly maxDf: number | DocumentLimit;
  /** Only so many terms, the most frequent. */
  readonly maxFeatures: number | null;
  /** The terms, where they are known. */
  readonly vocabulary: readonly string[] | null;
  /** Set of words rather than bag of words: present is 1, however often. */
  readonly binary: boolean;
}

/** A list of terms in the order of their columns; of a set they are sorted, of a map each has the column it says. */
function vocabularyOf(value: unknown): readonly string[] | undefined {
  const terms = stringsOf(value);
  return terms && terms.length > 0 && new Set(terms).size === terms.length ? terms : undefined;
}

/** A share is a fraction; a whole number counts documents. What 1 means is for the option to say: `{ share: 1 }` is plain. */
function limitOf(value: unknown): unknown {
  const isShare = (n: unknown) => typeof n === 'number' && n >= 0 && n <= 1;
  const isCount = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 1;
  if (typeof value === 'number') return isShare(value) || isCount(value) ? value : undefined;
  const [[name, n] = [], ...others] = Object.entries(Object(value));
  const legal = others.length === 0 && (name === 'share' ? isShare(n) : name === 'documents' && isCount(n));
  return legal ? Object.freeze({ ...(value as DocumentLimit) }) : undefined;
}

/** Which terms get a column. */
export const vocabularySpec: SpecOf<VocabularyOptions> = {
  minDf: custom(1, 'a share < 1, or a number of documents ≥ 1', limitOf),
  maxDf: custom(1, 'a share ≤ 1, or a number of documents ≥ 2', limitOf),
  maxFeatures: optional(integer({ default: 1, min: 1 })),
  vocabulary: optional(custom<readonly string[]>([], 'different terms in a list, or a map to 0, 1, 2 …', vocabularyOf)),
  binary: flag({ default: false }),
};
