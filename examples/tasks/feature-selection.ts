// How many words does a spam filter need? Search the number by cross-validation. Guide: docs/guides/feature-selection.md
import { CountVectorizer, chi2, GridSearchCV, MultinomialNB, Pipeline, SelectKBest } from 'polya';
import { loadSms } from 'polya/node';

const rows = loadSms().rows.slice(0, 1500);
const pipeline = new Pipeline([
  ['words', new CountVectorizer({ stopWords: 'english' })],
  ['best', new SelectKBest({ scoreFunc: chi2, k: 100 })],
  ['bayes', new MultinomialNB({ alpha: 0.1 })],
]);
const search = new GridSearchCV(pipeline, { best__k: [20, 200, 2000] }, { cv: 3 });
search.fit(
  rows.map(({ text }) => text),
  rows.map(({ label }) => label),
);
console.log(search.bestParams, search.bestScore.toFixed(3));
console.log(search.predict(['urgent: claim your free prize']));

/* prints
{ best__k: 2000 } 0.971
[ 'spam' ]
*/
