import { type Labels as EncodedLabels, encodeLabels } from '../data/labels.ts';
import { countTexts } from '../text/count-texts.ts';
import { isMany } from '../text/kernel-choice.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { learnedCounts, learnedWords } from './counted-words.ts';
import { DiscreteNB } from './discrete.ts';
import type { Labels } from './labels.ts';
import type { MultinomialNB } from './multinomial-nb.ts';
import type { Step } from './pipeline-step.ts';

/** Classifiers whose sums are those of the words as they are counted. */
const ofWords: ReadonlySet<string> = new Set(['MultinomialNB', 'ComplementNB']);

/**
 * A vocabulary and a classifier of counts that have learned many texts, counted by class without rows in between: the steps that
 * learning one after the other gives, to the last bit. Nothing, where that is for the plain way; so is whatever has to be refused.
 */
export function fitWords(steps: readonly Step[], X: unknown, y: Labels | undefined): Step[] | undefined {
  const [vectorizer, classifier] = steps;
  if (steps.length !== 2 || !isMany(X) || !y) return undefined;
  if (!isPlainVectorizer(vectorizer) || !isPlainClassifier(classifier)) return undefined;
  const labels = labelsOf(y, X.length);
  const words = labels && countTexts(vectorizer.getParams(), X, labels);
  if (!words || words.ends.length === 0) return undefined;
  return [learnedWords(vectorizer, words), learnedCounts(classifier, words)];
}

/** Whether nothing but the documents decides which terms there are. */
function isPlainVectorizer(step: Step): step is CountVectorizer {
  if (!(step instanceof CountVectorizer) || step.kind !== 'CountVectorizer') return false;
  const { minDf, maxDf, maxFeatures, vocabulary } = step.getParams();
  return minDf === 1 && maxDf === 1 && maxFeatures === null && vocabulary === null;
}

/** Whether counts are all that it learns, and none of its options can be wrong for them. */
function isPlainClassifier(step: Step): step is MultinomialNB {
  if (!(step instanceof DiscreteNB) || !ofWords.has(step.kind)) return false;
  const { alpha, classPrior, reproducible } = step.getParams() as ReturnType<MultinomialNB['getParams']>;
  return typeof alpha === 'number' && classPrior === null && !reproducible;
}

/** One class for each of so many rows, and at least two in all; nothing where there is something to refuse. */
function labelsOf(y: Labels, rows: number): EncodedLabels | undefined {
  if ('assign' in y || y.length !== rows) return undefined;
  try {
    const labels = encodeLabels(y);
    return labels.classes.length > 1 ? labels : undefined;
  } catch {
    return undefined;
  }
}
