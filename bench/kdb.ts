/**
 * Accuracy of k-dependence classifiers on tables. Stratified folds, shuffled with a seed; numbers are binned within each
 * fold, and a missing cell is a separate level. `npx tsx bench/kdb.ts [set …]`, data in POLYA_DATA or ../shared/data,
 * FOLDS (5), SEEDS (1) and CUTS (`mdl`, `N` for N bins of equal frequency, or `mdl+N` for both). COMPLETE=1 leaves out
 * rows with missing cells. With POLYA_WEKA, the path of weka-stable-3.6.14.jar, Weka's classifiers learn the same bins
 * of the same rows. Prints accuracy with its standard deviation over folds, log-loss, root mean squared error of
 * the probability of the true class, and the processor seconds of one fit; JSON is the last line.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { posterior } from '../src/core/posterior.ts';
import { parseCsv } from '../src/data/csv.ts';
import { Matrix } from '../src/data/matrix.ts';
import { recordsOf } from '../src/data/table.ts';
import { AveragedOneDependenceNB } from '../src/estimators/averaged-one-dependence-nb.ts';
import { CategoricalNB } from '../src/estimators/categorical-nb.ts';
import { KDependenceNB, type KDependenceNBOptions } from '../src/estimators/k-dependence-nb.ts';
import { TreeAugmentedNB } from '../src/estimators/tree-augmented-nb.ts';
import { StratifiedKFold } from '../src/evaluate/folds.ts';
import { meanAccuracy, meanLogLoss } from '../src/evaluate/log-proba.ts';
import { mdlCuts } from '../src/features/mdlp.ts';

const { POLYA_DATA: folder = '../shared/data', FOLDS = '5', SEEDS = '1', CUTS = 'mdl' } = process.env;
const { COMPLETE, POLYA_WEKA: weka } = process.env;
const targets: Record<string, string> = {
  car: 'class',
  mushroom: 'class',
  'house-votes-84': 'party',
  iris: 'species',
  wine: 'class',
  penguins: 'species',
  'breast-cancer': 'diagnosis',
  digits: 'digit',
  'adult-train': 'income',
  adult: 'income',
};

const kdb = (options: KDependenceNBOptions) => () => new KDependenceNB(options);
const all = { k: 5, selectColumns: false } as const;
const models = {
  NB: () => new CategoricalNB(),
  TAN: () => new TreeAugmentedNB(),
  AODE: () => new AveragedOneDependenceNB(),
  'kDB 1, m = 1': kdb({ ...all, k: 1, concentration: 1 }),
  'kDB 2, m = 1': kdb({ ...all, k: 2, concentration: 1 }),
  'kDB 3, m = 1': kdb({ ...all, k: 3, concentration: 1 }),
  'kDB 2, likelihood': kdb({ ...all, k: 2, concentration: 'likelihood' }),
  'kDB 5, likelihood': kdb({ ...all, concentration: 'likelihood' }),
  'kDB 5, auto': kdb(all),
  'kDB auto, all columns': kdb({ selectColumns: false }),
  'kDB auto': kdb({}),
  'kDB auto × 5': () => new Ensemble(5),
};

/** The mean probabilities of several classifiers with random orders of columns. */
class Ensemble {
  private readonly members: readonly KDependenceNB[];

  constructor(size: number) {
    this.members = Array.from({ length: size }, (_, k) => new KDependenceNB({ seed: k === 0 ? null : k }));
  }

  fit(X: Matrix, y: Int32Array): this {
    for (const member of this.members) member.fit(X, y);
    return this;
  }

  get classLogPrior(): Float64Array {
    return this.members[0].classLogPrior;
  }

  predictJointLogProba(X: Matrix): Matrix {
    const [first, ...others] = this.members.map((member) => member.predictProba(X));
    for (const { data } of others) for (let k = 0; k < data.length; k++) first.data[k] += data[k];
    return new Matrix(first.rows, first.cols, first.data.map(Math.log));
  }
}

type Cell = string | undefined;
const isMissing = (cell: Cell) => cell === undefined || cell === '' || cell === '?';

/** Cut points that put about the same number of values into each bin. */
function frequencyCuts(values: Float64Array, bins: number): number[] {
  const sorted = values.slice().sort();
  const at = Array.from({ length: bins - 1 }, (_, b) => sorted[Math.floor(((b + 1) * sorted.length) / bins)]);
  return at.filter((value) => value > sorted[0]);
}

/** Converts the cells of a column to level numbers, as in the training rows. */
function encoder(cells: readonly Cell[], y: Int32Array, classes: number): (cell: Cell) => number {
  const present = cells.flatMap((cell, i) => (isMissing(cell) ? [] : [i]));
  const numbers = Float64Array.from(present, (i) => Number(cells[i]));
  if (numbers.some(Number.isNaN) || new Set(numbers).size <= 12) {
    const levels = new Map(
      [...new Set(cells.map((cell) => (isMissing(cell) ? '' : cell)))].map((cell, v) => [cell, v]),
    );
    return (cell) => levels.get(isMissing(cell) ? '' : cell) ?? levels.size;
  }
  const codes = Int32Array.from(present, (i) => y[i]);
  const weights = new Float64Array(present.length).fill(1);
  const mdl = CUTS.startsWith('mdl')
    ? mdlCuts(numbers, codes, weights, classes, { criterion: 'fayyad-irani', betterEncoding: false })
    : [];
  const more = Number(CUTS.match(/\d+$/)?.[0] ?? 1);
  const cuts = [...new Set([...mdl, ...frequencyCuts(numbers, more)])].sort((a, b) => a - b);
  return (cell) => (isMissing(cell) ? cuts.length + 1 : cuts.filter((cut) => Number(cell) > cut).length);
}

function readRecords(name: string): Record<string, string>[] {
  if (name === 'adult') return [...readRecords('adult-train'), ...readRecords('adult-test')];
  const packed = join(folder, `${name}.csv.gz`);
  const bytes = existsSync(packed) ? gunzipSync(readFileSync(packed)) : readFileSync(join(folder, `${name}.csv`));
  return recordsOf(parseCsv(bytes));
}

/** Log-probabilities of held-out rows by each of Weka's classifiers, which learn the same levels (bench/Weka.java). */
function wekaAnswers(X: Matrix, y: Int32Array, held: Matrix, classes: number): Map<string, Matrix> {
  const temporary = mkdtempSync(join(tmpdir(), 'polya-weka-'));
  try {
    const levels = new Int32Array(X.cols);
    for (const { data } of [X, held])
      data.forEach((v, k) => void (levels[k % X.cols] = Math.max(levels[k % X.cols], v)));
    const names = (count: number) => Array.from({ length: count }, (_, v) => v).join(',');
    const header = Array.from(levels, (most, j) => `@attribute a${j} {${names(most + 1)}}`).join('\n');
    const write = (file: string, rows: Matrix, labels: (i: number) => number) => {
      const lines = Array.from({ length: rows.rows }, (_, i) => [...rows.row(i), labels(i)].join(','));
      const text = `@relation r\n${header}\n@attribute class {${names(classes)}}\n@data\n${lines.join('\n')}\n`;
      writeFileSync(join(temporary, file), text);
    };
    write('train.arff', X, (i) => y[i]);
    write('test.arff', held, () => 0);
    const source = fileURLToPath(new URL('Weka.java', import.meta.url));
    const options: SpawnSyncOptions = { maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'inherit'] };
    const { stdout } = spawnSync('java', ['-cp', weka!, source, temporary], options);
    const lines = stdout.toString().trimEnd().split('\n');
    const found = new Map<string, number[][]>();
    for (const [name, ...numbers] of lines.map((line) => line.split(' '))) {
      if (!found.has(name)) found.set(name, []);
      found.get(name)!.push(numbers.map((own) => Math.log(Number(own))));
    }
    return new Map(Array.from(found, ([name, rows]) => [`Weka ${name}`, Matrix.from(rows)]));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** What is summed over folds. */
interface Sum {
  loss: number;
  squares: number;
  seconds: number;
  readonly accuracies: number[];
  readonly k: number[];
}

const asked = process.argv.slice(2);
const results = [];
for (const [name, target] of Object.entries(targets)) {
  if (asked.length > 0 ? !asked.includes(name) : name === 'adult') continue;
  const rows = readRecords(name).filter((row) => !COMPLETE || !Object.values(row).some(isMissing));
  const labels = rows.map((row) => row[target]);
  const classes = [...new Set(labels)].sort();
  const y = Int32Array.from(labels, (label) => classes.indexOf(label));
  const columns = Object.keys(rows[0]).filter((column) => column !== target);
  const sums = new Map<string, Sum>();
  const add = (model: string, answer: Matrix, codes: Int32Array, seconds = 0, k?: number) => {
    const sum: Sum = sums.get(model) ?? { loss: 0, squares: 0, seconds: 0, accuracies: [], k: [] };
    sum.accuracies.push(meanAccuracy(answer, { codes }));
    sum.loss += meanLogLoss(answer, { codes }) * codes.length;
    sum.squares += codes.reduce((total, c, i) => total + (1 - Math.exp(answer.at(i, c))) ** 2, 0);
    sum.seconds += seconds;
    if (k !== undefined) sum.k.push(k);
    sums.set(model, sum);
  };
  for (let seed = 0; seed < Number(SEEDS); seed++) {
    const folds = new StratifiedKFold({ nSplits: Number(FOLDS), shuffle: true, randomState: seed });
    for (const [train, test] of folds.split(rows, labels)) {
      const take = (order: ArrayLike<number>) => Int32Array.from(order, (i) => y[i]);
      const encoders = columns.map((column) =>
        encoder(
          Array.from(train, (i) => rows[i][column]),
          take(train),
          classes.length,
        ),
      );
      const coded = (order: ArrayLike<number>) =>
        Matrix.from(Array.from(order, (i) => columns.map((column, j) => encoders[j](rows[i][column]))));
      const [X, held, truth] = [coded(train), coded(test), take(test)];
      for (const [model, make] of Object.entries(models)) {
        const before = process.cpuUsage();
        const estimator = make().fit(X, take(train));
        const { user, system } = process.cpuUsage(before);
        const joint = estimator.predictJointLogProba(held);
        const { logProba } = posterior(joint.data, estimator.classLogPrior);
        const k = estimator instanceof KDependenceNB ? estimator.k : undefined;
        add(model, new Matrix(joint.rows, joint.cols, logProba), truth, (user + system) / 1e6, k);
      }
      if (!weka) continue;
      for (const [model, answer] of wekaAnswers(X, take(train), held, classes.length)) add(model, answer, truth);
    }
  }
  const repeats = rows.length * Number(SEEDS);
  for (const [model, { accuracies, loss, squares, seconds, k }] of sums) {
    const accuracy = accuracies.reduce((total, own) => total + own / accuracies.length, 0);
    const spread = accuracies.reduce((total, own) => total + (own - accuracy) ** 2, 0) / (accuracies.length - 1);
    const [deviation, logLoss, rmse] = [Math.sqrt(spread), loss / repeats, Math.sqrt(squares / repeats)];
    const fit = seconds / accuracies.length;
    results.push({ name, model, accuracy, deviation, logLoss, rmse, seconds: fit, k });
    const figures = `${accuracy.toFixed(4)} ± ${deviation.toFixed(4)} / ${logLoss.toFixed(4)} / ${rmse.toFixed(4)}`;
    console.log(
      `${name.padEnd(16)} ${model.padEnd(24)} ${figures}   ${fit.toFixed(3)} s   ${[...new Set(k)].join(' ')}`,
    );
  }
}
console.log(JSON.stringify(results));
