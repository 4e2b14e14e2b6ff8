/**
 * Results of popular packages for ordinary inputs. Every case is one that test/conformance.test.ts checks for Pólya.
 * The packages are not our dependencies; install them into a folder and pass it:
 *
 *   npm install --prefix DIR bayes@1.0.0 natural@8.1.1 wink-naive-bayes-text-classifier@2.2.1 classificator@1.0.1
 *   node bench/peers.mjs DIR
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const folder = resolve(process.argv[2] ?? '.');
const require = createRequire(join(folder, 'package.json'));
const versionOf = (name) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;

/** A common interface for the packages: takes documents, returns a function from a text to { label, probabilities }. */
const packages = {
  async bayes(documents) {
    const bayes = require('bayes');
    const model = bayes();
    for (const [text, label] of documents) await model.learn(text, label);
    return { answer: (text) => model.categorize(text) };
  },
  async natural(documents) {
    const { BayesClassifier } = require('natural');
    const model = new BayesClassifier();
    for (const [text, label] of documents) model.addDocument(text, label);
    model.train();
    const shares = (text) => new Map(model.getClassifications(text).map(({ label, value }) => [label, value]));
    return { answer: async (text) => model.classify(text), shares };
  },
  async 'wink-naive-bayes-text-classifier'(documents) {
    const model = require('wink-naive-bayes-text-classifier')();
    model.definePrepTasks([(text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []]);
    for (const [text, label] of documents) model.learn(text, label);
    model.consolidate();
    return { answer: async (text) => model.predict(text) };
  },
  async classificator(documents) {
    const model = require('classificator')();
    for (const [text, label] of documents) model.learn(text, label);
    const shares = (text) =>
      new Map(model.categorize(text).likelihoods.map(({ category, proba }) => [category, proba]));
    return { answer: async (text) => model.categorize(text).predictedCategory, shares };
  },
};

const mail = [
  ['win a prize now', 'spam'],
  ['lunch at noon', 'ham'],
  ['see you tomorrow', 'ham'],
  ['the report is done', 'ham'],
];
const repeated = (text, times) => Array.from({ length: times }, () => text).join(' ');

/** Five more words for each class, the same for both: some packages reject vocabularies of fewer than ten words. */
const filler = (...labels) => labels.map((label) => ['one two three four five six seven eight', label]);

/** Name, documents, input, and the result of Pólya. */
const cases = [
  [
    'a word of `Object.prototype`',
    [['constructor prototype method', 'code'], ['bread butter jam', 'food'], ...filler('code', 'food')],
    'constructor',
    'code',
  ],
  [
    'the word `__proto__`',
    [['__proto__ getter', 'code'], ['bread butter jam', 'food'], ...filler('code', 'food')],
    '__proto__',
    'code',
  ],
  [
    'the label `constructor`',
    [['loud bark', 'constructor'], ['soft purr', 'cat'], ...filler('constructor', 'cat')],
    'loud bark',
    'constructor',
  ],
  ['40,000 words', mail, repeated('lunch at noon today', 10_000), 'ham'],
  ['an empty document', mail, '', 'ham'],
  ['unknown words alone', mail, 'zebra quagga okapi', 'ham'],
  [
    'Chinese',
    [
      ['酒店 很 干净', 'hotel'],
      ['酒店 早餐', 'hotel'],
      ['手机 很 好用', 'phone'],
      ['手机 电池', 'phone'],
      ...filler('hotel', 'phone'),
    ],
    '手机',
    'phone',
  ],
  [
    'Arabic',
    [
      ['فندق نظيف', 'hotel'],
      ['فندق كبير', 'hotel'],
      ['هاتف جديد', 'phone'],
      ['هاتف سريع', 'phone'],
      ...filler('hotel', 'phone'),
    ],
    'هاتف',
    'phone',
  ],
  ['a tie, b learned first', [['left word', 'b'], ['right word', 'a'], ...filler('b', 'a')], 'word', 'a'],
  ['a tie, a learned first', [['right word', 'a'], ['left word', 'b'], ...filler('a', 'b')], 'word', 'a'],
];

const versions = Object.keys(packages).map((name) => `${name} ${versionOf(name)}`);
console.log(`| input | Pólya | ${versions.join(' | ')} |\n|---|---|${versions.map(() => '---|').join('')}`);
for (const [name, documents, question, right] of cases) {
  const said = [];
  for (const make of Object.values(packages)) said.push(await tell(make, documents, question, right));
  console.log(`| ${name} | ${right} | ${said.join(' | ')} |`);
}

const sums = [];
for (const make of Object.values(packages)) {
  const { shares } = await make(mail);
  sums.push(shares ? [...shares(repeated('lunch at noon today', 10_000)).values()].reduce((a, b) => a + b, 0) : 'none');
}
console.log(`| sum of the probabilities, 40,000 words | 1 | ${sums.join(' | ')} |`);

async function tell(make, documents, question, right) {
  try {
    const said = await (await make(documents)).answer(question);
    return said === right ? String(said) : `**${said}**`;
  } catch (error) {
    return `**throws ${String(error?.message ?? error).slice(0, 60)}**`;
  }
}
