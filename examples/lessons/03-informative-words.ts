// Mutual information finds the words that separate the classes; probability alone does not.
import { BernoulliNB, bernoulliInformation, CountVectorizer, topWords } from 'polya';
import { loadSms } from 'polya/node';

const { rows, text, target } = loadSms();
const words = new CountVectorizer({ binary: true });
const X = words.fitTransform(rows.map((row) => `subject: ${row[text!]}`));
const y = rows.map((row) => String(row[target]));
const names = words.getFeatureNamesOut();

// Mutual information follows from the parameters of a Bernoulli model; the documents are not read again.
const model = new BernoulliNB().fit(X, y);
const table = topWords(model, { names, k: 5 });
for (const { label, words: likely } of table.classes) {
  const list = likely.map(({ word, probability }) => `${word} ${probability.toFixed(2)}`).join(', ');
  console.log(`most probable in ${label}: ${list}`);
}
const list = table.informative.map(({ word, information }) => `${word} ${information.toFixed(3)}`).join(', ');
console.log(`most informative, in bits: ${list}`);

const information = bernoulliInformation(model, { unit: 'bits' });
console.log(`"subject" is in every document: ${information[names.indexOf('subject')].toFixed(3)} bits`);
