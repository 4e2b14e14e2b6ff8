// Six postings, three of them abusive: train, evaluate, explain one prediction, save the model.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BernoulliNB, load, parseCsv, recordsOf } from 'polya';

const postings = recordsOf(parseCsv(readFileSync(new URL('./data/postings.csv', import.meta.url))));
const words = [...new Set(postings.flatMap(({ text }) => text.split(' ')))].sort();
const presence = (text: string) => {
  const present = new Set(text.split(' '));
  return Object.fromEntries(words.map((word) => [word, present.has(word) ? 1 : 0]));
};
const X = postings.map(({ text }) => presence(text));
const y = postings.map(({ abusive }) => (abusive === '1' ? 'abusive' : 'fine'));

// Train and evaluate: each posting is judged by a model that has unlearned it.
const model = new BernoulliNB().fit(X, y);
const right = X.filter((row, i) => load(model.toBytes()).unlearn([row], [y[i]]).predict([row])[0] === y[i]);
console.log(`leave-one-out: ${right.length} of ${X.length} postings right`);

for (const text of ['love my dalmation', 'stupid garbage']) {
  const [label] = model.predict([presence(text)]);
  const [probability] = model
    .predictProba([presence(text)])
    .row(0)
    .toSorted()
    .reverse();
  console.log(`"${text}" is ${label} (p = ${probability.toFixed(3)})`);
}

// Explain: what each word adds to the log-odds of "abusive".
const [{ contributions, prior }] = model.explain([presence('stupid garbage')]);
const [abusive, fine] = [model.classes.indexOf('abusive'), model.classes.indexOf('fine')];
const told = contributions
  .map(({ feature, byClass }) => ({ feature, odds: byClass[abusive] - byClass[fine] }))
  .sort((a, b) => Math.abs(b.odds) - Math.abs(a.odds));
console.log(`why: prior ${(prior[abusive] - prior[fine]).toFixed(2)}`);
for (const { feature, odds } of told.slice(0, 4))
  console.log(`  ${String(feature).padEnd(10)} ${odds > 0 ? '+' : ''}${odds.toFixed(2)}`);

const file = join(tmpdir(), 'postings.polya');
writeFileSync(file, model.toBytes());
console.log(`the model is in ${file}`);
