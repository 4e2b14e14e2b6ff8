import { choice, type GivenOptions, integer, type OptionSpec, readOptions, unchecked } from '../core/options.ts';
import { requireKind } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { bernoulliInformation, type CoinParameters, readCoins } from '../features/coins.ts';
import { topPlaces } from '../math/arrays.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';

const commonSpec = {
  /** The number of words per list. Default: 5. */
  k: integer({ default: 5, min: 0 }),
  /** The unit of information. Default: 'bits'. */
  unit: choice(['bits', 'nats'], { default: 'bits' }),
} satisfies OptionSpec;
const modelSpec = {
  ...commonSpec,
  /** The words, one per feature. Default: x0, x1, … */
  names: unchecked<readonly string[]>(),
  /** Another measure than the Bernoulli information (Murphy 3.76): one value per feature. Default: none. */
  information: unchecked<ArrayLike<number>>(),
} satisfies OptionSpec;
const textSpec = {
  ...commonSpec,
  /** The vectorizer options; by default `tokenizer: 'auto'`. Only presence in a text counts. */
  vectorizer: unchecked<CountVectorizer>(),
} satisfies OptionSpec;

/** Options of `topWords`. */
export type TopWordsOptions = GivenOptions<typeof modelSpec>;

/** The same for texts. */
export type TextTopWordsOptions = GivenOptions<typeof textSpec>;

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
  const { vectorizer, ...options } = readOptions('topWords', textSpec, third);
  const words = vectorizer?.clone() ?? new CountVectorizer({ tokenizer: 'auto' });
  const X = words.fitTransform(first);
  const model = new BernoulliNB().fit(X, second as ArrayLike<Label>);
  return ofModel(model, { ...options, names: words.getFeatureNamesOut() });
}

const isModel = (value: unknown): value is Model =>
  typeof value === 'object' && value !== null && 'featureLogProb' in value;

function ofModel(model: Model, given: TopWordsOptions): TopWords {
  const { names, k, unit, information } = readOptions('topWords', modelSpec, given);
  if (information !== null) requireKind(information, 'the information of every word', 'list');
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
