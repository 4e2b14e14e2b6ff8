/**
 * Time to save and load a text model of 130,000 words and 20 classes, and the size of its file. Random data, the median
 * of five runs after one warm-up; prints JSON. `raw` counts float64 statistics and UTF-8 terms.
 */
import { CountVectorizer, inspectModel, load, MultinomialNB, Pipeline } from '../src/index.ts';
import { Random } from '../src/math/random.ts';

const WORDS = 130_000;
const CLASSES = 20;
const RUNS = 5;

const random = new Random(6);
const words = Array.from({ length: WORDS }, (_, j) => `${j.toString(36)}${'etaoinshr'.slice(j % 7, (j % 7) + 3)}`);

/** Documents in which every word occurs, the first ones far more often. */
function documents(): { texts: string[]; labels: string[] } {
  const texts = Array.from({ length: WORDS / 100 }, (_, i) => words.slice(i * 100, (i + 1) * 100).join(' '));
  for (let i = 0; i < 8_000; i++) {
    const drawn = Array.from({ length: 150 }, () => words[Math.floor(WORDS ** random.uniform()) % WORDS]);
    texts.push(drawn.join(' '));
  }
  return { texts, labels: texts.map((_, i) => `class ${i % CLASSES}`) };
}

const { texts, labels } = documents();
const model = new Pipeline([
  ['words', new CountVectorizer()],
  ['bayes', new MultinomialNB()],
]).fit(texts, labels);

/** Wall and processor time in milliseconds; they are equal on an idle machine. */
function median(work: () => unknown): { clock: number; processor: number } {
  const times = Array.from({ length: RUNS + 1 }, () => {
    const [start, used] = [performance.now(), process.cpuUsage()];
    work();
    const { user, system } = process.cpuUsage(used);
    return { clock: performance.now() - start, processor: (user + system) / 1000 };
  }).slice(1);
  const middle = (values: number[]) => Math.round(values.sort((a, b) => a - b)[RUNS >> 1]);
  return { clock: middle(times.map(({ clock }) => clock)), processor: middle(times.map(({ processor }) => processor)) };
}

const terms = new TextEncoder().encode(model.steps[0].getFeatureNamesOut().join('')).length;
const cells = model.steps[0].getFeatureNamesOut().length;
const raw = {
  full: 8 * (CLASSES * cells + CLASSES + 2 * cells) + terms,
  slim: 8 * (CLASSES * cells + CLASSES) + terms,
};

const report = [
  { name: 'full', options: {}, raw: raw.full },
  { name: 'slim', options: { slim: true }, raw: raw.slim },
  { name: 'slim, float32', options: { slim: true, float32: true }, raw: raw.slim },
].map(({ name, options, raw }) => {
  const bytes = model.toBytes(options);
  return {
    name,
    saveMs: median(() => model.toBytes(options)),
    loadMs: median(() => load(bytes)),
    megabytes: Number((bytes.length / 1e6).toFixed(2)),
    ofRawArrays: Number((bytes.length / raw).toFixed(3)),
    largestError: inspectModel(bytes).largestError ?? null,
  };
});

console.log(JSON.stringify({ words: cells, classes: CLASSES, report }, null, 2));
