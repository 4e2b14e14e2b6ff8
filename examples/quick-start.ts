// A spam filter on 5,574 real text messages: train, evaluate, explain, learn a correction, forget it.
import { accuracyScore, CountVectorizer, MultinomialNB, makePipeline, recallScore, trainTestSplit } from 'polya';
import { loadSms } from 'polya/node';

const { rows } = loadSms();
const [trainTexts, testTexts, trainLabels, testLabels] = trainTestSplit(
  rows.map(({ text }) => String(text)),
  rows.map(({ label }) => String(label)),
  { testSize: 0.2, stratify: rows.map(({ label }) => String(label)), randomState: 0 },
);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

// Train. The model is word counts per class; nothing else is learned.
const start = performance.now();
const model = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(trainTexts, trainLabels);
const spent = performance.now() - start;
console.log(`trained on ${trainTexts.length} text messages in ${spent.toFixed(0)} ms`);

// Evaluate on messages that took no part in training.
const predicted = model.predict(testTexts);
const always = testLabels.map(() => 'ham');
console.log(`accuracy on ${testTexts.length} other messages: ${percent(accuracyScore(testLabels, predicted))}`);
console.log(`  always answering "ham" would reach ${percent(accuracyScore(testLabels, always))}`);
console.log(`  spam found: ${percent(recallScore(testLabels, predicted, { posLabel: 'spam' }))}\n`);

// Explain one message: what each word adds to the log-odds of spam.
const message = 'Congratulations! You have won a free holiday. Call now to claim your prize.';
const show = (text: string) => {
  const [{ classes, prior, contributions }] = model.explain([text]);
  const [spam, ham] = [classes.indexOf('spam'), classes.indexOf('ham')];
  const proba = model.predictProba([text]).row(0)[spam];
  console.log(`"${text}"`);
  console.log(`  is ${proba > 0.5 ? 'spam' : 'ham'}: the probability of spam is ${percent(proba)}`);
  const words = contributions.map(({ feature, byClass }) => ({
    word: String(feature),
    odds: byClass[spam] - byClass[ham],
  }));
  words.push({ word: '(before reading)', odds: prior[spam] - prior[ham] });
  for (const { word, odds } of words.sort((a, b) => b.odds - a.odds)) {
    const bar = (odds > 0 ? '█' : '░').repeat(Math.max(1, Math.round(3 * Math.abs(odds))));
    console.log(`  ${word.padEnd(17)} ${(odds > 0 ? '+' : '−') + Math.abs(odds).toFixed(2)} ${bar}`);
  }
  console.log();
};
show(message);

// Learn from a mistake, then forget it: the model is the same again, byte for byte.
const mistaken = 'I won the quiz! Call me when you are free';
const probabilityOfSpam = () => percent(model.predictProba([mistaken]).row(0)[model.classes.indexOf('spam')]);
const before = model.toBytes();
console.log(`"${mistaken}" came from a friend`);
console.log(`  probability of spam:   ${probabilityOfSpam()}`);
model.partialFit([mistaken], ['ham']);
console.log(`  after one correction:  ${probabilityOfSpam()}`);
model.unlearn([mistaken], ['ham']);
console.log(`  after forgetting it:   ${probabilityOfSpam()}`);
const same = Buffer.compare(before, model.toBytes()) === 0;
console.log(`  the model file is ${same ? 'the same, byte for byte' : 'different'} (${before.length} bytes)\n`);

console.log('Next: npm run build                        build the command and the studio, then');
console.log('      node dist/cli/cli.js fit YOUR.csv    train on a file of your own');
console.log('      node dist/cli/cli.js studio          see it in a browser');
