// Event models compared: a coin per vocabulary word, or a die per word of the document. Laplace smoothing, and 0/0 without it.
import { BernoulliNB, bagOfWords, loadPostings, MultinomialNB, setOfWords } from 'polya';

const { rows } = loadPostings();
const texts = rows.map(({ text }) => String(text));
const y = rows.map(({ abusive }) => Number(abusive));
const models = {
  'set of words, coins': { words: setOfWords(), model: new BernoulliNB({ alpha: 1 }) },
  'set of words, die': { words: setOfWords(), model: new MultinomialNB({ alpha: 1 }) },
  'bag of words, die': { words: bagOfWords(), model: new MultinomialNB({ alpha: 1 }) },
};
for (const [name, { words, model }] of Object.entries(models)) {
  model.fit(words.fitTransform(texts), y);
  const proba = model.predictProba(words.transform(['my stupid stupid dog', 'love my dalmation']));
  console.log(`${name.padEnd(20)} p(abusive) = ${proba.row(0)[1].toFixed(4)} and ${proba.row(1)[1].toFixed(4)}`);
}

// Without smoothing, a word that one class never used makes that class impossible: "cute garbage" is impossible in both.
const words = bagOfWords();
const bare = new MultinomialNB({ alpha: 0 }).fit(words.fitTransform(texts), y);
const x = words.transform(['cute garbage']);
console.log(`α = 0: scores ${bare.predictJointLogProba(x).row(0).join(' and ')}, 0/0 in probabilities`);
console.log(`Pólya falls back to the prior, [${bare.predictProba(x).row(0).join(', ')}]`);
for (const alpha of [0.01, 0.1, 1]) {
  const smooth = new MultinomialNB({ alpha }).fit(words.transform(texts), y);
  console.log(`α = ${String(alpha).padEnd(4)}: p(abusive) = ${smooth.predictProba(x).row(0)[1].toFixed(4)}`);
}
