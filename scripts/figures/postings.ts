import { loadPostings, MultinomialNB, makePipeline, setOfWords } from 'polya';
import { bars, picture, type Say, text } from './svg.ts';

/** Lesson 10: the words with the strongest evidence for either class. */
export function postings(say: Say): string {
  const { rows } = loadPostings();
  const model = makePipeline(setOfWords({ tokenPattern: /\S+/gu, lowercase: false }), new MultinomialNB()).fit(
    rows.map(({ text: words }) => String(words)),
    rows.map(({ abusive }) => Number(abusive)),
  );
  const [vectorizer, dice] = model.steps;
  const [fine, abusive] = dice.featureLogProb.toArray();
  const words = vectorizer.getFeatureNamesOut().map((name, j) => ({ name, value: abusive[j] - fine[j] }));
  const sorted = words.sort((one, other) => other.value - one.value || (one.name < other.name ? -1 : 1));
  const title = say('The log-odds of "abusive", word by word', '逐词看“abusive”的对数几率');
  const shown = [...sorted.slice(0, 5), ...sorted.slice(-5)];
  return picture(title, 350, [
    text(24, 32, title, { bold: true }),
    ...bars(shown, { middle: 440, scale: 95, top: 56 }),
  ]);
}
