/**
 * Quality and cost of `auto` on text. Uses the given train and test parts; prints accuracy, log-loss (means and standard
 * deviations of five seeds), seconds and peak memory of every dataset against its target, and writes all to
 * POLYA_RESULTS as JSON, or prints it. Datasets are read
 * from POLYA_DATA or ../shared/data; name some to run only those: `tsx bench/auto-text.ts r8 sms-spam`. With
 * POLYA_PYTHON, an interpreter with scikit-learn, its plain pipeline is timed on the same texts just before.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Classifier } from '../src/auto/classifier.ts';

const folder = process.env.POLYA_DATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url));

/** The minimum accuracy and the maximum log-loss. */
const bars: Readonly<Record<string, readonly [accuracy: number, logLoss: number]>> = {
  '20news-bydate': [0.857, 0.55],
  'sms-spam': [0.983, 0.055],
  r8: [0.96, 0.17],
  'rt-polarity': [0.77, 0.485],
  'ag-news': [0.91, 0.3],
  'shopping-zh': [0.888, 0.37],
};

const SEEDS = [0, 1, 2, 3, 4];

interface Document {
  readonly split: 'train' | 'test';
  readonly label: string;
  readonly text: string;
}

function measure(name: string) {
  const lines = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`)))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const documents = lines.map((line) => JSON.parse(line) as Document);
  const [train, test] = ['train', 'test'].map((split) => documents.filter((document) => document.split === split));
  const runs = SEEDS.map((seed) => {
    const start = performance.now();
    const rows = train.map(({ text, label }) => ({ text, label }));
    const model = Classifier.fit<string>(rows, { target: 'label', kinds: { text: 'text' }, seed });
    const { tried } = model.report();
    const fitted = performance.now();
    const logProba = model.predictLogProba(test.map(({ text }) => ({ text })));
    const predicted = performance.now();
    let [hits, loss] = [0, 0];
    test.forEach(({ label }, i) => {
      const row = logProba.row(i);
      const own = row[model.classes.indexOf(label)];
      loss -= Math.max(own, Math.log(1e-15));
      if (own === Math.max(...row)) hits++;
    });
    const [fitSeconds, predictSeconds] = [(fitted - start) / 1000, (predicted - fitted) / 1000];
    return { accuracy: hits / test.length, logLoss: loss / test.length, fitSeconds, predictSeconds, tried };
  });
  return {
    name,
    accuracy: spreadOf(runs.map((run) => run.accuracy)),
    logLoss: spreadOf(runs.map((run) => run.logLoss)),
    fitSeconds: runs[0].fitSeconds,
    predictSeconds: runs[0].predictSeconds,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    bar: bars[name],
    tried: runs[0].tried,
  };
}

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) };
}

/**
 * Seconds that scikit-learn's CountVectorizer and MultinomialNB take to learn the training part and predict the test
 * part.
 */
const PLAIN = `
import gzip, json, sys, time
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
rows = [json.loads(line) for line in gzip.open(sys.argv[1], 'rt', encoding='utf-8')]
part = lambda split, key: [row[key] for row in rows if row['split'] == split]
x, y, z = part('train', 'text'), part('train', 'label'), part('test', 'text')
start = time.perf_counter()
make_pipeline(CountVectorizer(), MultinomialNB()).fit(x, y).predict(z)
print(time.perf_counter() - start)
`;

function plainSeconds(name: string): number | undefined {
  const python = process.env.POLYA_PYTHON;
  if (!python) return undefined;
  return Number(spawnSync(python, ['-c', PLAIN, join(folder, `${name}.jsonl.gz`)]).stdout.toString());
}

/** Each dataset runs in its own process, so that its peak memory is measured separately. */
function measureApart(name: string) {
  const plain = plainSeconds(name);
  const args = [...process.execArgv, fileURLToPath(import.meta.url), '--one', name];
  const { stdout } = spawnSync(process.execPath, args, { maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'inherit'] });
  const result = JSON.parse(stdout.toString()) as ReturnType<typeof measure>;
  const { accuracy, logLoss, bar } = result;
  return { ...result, plainSeconds: plain, passed: !bar || (accuracy.mean >= bar[0] && logLoss.mean <= bar[1]) };
}

const figure = ({ mean, deviation }: ReturnType<typeof spreadOf>) => `${mean.toFixed(4)} ± ${deviation.toFixed(4)}`;

function lineOf({ name, bar, passed, plainSeconds: plain, ...result }: ReturnType<typeof measureApart>): string {
  const { accuracy, logLoss, fitSeconds, predictSeconds, peakMegabytes } = result;
  const times = plain
    ? `, ${((fitSeconds + predictSeconds) / plain).toFixed(2)} × scikit-learn's ${plain.toFixed(1)} s`
    : '';
  return (
    `${name.padEnd(14)} ${figure(accuracy)} / ${figure(logLoss)}  bar ${bar?.join(' / ') ?? '–'} ` +
    `${passed ? 'reached' : 'MISSED'}  fit ${fitSeconds.toFixed(1)} s, predict ${predictSeconds.toFixed(1)} s${times}  ` +
    `${peakMegabytes.toFixed(0)} MB`
  );
}

const names = process.argv.slice(2);
if (names[0] === '--one') {
  process.stdout.write(JSON.stringify(measure(names[1])));
} else {
  const asked = names.length > 0 ? names : Object.keys(bars);
  const results = asked
    .filter((name) => existsSync(join(folder, `${name}.jsonl.gz`)))
    .map((name) => {
      const result = measureApart(name);
      console.log(lineOf(result));
      return result;
    });
  const json = JSON.stringify(results, null, 2);
  if (process.env.POLYA_RESULTS) writeFileSync(process.env.POLYA_RESULTS, `${json}\n`);
  else console.log(json);
}
