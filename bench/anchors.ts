/**
 * Compares mean accuracy and mean log-loss of five stratified folds with scikit-learn's figures. `npx tsx
 * bench/anchors.ts [folder]`, or the folder in POLYA_DATA; prints a table, and JSON as its last line.
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

/**
 * Accuracy and log-loss by dataset, in the order of the models: scikit-learn 1.9.1. Two losses differ from its printed
 * figures (the third number): its scorer uses 1 − p for the first of two classes, and with scores of about −2000 that
 * difference is rounding (with the class names swapped it gives 1.573708 and 1.540992). The second number is log_loss
 * of its predict_proba, which agrees with extended precision.
 */
const anchors: Record<string, [accuracy: number, loss: number, printed?: number][]> = {
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
    [0.89632, 1.573992, 1.59191],
    [0.89632, 1.542197, 1.562712],
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

function read(set: string): { X: number[][]; y: string[] } {
  const rows = rowsOf(parseCsv(readFileSync(join(folder, `${set}.csv`), 'utf8')));
  return { X: rows.map((row) => row.slice(0, -1).map(Number)), y: rows.map((row) => row[row.length - 1]) };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const near = (a: number, b: number) => Math.abs(a - b) < 6e-7;

const results = Object.entries(anchors).flatMap(([set, expected]) => {
  const { X, y } = read(set);
  return Object.entries(models).map(([model, estimator], k) => {
    const [wantedAccuracy, wantedLoss, printed = wantedLoss] = expected[k];
    const start = performance.now();
    const scores = crossValidate(estimator as GaussianNB, X, y, { scoring: ['accuracy', 'neg_log_loss'] });
    const milliseconds = Math.round(performance.now() - start);
    const [accuracy, loss] = [mean(scores.testAccuracy), -mean(scores.testNegLogLoss)];
    const status = !near(accuracy, wantedAccuracy)
      ? 'MISSED'
      : near(loss, printed)
        ? 'reached'
        : near(loss, wantedLoss)
          ? 'differs from the printed figure; equals log_loss of predict_proba'
          : 'MISSED';
    return { set, model, accuracy, loss, printed: [wantedAccuracy, printed], status, milliseconds };
  });
});
for (const { set, model, accuracy, loss, printed, status, milliseconds } of results) {
  const [a, l] = printed.map((value) => value.toFixed(6));
  const figures = `${accuracy.toFixed(6)} / ${loss.toFixed(6)}   scikit-learn ${a} / ${l}`;
  console.log(`${set.padEnd(14)}${model.padEnd(23)}${figures}   ${status}   ${milliseconds} ms`);
}
console.log(JSON.stringify({ question: "scikit-learn's figures over five folds", folds: 5, results }));
process.exitCode = results.some(({ status }) => status === 'MISSED') ? 1 : 0;
