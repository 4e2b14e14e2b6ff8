/**
 * What does a classifier cost that keeps its counts, and how good is the one family that `online: true` chooses? For every
 * text set: milliseconds of processor and of the clock for one counting pass, for judging it by folds, for a stream, for
 * answers, for the file, for one more row and for choosing; and accuracy and log-loss on the test part. Sets are read from
 * POLYA_DATA or ../shared/data; name some to run those alone: `tsx bench/classifier-online.ts sms-spam`. Results go to
 * POLYA_RESULTS as JSON, or are printed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Classifier, inferSchema } from '../src/index.ts';

const folder = process.env.POLYA_DATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const sets = ['20news-bydate', 'sms-spam', 'r8', 'rt-polarity', 'ag-news', 'shopping-zh'];

type Row = { readonly label: string; readonly text: string; readonly split: string };

interface Cost {
  readonly clock: number;
  readonly processor: number;
}

const costs: Record<string, Cost> = {};

/** Does something and notes what it took, in milliseconds. */
async function timed<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const [used, start] = [process.cpuUsage(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(used);
  costs[name] = { clock: Math.round(performance.now() - start), processor: Math.round((user + system) / 1000) };
  return result;
}

function judge(classifier: Classifier, rows: readonly Row[]) {
  let [right, loss] = [0, 0];
  classifier.classifyAll(rows).forEach(({ label, probabilities }, i) => {
    const own = probabilities.find((each) => each.label === rows[i].label)?.probability ?? 0;
    if (label === rows[i].label) right++;
    loss -= Math.log(Math.max(own, 1e-15));
  });
  return { accuracy: right / rows.length, logLoss: loss / rows.length };
}

async function measure(name: string) {
  const lines = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`)))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const rows = lines.map((line) => JSON.parse(line) as Row);
  const [train, test] = ['train', 'test'].map((split) => rows.filter((row) => row.split === split));
  const options = { target: 'label', features: ['text'], model: 'multinomial', alpha: 0.01 } as const;
  await timed('warm', () => Classifier.fit(train.slice(0, 500), { ...options, evaluate: false }));
  await timed('schema', () => inferSchema(train, { target: 'label', features: ['text'] }));
  const one = await timed('one pass', () => Classifier.fit(train, { ...options, evaluate: false }));
  await timed('with folds', () => Classifier.fit(train, options));
  const parts = Array.from({ length: Math.ceil(train.length / 4000) }, (_, k) => train.slice(4000 * k, 4000 * (k + 1)));
  await timed('stream', () => Classifier.fitStream(parts, options));
  const plain = await timed('answers', () => judge(one, test));
  const bytes = await timed('save', () => one.save());
  const loaded = await timed('load', () => Classifier.load(bytes));
  await timed('learn one row', () => loaded.partialFit(test.slice(0, 1)));
  await timed('answer after it', () => loaded.classify(test[0]));
  const chosen = await timed('choose', () =>
    Classifier.fit(train, { target: 'label', features: ['text'], online: true }),
  );
  const { summary, evaluation } = chosen.report();
  const { rss } = process.memoryUsage();
  return {
    name,
    rows: train.length,
    bytes: bytes.length,
    plain,
    online: { summary, ...judge(chosen, test), outOfFold: evaluation },
    costs: { ...costs },
    megabytes: Math.round(rss / 2 ** 20),
  };
}

const asked = process.argv.slice(2);
const results = [];
for (const name of asked.length > 0 ? asked : sets) results.push(await measure(name));
const report = JSON.stringify(results, null, 2);
if (process.env.POLYA_RESULTS) writeFileSync(process.env.POLYA_RESULTS, report);
else console.log(report);
