import { CountVectorizer, loadChinaJapan, MultinomialNB, makePipeline } from 'polya';
import { bars, picture, type Say, text } from './svg.ts';

/** Lesson 1: the score of document 5 as a sum of the prior and the words. */
export function counting(say: Say): string {
  const { rows, questions = [] } = loadChinaJapan();
  const model = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(
    rows.map(({ text: words }) => String(words)),
    rows.map(({ china }) => String(china)),
  );
  const [{ prior, contributions, score }] = model.explain([String(questions[0].text)]);
  const [no, yes] = [model.classes.indexOf('no'), model.classes.indexOf('yes')];
  const odds = (byClass: ArrayLike<number>) => byClass[yes] - byClass[no];
  const title = say('What each word adds to the log-odds of "yes"', '每个词给“yes”的对数几率加上多少');
  const parts = bars(
    [
      { name: say('prior: 3 of 4 documents', '先验：4 篇中有 3 篇'), value: odds(prior) },
      ...contributions.map(({ feature, byClass }) => ({ name: String(feature), value: odds(byClass) })),
      { name: say('sum: yes', '总和：yes'), value: odds(score), bold: true },
    ],
    { middle: 420, scale: 110, top: 56 },
  );
  return picture(title, 224, [text(24, 32, title, { bold: true }), ...parts]);
}
