// Multinomial naive Bayes is counting, and its prediction is a linear classifier: b + X · Wᵀ.
import { CountVectorizer, loadChinaJapan, MultinomialNB } from 'polya';

const { rows, questions = [] } = loadChinaJapan();
const words = new CountVectorizer();
const X = words.fitTransform(rows.map(({ text }) => String(text))).toArray();
const y = rows.map(({ china }) => String(china));

// Count: documents by class, and words by class.
const classes = [...new Set(y)].sort();
const documents = classes.map((c) => y.filter((label) => label === c).length);
const counts = classes.map((c) => X[0].map((_, j) => X.reduce((sum, row, i) => sum + (y[i] === c ? row[j] : 0), 0)));

// Estimate: relative frequencies, with 1 added to every word count. Their logarithms are the bias and weights of a linear classifier.
const b = documents.map((n) => Math.log(n / y.length));
const W = counts.map((row) => {
  const total = row.reduce((sum, n) => sum + n + 1, 0);
  return row.map((n) => Math.log((n + 1) / total));
});

// Score: b + X · Wᵀ.
const question = words.transform(questions.map(({ text }) => String(text))).toArray()[0];
const scores = W.map((weights, c) => weights.reduce((sum, weight, j) => sum + weight * question[j], b[c]));

const model = new MultinomialNB({ alpha: 1 }).fit(X, y);
const [own] = model.predictJointLogProba([question]).toArray();
console.log(`words:  ${words.getFeatureNamesOut().join(' ')}`);
for (const [k, c] of classes.entries()) {
  console.log(`${c.padEnd(4)}    ${counts[k].join('       ')}   of ${documents[k]} documents`);
}
console.log(`document 5 is [${question.join(' ')}]`);
for (const [k, c] of classes.entries()) {
  console.log(`${c.padEnd(4)} b + x·w = ${scores[k].toFixed(6)}, MultinomialNB ${own[k].toFixed(6)}`);
}
const [[no, yes]] = model.predictProba([question]).toArray();
console.log(`about China: ${model.predict([question])[0]} (yes ${yes.toFixed(4)}, no ${no.toFixed(4)})`);
