import { refuseFormat } from './entries.ts';

/** How many documents there were, and how many of them held each term. */
export interface Documents {
  readonly documents: number;
  readonly df: Float64Array;
}

/** The largest number of documents tried for the rarest term. */
const MOST_TRIED = 10_000;

/** The tolerance of a count that is recovered from a ratio of logarithms. */
const WHOLE = 1e-9;

/**
 * Recovers the document counts behind inverse document frequencies, which scikit-learn does not store: with e = 1 where idf is smooth and
 * else 0,
 *
 *   idf[t] = ln((n + e) / (df[t] + e)) + 1   ⇒   df[t] + e = (n + e) exp(1 − idf[t])                (1)
 *
 * Returns the smallest n for which (1) gives whole numbers for all terms, which is usually the true one, since the rarest terms of a corpus
 * are in one document or two. If there is none, because documents had weights, n is such that the rarest term is in one document. Either
 * way (1) reproduces idf.
 */
export function documentsOf(idf: Float64Array, smooth: boolean): Documents {
  const extra = smooth ? 1 : 0;
  const shares = idf.map((value) => Math.exp(1 - value));
  const least = shares.reduce((low, share) => Math.min(low, share), Infinity);
  const most = shares.reduce((high, share) => Math.max(high, share), 0);
  if (!(least > 0 && most < 1 + WHOLE)) refuseFormat('idf_ holds a weight that no number of documents gives', 'idf_');
  for (let rarest = 1; rarest <= MOST_TRIED; rarest++) {
    const total = (rarest + extra) / least;
    if (isWhole(total) && shares.every((share) => isWhole(share * Math.round(total))))
      return documentsBy(Math.round(total), shares, extra);
  }
  return documentsBy((1 + extra) / least, shares, extra, false);
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) <= WHOLE * Math.max(1, value);

function documentsBy(total: number, shares: Float64Array, extra: number, whole = true): Documents {
  const df = shares.map((share) => Math.max(0, (whole ? Math.round(share * total) : share * total) - extra));
  return { documents: total - extra, df };
}
