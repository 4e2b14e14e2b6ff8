// Sort reviews into good, bad and "cannot say". Guide: docs/guides/sentiment.md
import { ComplementNB, decide, makePipeline, sqrtTf } from 'polya';
import { loadReviews } from 'polya/node';

const { rows } = loadReviews();
const model = makePipeline(sqrtTf({ ngramRange: [1, 2] }), new ComplementNB({ alpha: 0.5 }));
model.fit(
  rows.map(({ text }) => text),
  rows.map(({ label }) => label),
);
const texts = ['funny, warm and beautifully acted', 'a boring mess', 'the second part of a series'];
for (const [i, { label, probability }] of decide(model, texts, { reject: 0.6 }).entries()) {
  console.log(`${label ?? 'cannot say'} (${probability.toFixed(2)}): ${texts[i]}`);
}

/* prints
positive (0.95): funny, warm and beautifully acted
negative (0.94): a boring mess
cannot say (0.57): the second part of a series
*/
