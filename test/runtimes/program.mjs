// Runs in Node, Bun and Deno: trains from memory and from a file on several threads, predicts, forgets, saves and loads.
import assert from 'node:assert/strict';
import { Classifier, CountVectorizer, load, loadTitanic, MultinomialNB, makePipeline } from '../../dist/lib/index.js';
import { fitTextFile, loadSms, readTable } from '../../dist/lib/node.js';

const file = process.argv[2];
const { rows } = loadSms();
const texts = rows.map(({ text }) => text);
const labels = rows.map(({ label }) => label);
const model = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
assert.equal(model.predict(['free entry, call now'])[0], 'spam');
const before = model.toBytes();
model.partialFit(['lunch prize draw'], ['ham']).unlearn(['lunch prize draw'], ['ham']);
assert.deepEqual(model.toBytes(), before);
assert.deepEqual(load(before).predictProba(texts.slice(0, 50)).data, model.predictProba(texts.slice(0, 50)).data);

assert.equal((await readTable(file)).rows.length, rows.length);
const fromFile = await fitTextFile(file, { text: 'text', label: 'label', threads: 2 });
assert.deepEqual(fromFile.predictProba(texts.slice(0, 50)).data, model.predictProba(texts.slice(0, 50)).data);

const survival = Classifier.fit(loadTitanic().rows, { target: 'survived' });
assert.equal(survival.classify({ class: '1st', sex: 'female', age: null }).label, 'yes');
console.log('ok');
