/**
 * Accuracy and log-loss of `model: 'auto'` on tables, in five stratified folds, with a separate selection in each, or on
 * a test file where there is one. All of it is done for five seeds, of folds and of choices: their means, and their
 * standard deviations as noise. `npx tsx bench/auto-tables.ts [set …]`, data in POLYA_DATA or ../shared/data; prints a
 * table, and JSON as its last line.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Classifier } from '../src/auto/classifier.ts';
import { parseCsv } from '../src/data/csv.ts';
import { recordsOf } from '../src/data/table.ts';
import { StratifiedKFold } from '../src/evaluate/folds.ts';
import { meanAccuracy, meanLogLoss } from '../src/evaluate/log-proba.ts';

const folder = process.env.POLYA_DATA ?? '../shared/data';

/** Target column, minimum accuracy and maximum log-loss by dataset. */
const sets: Record<string, [target: string, accuracy: number, loss?: number]> = {
  iris: ['species', 0.967],
  wine: ['class', 0.983],
  penguins: ['species', 0.98],
  'breast-cancer': ['diagnosis', 0.955],
  car: ['class', 0.965, 0.27],
  'house-votes-84': ['party', 0],
  digits: ['digit', 0.979],
  mushroom: ['class', 1],
  'adult-train': ['income', 0.872, 0.281],
};

function readRecords(name: string): Record<string, string>[] {
  const packed = join(folder, `${name}.csv.gz`);
  const bytes = existsSync(packed) ? gunzipSync(readFileSync(packed)) : readFileSync(join(folder, `${name}.csv`));
  return recordsOf(parseCsv(bytes));
}

const SEEDS = [0, 1, 2, 3, 4];

interface Split {
  readonly train: Record<string, string>[];
  readonly test: Record<string, string>[];
}

/** A training and a test file, or five folds of a file. */
function splitsOf(name: string, target: string, seed: number): Split[] {
  const rows = readRecords(name);
  if (name.endsWith('-train')) return [{ train: rows, test: readRecords(name.replace('-train', '-test')) }];
  const folds = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: seed });
  const y = rows.map((row) => row[target]);
  return Array.from(folds.split(rows, y), ([train, test]) => ({
    train: train.map((i) => rows[i]),
    test: test.map((i) => rows[i]),
  }));
}

function measure(name: string, target: string, seed: number): { accuracy: number; logLoss: number } {
  let [rows, right, loss] = [0, 0, 0];
  for (const { train, test } of splitsOf(name, target, seed)) {
    const classifier = Classifier.fit<string>(train, { target, seed });
    if (process.env.VERBOSE) console.table(classifier.report().tried);
    const answer = classifier.predictLogProba(test);
    const codes = Int32Array.from(test, (row) => classifier.classes.indexOf(row[target]));
    rows += test.length;
    right += meanAccuracy(answer, { codes }) * test.length;
    loss += meanLogLoss(answer, { codes }) * test.length;
  }
  return { accuracy: right / rows, logLoss: loss / rows };
}

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) };
}

const asked = process.argv.slice(2);
const results = [];
for (const [name, [target, accuracyBar, lossBar]] of Object.entries(sets)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const started = process.cpuUsage();
  const runs = SEEDS.map((seed) => measure(name, target, seed));
  const { user, system } = process.cpuUsage(started);
  const accuracy = spreadOf(runs.map((run) => run.accuracy));
  const logLoss = spreadOf(runs.map((run) => run.logLoss));
  const met = accuracy.mean >= accuracyBar && logLoss.mean <= (lossBar ?? Infinity);
  const seconds = (user + system) / 1e6;
  results.push({ name, accuracy, accuracyBar, logLoss, lossBar: lossBar ?? null, met, seconds });
  const figure = ({ mean, deviation }: typeof accuracy) => `${mean.toFixed(4)} ± ${deviation.toFixed(4)}`;
  const bars = `${accuracyBar.toFixed(3)} / ${lossBar?.toFixed(3) ?? '–'}`;
  const outcome = met ? 'met' : 'MISSED';
  console.log(
    `${name.padEnd(16)} ${figure(accuracy)} / ${figure(logLoss)}   bars ${bars}   ${outcome}   ${seconds.toFixed(1)} s`,
  );
}
console.log(JSON.stringify(results));
