import type { CountArray } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import type { Counts } from './document-counter.ts';

/** A document frequency: a number of documents, or a share of all. */
export type DocumentLimit = { readonly documents: number } | { readonly share: number };

/** Which terms get a column. */
export interface PruneRule {
  /** Terms in fewer documents are dropped. */
  readonly minDf: DocumentLimit;
  /** Terms in more documents are dropped. */
  readonly maxDf: DocumentLimit;
  /** The maximum number of terms: the most frequent are kept, ties by order. */
  readonly maxFeatures: number | null;
}

/** A limit as a number of documents. */
export const toDocuments = (limit: DocumentLimit, all: number): number =>
  'share' in limit ? limit.share * all : limit.documents;

/** Whether a rule keeps every existing term, even if its documents have little weight. */
export function keepsAll({ minDf, maxDf, maxFeatures }: PruneRule): boolean {
  const least = 'share' in minDf ? minDf.share === 0 : minDf.documents === 1;
  return least && 'share' in maxDf && maxDf.share === 1 && maxFeatures === null;
}

/**
 * Whether a term is in neither too few nor too many documents. Throws if the rule contradicts itself or leaves no term.
 */
function limitsOf({ minDf, maxDf }: PruneRule, df: CountArray, documents: number): (df: number) => boolean {
  const [least, most] = [toDocuments(minDf, documents), toDocuments(maxDf, documents)];
  if (most < least) {
    refuse('E_PARAM', `maxDf stands for ${most} documents and minDf for ${least}: no term can satisfy both`, {
      name: 'maxDf',
      minDf: least,
      maxDf: most,
    });
  }
  const within = (count: number) => count > 0 && count >= least && count <= most;
  if (!df.some(within)) {
    refuse('E_PARAM', 'no term is left after pruning; try a lower minDf or a higher maxDf', { name: 'minDf' });
  }
  return within;
}

/**
 * Removes terms in too few or too many documents from counts, before they are decoded and sorted; returns whether any
 * were removed.
 */
export function dropOutside({ df, tf, documents }: Counts, rule: PruneRule): boolean {
  if (keepsAll(rule) || !df.some((count) => count > 0)) return false;
  const within = limitsOf(rule, df, documents);
  let dropped = false;
  for (let id = 0; id < df.length; id++) {
    if (df[id] === 0 || within(df[id])) continue;
    df[id] = tf[id] = 0;
    dropped = true;
  }
  return dropped;
}

/** Which columns are kept, ascending; ties by frequency go to the first in order. */
export function keptColumns(df: Float64Array, tf: Float64Array, documents: number, rule: PruneRule): Uint32Array {
  const inside = limitsOf(rule, df, documents);
  const within = Uint32Array.from(df.keys()).filter((k) => inside(df[k]));
  if (rule.maxFeatures === null || within.length <= rule.maxFeatures) return within;
  return within
    .sort((a, b) => tf[b] - tf[a] || a - b)
    .slice(0, rule.maxFeatures)
    .sort();
}

/**
 * A rule in users' notation: below 1 a share, above 1 a number of documents. 1 is one document for minDf, all for
 * maxDf.
 */
export interface PruneOptions {
  /** Drop terms in fewer documents: a number of documents, or a share below 1. Default: 1. */
  readonly minDf: number | DocumentLimit;
  /** Drop terms in more documents: a number of documents, or a share up to 1. Default: 1.0. */
  readonly maxDf: number | DocumentLimit;
  /** Keep at most this many terms, the most frequent ones. Default: null. */
  readonly maxFeatures: number | null;
}

/** The rule that the options describe. */
export function pruneRule({ minDf, maxDf, maxFeatures }: PruneOptions): PruneRule {
  const limit = (value: number | DocumentLimit, counts: (n: number) => boolean): DocumentLimit => {
    if (typeof value === 'object') return value;
    return counts(value) ? { documents: value } : { share: value };
  };
  return { minDf: limit(minDf, (n) => n >= 1), maxDf: limit(maxDf, (n) => n > 1), maxFeatures };
}
