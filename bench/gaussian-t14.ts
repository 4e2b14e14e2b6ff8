/**
 * Compares the errors of the Gaussian families with those of a second program: on the training rows, leave-one-out, and
 * in ten stratified folds. `npx tsx bench/gaussian-t14.ts [folder]`, or the folder in POLYA_DATA; prints a line per
 * model.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCsv } from '../src/data/csv.ts';
import { rowsOf } from '../src/data/table.ts';
import { crossValidate } from '../src/estimators/cross-validation.ts';
import { GaussianNB } from '../src/estimators/gaussian-nb.ts';
import { leaveOneOut } from '../src/estimators/leave-one-out.ts';
import { LinearDiscriminantAnalysis } from '../src/estimators/linear-discriminant-analysis.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { QuadraticDiscriminantAnalysis } from '../src/estimators/quadratic-discriminant-analysis.ts';
import { StratifiedKFold } from '../src/evaluate/folds.ts';

const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';

// T1.4 was recorded with scikit-learn 1.2.1, whose covariances divide by n − 1
const older = { covarianceDenominator: 'n-1' } as const;
const models = {
  'Gaussian NB': () => new GaussianNB(),
  LDA: () => new LinearDiscriminantAnalysis(older),
  QDA: () => new QuadraticDiscriminantAnalysis(older),
  'LDA + Ledoit-Wolf': () => new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 'auto' }),
  'QDA reg .1': () => new QuadraticDiscriminantAnalysis({ ...older, regParam: 0.1 }),
  'multinomial NB': () => new MultinomialNB(),
};

/** Training errors, leave-one-out errors, accuracy in ten folds; null if the table has no figure. */
type Figures = [learned: number, leftOut: number | null, folds: number];
const wanted: Record<string, Partial<Record<keyof typeof models, Figures>>> = {
  iris: { 'Gaussian NB': [6, 7, 0.9533], LDA: [3, 3, 0.98], QDA: [3, 4, 0.98], 'LDA + Ledoit-Wolf': [3, 3, 0.98] },
  wine: {
    'Gaussian NB': [2, 4, 0.9778],
    LDA: [0, 2, 0.9775],
    QDA: [1, 1, 0.9722],
    'LDA + Ledoit-Wolf': [1, 2, 0.9778],
  },
  'breast-cancer': {
    'Gaussian NB': [33, 35, 0.9368],
    LDA: [20, 24, 0.956],
    QDA: [15, 25, 0.9561],
    'LDA + Ledoit-Wolf': [19, 23, 0.9525],
  },
  digits: {
    'Gaussian NB': [255, 286, 0.8114],
    LDA: [65, null, 0.9171],
    QDA: [96, null, 0.847],
    'QDA reg .1': [2, null, 0.9472],
    'multinomial NB': [170, null, 0.8798],
  },
};

function measure(make: () => GaussianNB, X: number[][], y: string[], leftOut: number | null): Figures {
  const learned = make()
    .predict(X)
    .filter((label, i) => label !== y[i]).length;
  const cv = new StratifiedKFold({ nSplits: 10 });
  const { testScore } = crossValidate(make().clone(), X, y, { cv }) as { testScore: number[] };
  const held =
    leftOut === null ? null : leaveOneOut(make().clone(), X, y).predictions.filter((label, i) => label !== y[i]);
  return [learned, held?.length ?? null, testScore.reduce((sum, score) => sum + score, 0) / 10];
}

for (const [set, rows] of Object.entries(wanted)) {
  const cells = rowsOf(parseCsv(readFileSync(join(folder, `${set}.csv`))));
  const X = cells.map((row) => row.slice(0, -1).map(Number));
  const y = cells.map((row) => row.at(-1)!);
  for (const [name, figures] of Object.entries(rows)) {
    try {
      const fitted = () => models[name as keyof typeof models]().fit(X, y) as GaussianNB;
      const [learned, leftOut, folds] = measure(fitted, X, y, figures[1]);
      const holds = learned === figures[0] && leftOut === figures[1] && Math.abs(folds - figures[2]) <= 5.1e-5;
      console.log(JSON.stringify({ set, model: name, learned, leftOut, folds, wanted: figures, holds }));
    } catch (error) {
      console.log(JSON.stringify({ set, model: name, refused: (error as { code: string }).code, wanted: figures }));
    }
  }
}
