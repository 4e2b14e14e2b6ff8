// Mutual information finds the words that tell classes apart; the most probable words do not.
import { BernoulliNB, bernoulliInformation, CountVectorizer, topWords } from 'polya';
import { loadSms } from 'polya/node';

const { rows, text, target } = loadSms();
const words = new CountVectorizer({ binary: true });
const X = words.fitTransform(rows.map((row) => `subject: ${row[text!]}`));
const y = rows.map((row) => String(row[target]));
const names = words.getFeatureNamesOut();

// The parameters of a Bernoulli model are all that the information needs: no second look at the documents.
const model = new BernoulliNB().fit(X, y);
const table = topWords(model, { names, k: 4 });
for (const { label, words: likely } of table.classes) {
  const list = likely.map(({ word, probability }) => `${word} ${probability.toFixed(2)}`).join(', ');
  console.log(`most probable in ${label}: ${list}`);
}
const list = table.informative.map(({ word, information }) => `${word} ${information.toFixed(3)}`).join(', ');
console.log(`most informative, in bits: ${list}`);

const information = bernoulliInformation(model, { unit: 'bits' });
console.log(`"subject" is in every document: ${information[names.indexOf('subject')].toFixed(3)} bits`);
