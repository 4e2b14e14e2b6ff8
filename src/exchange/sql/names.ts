import type { Label } from '../../data/labels.ts';
import { refuse, show } from '../../errors.ts';

/** The names of the columns that a query gives. */
export interface SqlColumns {
  readonly key: readonly string[];
  readonly label: string;
  /** One for each class, in the order of the classes. */
  readonly probabilities: readonly string[];
  readonly logOdds: readonly string[];
}

/** PostgreSQL cuts names off behind this many bytes, and a prefix needs some of them. */
const LONGEST_LABEL = 40;

/**
 * The names of the result's columns: `label`, `p_spam`, `logit_spam`. Where labels would not make different names in every engine (long
 * ones are cut off, and capital letters are often the same as small ones), classes are numbered: `p_0`.
 */
export function outputNames(
  classes: readonly Label[],
  prefix: string,
  odds: boolean,
  key: readonly string[],
): SqlColumns {
  const words = classes.map(String);
  const folded = new Set(words.map((word) => word.toLowerCase().toUpperCase()));
  const fits = words.every(
    (word) => word.isWellFormed() && !/[\0${}]/.test(word) && new TextEncoder().encode(word).length <= LONGEST_LABEL,
  );
  const own = fits && folded.size === words.length ? words : words.map((_, c) => String(c));
  const names = {
    key,
    label: `${prefix}label`,
    probabilities: own.map((word) => `${prefix}p_${word}`),
    logOdds: odds ? own.map((word) => `${prefix}logit_${word}`) : [],
  };
  const taken = new Set([names.label, ...names.probabilities, ...names.logOdds].map((name) => name.toLowerCase()));
  const clash = key.find((name, k) => taken.has(name.toLowerCase()) || key.indexOf(name) < k);
  if (clash !== undefined) {
    refuse('E_IDENTIFIER', `two columns would be called ${show(clash)}; give a prefix`, { name: clash });
  }
  return names;
}
