import { requireKind, requireNumber, requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { bernoulliInformation, type CoinParameters, readCoins } from '../features/coins.ts';
import type { UnitOptions } from '../features/information.ts';
import { topPlaces } from '../math/arrays.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';

/** Options of `topWords`. */
export interface TopWordsOptions extends UnitOptions {
  /** The words, one per feature. Default: x0, x1, … */
  readonly names?: readonly string[] | undefined;
  /** How many words per list, 5 by default. */
  readonly k?: number | undefined;
  /** Another measure than the Bernoulli information (Murphy 3.76): one value per feature. Default: none. */
  readonly information?: ArrayLike<number> | undefined;
}

/** The same for texts. */
export interface TextTopWordsOptions extends UnitOptions {
  /** The number of words per list. Default: 5. */
  readonly k?: number | undefined;
  /** The vectorizer options; by default `tokenizer: 'auto'`. Only presence in a text counts. */
  readonly vectorizer?: CountVectorizer | undefined;
}

/** The most probable words of every class beside the most informative words of all. */
export interface TopWords {
  readonly classes: readonly {
    readonly label: Label;
    readonly words: readonly { readonly word: string; readonly probability: number }[];
  }[];
  readonly informative: readonly { readonly word: string; readonly information: number }[];
}

/** Parameters by class and feature, optionally with class labels. */
type Model = CoinParameters & { readonly classes?: readonly Label[] };

/**
 * Table 3.1 of Murphy, Machine Learning: A Probabilistic Perspective (2012): the k most probable words of every class, which are similar,
 * and the k words with the highest mutual information, which are not. Of texts and their labels (by a `BernoulliNB` of their words), or of
 * any model with ln p(xⱼ | c). In bits unless nats are asked for; of equals the earlier feature comes first.
 */
export function topWords(texts: readonly string[], labels: ArrayLike<Label>, options?: TextTopWordsOptions): TopWords;
export function topWords(model: Model, options?: TopWordsOptions): TopWords;
export function topWords(
  first: readonly string[] | Model,
  second: ArrayLike<Label> | TopWordsOptions = {},
  third: TextTopWordsOptions = {},
): TopWords {
  if (isModel(first)) return ofModel(first, second as TopWordsOptions);
  if (!Array.isArray(first)) {
    refuse('E_TYPE', `topWords takes texts and labels, or a model with featureLogProb, got ${show(first)}`, {});
  }
  const known = ['vectorizer', 'k', 'unit'];
  const { vectorizer = new CountVectorizer({ tokenizer: 'auto' }), ...options } = requireOptions(
    'topWords',
    known,
    third,
  );
  const words = vectorizer.clone();
  const X = words.fitTransform(first);
  const model = new BernoulliNB().fit(X, second as ArrayLike<Label>);
  return ofModel(model, { ...options, names: words.getFeatureNamesOut() });
}

const isModel = (value: unknown): value is Model =>
  typeof value === 'object' && value !== null && 'featureLogProb' in value;

function ofModel(model: Model, given: TopWordsOptions): TopWords {
  const {
    names,
    k = 5,
    unit = 'bits',
    information,
  } = requireOptions('topWords', ['names', 'k', 'unit', 'information'], given);
  requireNumber('k', k, 'a whole number ≥ 0', (value) => Number.isSafeInteger(value) && value >= 0);
  if (information !== undefined) requireKind(information, 'the information of every word', 'list');
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
