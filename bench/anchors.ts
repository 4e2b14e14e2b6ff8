/**
 * Are the end-to-end figures of PARITY.md §2.13 reached: mean accuracy and mean log-loss of five stratified folds?
 * `npx tsx bench/anchors.ts [folder]`, or the folder in POLYA_DATA; prints a table, and JSON as its last line.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv } from '../src/data/csv.ts';
import { rowsOf } from '../src/data/table.ts';
import { CategoricalNB } from '../src/estimators/categorical-nb.ts';
import { ComplementNB } from '../src/estimators/complement-nb.ts';
import { crossValidate } from '../src/estimators/cross-validation.ts';
import { GaussianNB } from '../src/estimators/gaussian-nb.ts';
import { KBinsDiscretizer } from '../src/estimators/kbins-discretizer.ts';
import { LinearDiscriminantAnalysis } from '../src/estimators/linear-discriminant-analysis.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../src/estimators/pipeline.ts';
import { QuadraticDiscriminantAnalysis } from '../src/estimators/quadratic-discriminant-analysis.ts';

const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';

const models = {
  GaussianNB: new GaussianNB(),
  LDA: new LinearDiscriminantAnalysis(),
  'QDA reg .1': new QuadraticDiscriminantAnalysis({ regParam: 0.1 }),
  MultinomialNB: new MultinomialNB(),
  ComplementNB: new ComplementNB(),
  'KBins + CategoricalNB': makePipeline(
    new KBinsDiscretizer({ nBins: 5, strategy: 'uniform', encode: 'ordinal' }),
    new CategoricalNB({ minCategories: 5 }),
  ),
};

/** Accuracy and log-loss by data set, in the order of the models: scikit-learn 1.9.1, PARITY.md §2.13. */
const anchors: Record<string, [accuracy: number, loss: number][]> = {
  iris: [
    [0.953333, 0.135439],
    [0.98, 0.046658],
    [0.973333, 0.084855],
    [0.953333, 0.567863],
    [0.666667, 0.812074],
    [0.926667, 0.225659],
  ],
  wine: [
    [0.966349, 0.184887],
    [0.96619, 0.055908],
    [0.972063, 0.079253],
    [0.843968, 0.830553],
    [0.66381, 1.154147],
    [0.966508, 0.078402],
  ],
  'breast-cancer': [
    [0.938519, 0.651092],
    [0.959587, 0.12657],
    [0.952554, 0.319346],
    [0.89632, 1.59191],
    [0.89632, 1.562712],
    [0.936764, 0.466872],
  ],
  digits: [
    [0.806928, 4.004507],
    [0.908183, 0.609608],
    [0.938253, 1.585006],
    [0.87035, 2.697271],
    [0.794661, 0.960136],
    [0.877035, 0.80584],
  ],
};

/** Classes are numbered as scikit-learn numbers them, by first appearance: of two, the log-loss reads the second. */
function read(set: string): { X: number[][]; y: number[] } {
  const rows = rowsOf(parseCsv(readFileSync(join(folder, `${set}.csv`), 'utf8')));
  const classes = [...new Set(rows.map((row) => row[row.length - 1]))];
  return {
    X: rows.map((row) => row.slice(0, -1).map(Number)),
    y: rows.map((row) => classes.indexOf(row[row.length - 1])),
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const results = Object.entries(anchors).flatMap(([set, expected]) => {
  const { X, y } = read(set);
  return Object.entries(models).map(([model, estimator], k) => {
    const start = performance.now();
    const scores = crossValidate(estimator as GaussianNB, X, y, { scoring: ['accuracy', 'neg_log_loss'] });
    const milliseconds = Math.round(performance.now() - start);
    const [accuracy, loss] = [mean(scores.testAccuracy), -mean(scores.testNegLogLoss)];
    const reached = Math.abs(accuracy - expected[k][0]) < 6e-7 && Math.abs(loss - expected[k][1]) < 6e-7;
    return { set, model, accuracy, loss, expected: expected[k], reached, milliseconds };
  });
});
for (const { set, model, accuracy, loss, expected, reached, milliseconds } of results) {
  const [a, l] = expected.map((value) => value.toFixed(6));
  const figures = `${accuracy.toFixed(6)} / ${loss.toFixed(6)}   anchor ${a} / ${l}`;
  console.log(
    `${set.padEnd(14)}${model.padEnd(23)}${figures}   ${reached ? 'reached' : 'MISSED'}   ${milliseconds} ms`,
  );
}
console.log(JSON.stringify({ question: 'PARITY.md §2.13', folds: 5, results }));
process.exitCode = results.every(({ reached }) => reached) ? 0 : 1;
