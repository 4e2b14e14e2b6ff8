import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { topPlaces } from '../math/arrays.ts';
import { bernoulliInformation, type CoinParameters, readCoins } from './coins.ts';
import type { UnitOptions } from './information.ts';

/** How the table is made. */
export interface TopWordsOptions extends UnitOptions {
  /** The words, one per feature; x0, x1, … without them. */
  readonly names?: readonly string[] | undefined;
  /** How many words per list, 5 by default. */
  readonly k?: number | undefined;
  /** Another measure than the Bernoulli information by (3.76): one value per feature. */
  readonly information?: ArrayLike<number> | undefined;
}

/** The most probable words of every class beside the most informative words of all. */
export interface TopWords {
  readonly classes: readonly {
    readonly label: Label;
    readonly words: readonly { readonly word: string; readonly probability: number }[];
  }[];
  readonly informative: readonly { readonly word: string; readonly information: number }[];
}

/**
 * Table 3.1 of Murphy, Machine Learning: A Probabilistic Perspective (2012), for any model with ln p(xⱼ | c): the k most
 * probable words of every class, which are much alike, and the k words of highest mutual information, which are not.
 * In bits unless nats are asked for, as there; of equals the earlier feature comes first.
 */
export function topWords(
  model: CoinParameters & { readonly classes?: readonly Label[] },
  { names, k = 5, unit = 'bits', information }: TopWordsOptions = {},
): TopWords {
  const { logHeads } = readCoins(model);
  if (names && names.length !== logHeads.cols) {
    refuse('E_FEATURE_COUNT', `there are ${names.length} words and ${logHeads.cols} features`, {
      expected: logHeads.cols,
      actual: names.length,
    });
  }
  const word = (j: number) => names?.[j] ?? `x${j}`;
  const scores = Float64Array.from(information ?? bernoulliInformation(model, { unit }));
  return {
    classes: Array.from({ length: logHeads.rows }, (_, c) => ({
      label: model.classes?.[c] ?? c,
      words: topPlaces(logHeads.row(c), k).map((j) => ({ word: word(j), probability: Math.exp(logHeads.at(c, j)) })),
    })),
    informative: topPlaces(scores, k).map((j) => ({ word: word(j), information: scores[j] })),
  };
}
