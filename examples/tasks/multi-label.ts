// Tags of articles: each has several. Guide: docs/guides/multi-label.md
import { CountVectorizer, MultinomialNB, makePipeline, OneVsRestClassifier } from 'polya';

const articles = [
  'the bank raised interest rates',
  'shares fell as rates rose',
  'the team won the final',
  'the striker scored twice',
  'the club sold shares to investors',
  'rates of ticket sales rose before the final',
];
const tags = [['money'], ['money'], ['sport'], ['sport'], ['money', 'sport'], ['money', 'sport']];
const model = new OneVsRestClassifier(makePipeline(new CountVectorizer(), new MultinomialNB({ alpha: 0.1 })));
model.fit(articles, tags);

const text = 'investors bought the club';
console.log(model.predictLabels([text])[0]);
const probabilities = model.predictProba([text]).row(0);
console.log(model.classes.map((tag, c) => `${tag} ${probabilities[c]?.toFixed(2)}`).join(', '));

/* prints
[ 'money', 'sport' ]
money 0.95, sport 0.99
*/
