import { flag, integer, optional } from '../core/options.ts';
import { custom, type SpecOf, stringsOf } from './option-kinds.ts';
import type { DocumentLimit } from './prune.ts';

/** Which terms get a column, and what is counted. */
export interface VocabularyOptions {
  /** Drops terms in fewer documents: below 1 a share of all documents, otherwise a number. Default: 1. */
  readonly minDf: number | DocumentLimit;
  /** Drops terms in more documents: up to 1 a share of all documents, otherwise a number. Default: 1. */
  readonly maxDf: number | DocumentLimit;
  /** Keeps at most this many terms, the most frequent. Default: null, no limit. */
  readonly maxFeatures: number | null;
  /** A fixed list of terms. Default: null, learned from the documents. */
  readonly vocabulary: readonly string[] | null;
  /** Counts presence (1) instead of occurrences. Default: false. */
  readonly binary: boolean;
}

/** A list of terms in column order; a set is sorted, a map or an object gives the column of each. */
function vocabularyOf(value: unknown): readonly string[] | undefined {
  const isRecord = Object.prototype.toString.call(value) === '[object Object]' && !(Symbol.iterator in Object(value));
  const terms = stringsOf(isRecord ? new Map(Object.entries(Object(value))) : value);
  return terms && terms.length > 0 && new Set(terms).size === terms.length ? terms : undefined;
}

/**
 * A share is a fraction; an integer is a number of documents. The meaning of 1 depends on the option; `{ share: 1 }` is
 * unambiguous.
 */
function limitOf(value: unknown): unknown {
  const isShare = (n: unknown) => typeof n === 'number' && n >= 0 && n <= 1;
  const isCount = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 1;
  if (typeof value === 'number') return isShare(value) || isCount(value) ? value : undefined;
  const [[name, n] = [], ...others] = Object.entries(Object(value));
  const legal = others.length === 0 && (name === 'share' ? isShare(n) : name === 'documents' && isCount(n));
  return legal ? Object.freeze({ ...(value as DocumentLimit) }) : undefined;
}

/** The options that select terms. */
export const vocabularySpec: SpecOf<VocabularyOptions> = {
  minDf: custom(1, 'a share < 1, or a number of documents ≥ 1', limitOf),
  maxDf: custom(1, 'a share ≤ 1, or a number of documents ≥ 2', limitOf),
  maxFeatures: optional(integer({ default: 1, min: 1 })),
  vocabulary: optional(
    custom<readonly string[]>([], 'different terms in a list, or a map or an object to 0, 1, 2 …', vocabularyOf),
  ),
  binary: flag({ default: false }),
};
