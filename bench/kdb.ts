/**
 * Accuracy of k-dependence classifiers on tables. Stratified folds, shuffled with a seed; numbers are binned by MDL
 * within each fold, and a missing cell is a separate level. `npx tsx bench/kdb.ts [set …]`, data in POLYA_DATA or
 * ../shared/data, FOLDS (5), SEEDS (1) and CUTS (`mdl`, or `mdl+N` for MDL and N bins of equal frequency). Prints
 * accuracy, log-loss and the processor seconds of one fit, and JSON as its last line.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const mdl = mdlCuts(numbers, codes, weights, classes, { criterion: 'fayyad-irani', betterEncoding: false });
  const more = Number(CUTS.split('+')[1] ?? 1);
  const cuts = [...new Set([...mdl, ...frequencyCuts(numbers, more)])].sort((a, b) => a - b);
  return (cell) => (isMissing(cell) ? cuts.length + 1 : cuts.filter((cut) => Number(cell) > cut).length);
}

function readRecords(name: string): Record<string, string>[] {
  const packed = join(folder, `${name}.csv.gz`);
  const bytes = existsSync(packed) ? gunzipSync(readFileSync(packed)) : readFileSync(join(folder, `${name}.csv`));
  return recordsOf(parseCsv(bytes));
}

const asked = process.argv.slice(2);
const results = [];
for (const [name, target] of Object.entries(targets)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const rows = readRecords(name);
  const labels = rows.map((row) => row[target]);
  const classes = [...new Set(labels)].sort();
  const y = Int32Array.from(labels, (label) => classes.indexOf(label));
  const columns = Object.keys(rows[0]).filter((column) => column !== target);
  const sums = new Map<string, { right: number; loss: number; seconds: number; k: number[] }>();
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
        const answer = new Matrix(joint.rows, joint.cols, logProba);
        const sum = sums.get(model) ?? { right: 0, loss: 0, seconds: 0, k: [] };
        sum.right += meanAccuracy(answer, { codes: truth }) * test.length;
        sum.loss += meanLogLoss(answer, { codes: truth }) * test.length;
        sum.seconds += (user + system) / 1e6;
        if (estimator instanceof KDependenceNB) sum.k.push(estimator.k);
        sums.set(model, sum);
      }
    }
  }
  const repeats = rows.length * Number(SEEDS);
  for (const [model, { right, loss, seconds, k }] of sums) {
    const [accuracy, logLoss, fit] = [right / repeats, loss / repeats, seconds / Number(SEEDS) / Number(FOLDS)];
    results.push({ name, model, accuracy, logLoss, seconds: fit, k });
    const figures = `${accuracy.toFixed(4)} / ${logLoss.toFixed(4)}   ${fit.toFixed(3)} s`;
    console.log(`${name.padEnd(16)} ${model.padEnd(24)} ${figures}   ${[...new Set(k)].join(' ')}`);
  }
}
console.log(JSON.stringify(results));
