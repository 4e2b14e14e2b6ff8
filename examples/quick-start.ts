// Six postings, three of them abusive: train, evaluate, explain one prediction, save the model.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountVectorizer, load, MultinomialNB, makePipeline, parseCsv, recordsOf } from 'polya';

const postings = recordsOf(parseCsv(readFileSync(new URL('./data/postings.csv', import.meta.url))));
const texts = postings.map(({ text }) => text);
const labels = postings.map(({ abusive }) => (abusive === '1' ? 'abusive' : 'fine'));

// Train on all postings, then judge each by a model that has unlearned it.
const model = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
const judged = texts.map(
  (text, i) => load<typeof model>(model.toBytes()).unlearn([text], [labels[i]]).predict([text])[0],
);
const right = judged.filter((label, i) => label === labels[i]).length;
console.log(`held out one by one: ${right} of ${texts.length} postings right`);

for (const text of ['love my dalmation', 'stupid garbage']) {
  const [label] = model.predict([text]);
  const probability = Math.max(...model.predictProba([text]).row(0));
  console.log(`"${text}" is ${label} (p = ${probability.toFixed(3)})`);
}

// Explain: what each word adds to the log-odds of "abusive".
const [{ classes, contributions, prior }] = model.explain(['stupid garbage']);
const [abusive, fine] = [classes.indexOf('abusive'), classes.indexOf('fine')];
console.log(`why "stupid garbage": prior ${(prior[abusive] - prior[fine]).toFixed(2)}`);
for (const { feature, byClass } of contributions) {
  console.log(`  ${String(feature).padEnd(8)} +${(byClass[abusive] - byClass[fine]).toFixed(2)}`);
}

const file = join(tmpdir(), 'postings.polya');
writeFileSync(file, model.toBytes());
console.log(`the model is in ${file}`);
