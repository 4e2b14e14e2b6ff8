/**
 * Accuracy of naive Bayes, TAN, AODE and WAODE on categorical columns. Five stratified folds, shuffled with a seed, and
 * exact leave-one-out for each. `npx tsx bench/levels.ts [folder]`, or the folder in POLYA_DATA. Prints one JSON line
 * per table.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv } from '../src/data/csv.ts';
import { recordsOf } from '../src/data/table.ts';
import { AveragedOneDependenceNB } from '../src/estimators/averaged-one-dependence-nb.ts';
import { CategoricalNB } from '../src/estimators/categorical-nb.ts';
import { leaveOneOut } from '../src/estimators/leave-one-out.ts';
import { TreeAugmentedNB } from '../src/estimators/tree-augmented-nb.ts';
import { Random } from '../src/math/random.ts';

type Model = CategoricalNB | TreeAugmentedNB | AveragedOneDependenceNB;

const FOLDS = 5;
const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';
const tables = [
  ['car.csv', 'class'],
  ['mushroom.csv', 'class'],
  ['house-votes-84.csv', 'party'],
] as const;

const models: Record<string, () => Model> = {
  NB: () => new CategoricalNB({ missing: 'ignore' }),
  TAN: () => new TreeAugmentedNB({ missing: 'ignore' }),
  AODE: () => new AveragedOneDependenceNB({ missing: 'ignore' }),
  WAODE: () => new AveragedOneDependenceNB({ missing: 'ignore', weighted: true }),
};

/** The fold of every row: the rows of a class are assigned in random order. */
function assignFolds(y: readonly string[], random: Random): Int32Array {
  const fold = new Int32Array(y.length);
  let next = 0;
  for (const label of [...new Set(y)].sort()) {
    const rows = [...y.keys()].filter((i) => y[i] === label);
    for (const i of random.shuffle(rows)) fold[i] = next++ % FOLDS;
  }
  return fold;
}

for (const [file, target] of tables) {
  const rows = recordsOf(parseCsv(readFileSync(join(folder, file), 'utf8')) as never);
  const y = rows.map((row) => row[target]);
  const X = rows.map(({ [target]: _, ...row }) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === '?' || cell === '' ? null : cell])),
  );
  const fold = assignFolds(y, new Random(0));
  const result: Record<string, unknown> = { table: file, rows: y.length, columns: Object.keys(X[0]).length };
  for (const [name, make] of Object.entries(models)) {
    const start = performance.now();
    let right = 0;
    for (let k = 0; k < FOLDS; k++) {
      const train = [...y.keys()].filter((i) => fold[i] !== k);
      const test = [...y.keys()].filter((i) => fold[i] === k);
      const model = make().fit(
        train.map((i) => X[i]),
        train.map((i) => y[i]),
      );
      right += model.predict(test.map((i) => X[i])).filter((label, at) => label === y[test[at]]).length;
    }
    const between = performance.now();
    const { accuracy, logLoss } = leaveOneOut(make() as CategoricalNB, X, y);
    result[name] = {
      accuracy: Number((right / y.length).toFixed(4)),
      leaveOneOut: Number(accuracy.toFixed(4)),
      logLoss: Number(logLoss.toFixed(4)),
      seconds: [between - start, performance.now() - between].map((ms) => Number((ms / 1000).toFixed(2))),
    };
  }
  console.log(JSON.stringify(result));
}
