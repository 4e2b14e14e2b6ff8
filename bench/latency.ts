/**
 * Latency of classifying one short text, and of learning examples one by one. A pipeline of CountVectorizer and
 * MultinomialNB with 130 000 words and 20 classes, and texts of 100 words. p50 and p99 in microseconds of wall time; a
 * shared machine affects p99. `npx tsx bench/latency.ts [words] [classes]`
 */
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../src/estimators/pipeline.ts';
import { Generator } from '../src/math/generator.ts';
import { middle } from './measure.ts';

const [words = 130_000, classes = 20] = process.argv.slice(2).map(Number);
const random = new Generator(11);

const spell = (number: number) => `w${number.toString(36)}`;
const textOf = (length: number) =>
  Array.from({ length }, () => spell(Math.floor(words ** random.uniform()) - 1)).join(' ');

/** Every word once, and texts with Zipf frequencies. */
function corpus(): [texts: string[], labels: string[]] {
  const all = Array.from({ length: words }, (_, word) => spell(word));
  const texts = Array.from({ length: Math.ceil(words / 100) }, (_, k) => all.slice(k * 100, k * 100 + 100).join(' '));
  for (let k = 0; k < 2000; k++) texts.push(textOf(100));
  return [texts, texts.map((_, i) => `class ${i % classes}`)];
}

/** The times of single calls, sorted, in microseconds. */
function times(calls: number, call: (i: number) => unknown): number[] {
  const taken = Array.from({ length: calls }, (_, i) => {
    const start = performance.now();
    call(i);
    return (performance.now() - start) * 1000;
  });
  return taken.sort((a, b) => a - b);
}

const microseconds = (value: number) => Number(value.toFixed(1));

/**
 * The number of warm-up rounds: after 256 texts words are looked up by kernels, after a few thousand these have the
 * weights, too.
 */
const WARM = 6;

/** Five rounds: the median of their p50 and of their p99. */
function rounds(work: string, calls: number, call: (i: number) => unknown, must?: number) {
  for (let round = 0; round < WARM; round++) times(calls, call);
  const all = Array.from({ length: 5 }, () => times(calls, call));
  const at = (share: number) => microseconds(middle(all.map((sorted) => sorted[Math.floor(share * sorted.length)])));
  const before = process.cpuUsage();
  times(calls, call);
  const { user, system } = process.cpuUsage(before);
  const cpu = microseconds((user + system) / calls);
  return { work, p50: at(0.5), p99: at(0.99), cpu, perSecond: Math.round(1e6 / at(0.5)), ...(must && { must }) };
}

const [texts, labels] = corpus();
const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
const asked = Array.from({ length: 500 }, () => textOf(100));
const [vectorizer, model] = pipeline.steps;
const rows = asked.map((text) => vectorizer.transform([text]));
const label = (i: number) => [`class ${i % classes}`];

const lines = [
  rounds('predict one text', 500, (i) => pipeline.predict([asked[i]]), 30),
  rounds('of it: text to counts', 500, (i) => vectorizer.transform([asked[i]])),
  rounds('of it: counts to class', 500, (i) => model.predict(rows[i])),
  rounds('learn one text, known words', 200, (i) => pipeline.partialFit([asked[i]], label(i), { freeze: true })),
  rounds('learn one text, open vocabulary', 20, (i) => pipeline.partialFit([asked[i]], label(i))),
];
let fresh = 0;
lines.push(
  rounds('learn one text with a new word', 4, (i) => pipeline.partialFit([`${asked[i]} new${fresh++}`], label(i))),
);
const small = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts.slice(-20), labels.slice(-20));
lines.push(
  rounds('the same, vocabulary from 20 texts', 200, (i) => small.partialFit([`${asked[i]} new${fresh++}`], label(i))),
);
console.info('One text at a time, microseconds');
console.table(lines);
const knows = vectorizer.vocabulary.size;
console.info(JSON.stringify({ title: 'latency', words: knows, classes, node: process.version, lines }));
