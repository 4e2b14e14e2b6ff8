import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  type Label,
  type Matrix,
  MultinomialNB,
} from '../../../src/index.ts';
import { expectClose } from '../../close.ts';

// Recorded from scikit-learn 1.9.1 by record.py, which is beside this file.
const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

type Table = (number | string)[][];

interface Case {
  estimator: keyof typeof kinds;
  params: Record<string, unknown>;
  X: number[][];
  y: Label[];
  query: number[][];
  weights?: number[];
  parts?: number[][];
  classes: Label[];
  classCount: number[];
  classLogPrior: number[];
  featureLogProb: Table | Table[];
  featureCount?: Table;
  categoryCount?: Table[];
  nCategories?: number[];
  joint: Table;
  logProba: Table;
  proba: Table;
  predict: Label[];
}

const kinds = { BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB };
const cases = read('cases.json') as Case[];

/** NumPy sums in pairs and takes differences of logarithms: 1e-12. */
const expectTable = (actual: Matrix, expected: Table, tolerance = 1e-12) =>
  expectClose(actual.data, expected.flat().map(Number), tolerance, 1e-1);

/** 1e-10 + 3 − 3 has six digits left in scikit-learn, whose complements and tails go that way; ours are not subtracted. */
const toleranceOf = ({ params }: Case) => (params.forceAlpha === false ? 1e-6 : 1e-12);

function learn({ estimator, params, X, y, weights, parts }: Case) {
  const model = new kinds[estimator](params as never);
  if (!parts) return model.fit(X, y, { sampleWeight: weights });
  for (const rows of parts) {
    const sampleWeight = weights && rows.map((i) => weights[i]);
    model.partialFit(
      rows.map((i) => X[i]),
      rows.map((i) => y[i]),
      { classes: [...new Set(y)], sampleWeight },
    );
  }
  return model;
}

describe.each(cases.map((one, k) => [`${one.estimator} ${JSON.stringify(one.params)}, case ${k}`, one] as const))(
  '%s agrees with scikit-learn',
  (_, one) => {
    const model = learn(one);

    test('in what it has learned', () => {
      expect(model.classes).toEqual(one.classes);
      expectClose(model.classCount, one.classCount, 1e-12);
      expectClose(model.classLogPrior, one.classLogPrior, 1e-12, 1e-1);
      if (model instanceof CategoricalNB) {
        model.categoryCount.forEach((counts, j) => {
          expectTable(counts, one.categoryCount![j]);
        });
        model.featureLogProb.forEach((logs, j) => {
          expectTable(logs, (one.featureLogProb as Table[])[j]);
        });
        if (one.nCategories) expect([...model.nCategories]).toEqual(one.nCategories);
      } else {
        expectTable(model.featureCount, one.featureCount!);
        expectTable(model.featureLogProb, one.featureLogProb as Table, toleranceOf(one));
      }
    });

    test('in what it answers', () => {
      expectTable(model.predictJointLogProba(one.query), one.joint, toleranceOf(one));
      expectTable(model.predictLogProba(one.query), one.logProba, toleranceOf(one));
      expectTable(model.predictProba(one.query), one.proba, toleranceOf(one));
      expect(model.predict(one.query)).toEqual(one.predict);
    });
  },
);

interface Anchor {
  name: string;
  X: number[][];
  y: number[];
  folds: number[][];
  bins: number[][][];
  scores: Record<'MultinomialNB' | 'ComplementNB' | 'CategoricalNB', [accuracy: number, logLoss: number]>;
}

/** Accuracy and log-loss on one fold; probabilities are clipped as scikit-learn's log_loss does. */
function evaluate({ X, y, folds, bins }: Anchor, kind: keyof Anchor['scores'], fold: number): [number, number] {
  const inside = new Set(folds[fold]);
  const train = [...y.keys()].filter((i) => !inside.has(i));
  const binned = (row: number[]) => row.map((x, j) => bins[fold][j].slice(1, -1).filter((edge) => x >= edge).length);
  const rows = (order: number[]) => order.map((i) => (kind === 'CategoricalNB' ? binned(X[i]) : X[i]));
  const model = new kinds[kind](kind === 'CategoricalNB' ? ({ minCategories: 5 } as never) : {});
  model.fit(
    rows(train),
    train.map((i) => y[i]),
  );
  const proba = model.predictProba(rows(folds[fold]));
  const losses = folds[fold].map((i, k) => -Math.log(Math.max(2 ** -52, Math.min(1 - 2 ** -52, proba.at(k, y[i])))));
  const accuracy = model.score(
    rows(folds[fold]),
    folds[fold].map((i) => y[i]),
  );
  return [accuracy, losses.reduce((sum, loss) => sum + loss, 0) / losses.length];
}

describe.each((read('anchors.json') as Anchor[]).map((anchor) => [anchor.name, anchor] as const))(
  'five folds of %s score as with scikit-learn',
  (_, anchor) => {
    test.each(['MultinomialNB', 'ComplementNB', 'CategoricalNB'] as const)('by %s', (kind) => {
      const results = anchor.folds.map((_, fold) => evaluate(anchor, kind, fold));
      const means = [0, 1].map((k) => results.reduce((sum, result) => sum + result[k], 0) / results.length);
      // KBinsDiscretizer compares with edges up to 1e-8: a cell on an edge may fall either way, and none does here
      expectClose(means, anchor.scores[kind], 1e-9);
    });
  },
);
