/**
 * Accuracy and log-loss of `model: 'auto'` on tables, in five stratified folds (seed 0), with a separate selection in
 * each. `npx tsx bench/auto-tables.ts [set …]`, data in POLYA_DATA or ../shared/data; prints a table, and JSON as its
 * last line.
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
  car: ['class', 0.9, 0.27],
  'house-votes-84': ['party', 0],
  digits: ['digit', 0.972],
  mushroom: ['class', 0],
  'adult-train': ['income', 0.843, 0.35],
};

function readRecords(name: string): Record<string, string>[] {
  const packed = join(folder, `${name}.csv.gz`);
  const bytes = existsSync(packed) ? gunzipSync(readFileSync(packed)) : readFileSync(join(folder, `${name}.csv`));
  return recordsOf(parseCsv(bytes));
}

const asked = process.argv.slice(2);
const results = [];
for (const [name, [target, accuracyBar, lossBar]] of Object.entries(sets)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const rows = readRecords(name);
  const y = rows.map((row) => row[target]);
  const started = performance.now();
  let [right, loss] = [0, 0];
  for (const [trainRows, heldOut] of new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 0 }).split(
    rows,
    y,
  )) {
    const train = trainRows.map((i) => rows[i]);
    const test = heldOut.map((i) => rows[i]);
    const classifier = Classifier.fit<string>(train, { target, seed: 0 });
    if (process.env.VERBOSE) console.table(classifier.report().tried);
    const { classes } = classifier;
    const answer = classifier.predictLogProba(test);
    const truth = Int32Array.from(test, (row) => classes.indexOf(row[target]));
    right += meanAccuracy(answer, { codes: truth }) * test.length;
    loss += meanLogLoss(answer, { codes: truth }) * test.length;
  }
  const seconds = (performance.now() - started) / 1000;
  const [accuracy, logLoss] = [right / rows.length, loss / rows.length];
  const met = accuracy >= accuracyBar && logLoss <= (lossBar ?? Infinity);
  results.push({ name, rows: rows.length, accuracy, accuracyBar, logLoss, lossBar: lossBar ?? null, met, seconds });
  const bars = `${accuracyBar.toFixed(3)} / ${lossBar?.toFixed(3) ?? '–'}`;
  console.log(
    `${name.padEnd(16)} ${accuracy.toFixed(4)} / ${logLoss.toFixed(4)}   bars ${bars}   ${met ? 'met' : 'MISSED'}   ${seconds.toFixed(1)} s`,
  );
}
console.log(JSON.stringify(results));
