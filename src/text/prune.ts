import { refuse } from '../errors.ts';

/** A number of documents: so many, or a share of all of them. */
export type DocumentLimit = { readonly documents: number } | { readonly share: number };

/** Which terms are worth a column. */
export interface PruneRule {
  /** Terms in fewer documents are dropped. */
  readonly minDf: DocumentLimit;
  /** Terms in more documents are dropped. */
  readonly maxDf: DocumentLimit;
  /** Only so many terms stay, those that occur most often; the first in order of equals. */
  readonly maxFeatures: number | null;
}

const toDocuments = (limit: DocumentLimit, all: number) => ('share' in limit ? limit.share * all : limit.documents);

/** Whether a rule keeps every term there is. */
export function keepsAll({ minDf, maxDf, maxFeatures }: PruneRule): boolean {
  const [low, high] = [minDf, maxDf].map((limit) => ('share' in limit ? limit.share : Number.NaN));
  const least = low === 0 || ('documents' in minDf && minDf.documents === 1);
  return least && high === 1 && maxFeatures === null;
}

/** Which terms are in neither too few nor too many documents. Refuses a rule that contradicts itself or leaves nothing. */
export function withinLimits(df: Float64Array, documents: number, rule: PruneRule): Uint32Array {
  const [least, most] = [toDocuments(rule.minDf, documents), toDocuments(rule.maxDf, documents)];
  if (most < least) {
    refuse('E_PARAM', `maxDf stands for ${most} documents and minDf for ${least}: no term can satisfy both`, {
      name: 'maxDf',
      minDf: least,
      maxDf: most,
    });
  }
  const within = Uint32Array.from(df.keys()).filter((k) => df[k] >= least && df[k] <= most);
  if (within.length === 0) {
    refuse('E_PARAM', 'no term is left after pruning; try a lower minDf or a higher maxDf', { name: 'minDf' });
  }
  return within;
}

/** Which columns stay, ascending; of terms that are met equally often the first in order. */
export function keptColumns(df: Float64Array, tf: Float64Array, documents: number, rule: PruneRule): Uint32Array {
  const within = withinLimits(df, documents, rule);
  if (rule.maxFeatures === null || within.length <= rule.maxFeatures) return within;
  return within
    .sort((a, b) => tf[b] - tf[a] || a - b)
    .slice(0, rule.maxFeatures)
    .sort();
}

/** A rule as users write it: below 1 a share, above it a number of documents. 1 is one document for minDf, all for maxDf. */
export interface PruneOptions {
  readonly minDf: number | DocumentLimit;
  readonly maxDf: number | DocumentLimit;
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
