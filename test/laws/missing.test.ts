import { describe, expect, test } from 'vitest';
import { classifierModels, familyNamed, familyOf } from '../../src/auto/learner-families.ts';
import { CountingClassifier } from '../../src/estimators/classifier.ts';
import { estimators } from '../../src/estimators/load.ts';
import { Classifier, type ClassifierOptions, type Explanation, loadIris, type Matrix } from '../../src/index.ts';
import { logShares, logSumExp } from '../../src/math/logs.ts';
import { Random } from '../../src/math/random.ts';
import { expectClose } from '../close.ts';

/** What the law needs from an estimator. */
interface AnyEstimator {
  readonly capabilities: { readonly missing: boolean };
  getParams(): object;
  fit(X: unknown, y: readonly string[]): AnyEstimator;
  predictJointLogProba(X: unknown): Matrix;
  predictLogProba(X: unknown): Matrix;
  predictProba(X: unknown): Matrix;
  explain(X: unknown): Explanation[];
  inside(): { model: { logPrior(params: unknown): Float64Array }; params: unknown };
}
type Make = (params?: object) => AnyEstimator;

const GAP = Number.NaN;
const CLASSES = ['a', 'b', 'c'];
const random = new Random(11);
const times = <T>(n: number, make: (k: number) => T): T[] => Array.from({ length: n }, (_, k) => make(k));
const codes = times(90, (i) => (i % 9 < 5 ? 0 : i % 9 < 7 ? 1 : 2));
const y = codes.map((c) => CLASSES[c]);

/**
 * The cells of a family: how they are drawn, and the values (with their weights) over which a missing one is summed.
 */
interface Cells {
  draw(c: number, j: number, before: readonly number[]): number;
  readonly values: readonly number[];
  readonly width: number;
}

/** The trapezoidal rule is exact to all digits for smooth densities that vanish at both ends. */
const grid = times(131, (k) => k / 5 - 13);
const cells: Readonly<Record<string, Cells>> = {
  reals: { draw: (c, j, before) => random.normal() + (c - 1) * j + 0.7 * (before[0] ?? 0), values: grid, width: 1 / 5 },
  bits: { draw: (c, j) => Number(random.uniform() < 0.2 + 0.2 * c + 0.1 * j), values: [0, 1], width: 1 },
  counts: { draw: (c, j) => random.integer(2 + c + j), values: times(80, (k) => k), width: 1 },
  levels: {
    draw: (c, _, before) => (c + (before[0] ?? 0) + random.integer(2)) % 3,
    values: [0, 1, 2],
    width: 1,
  },
};

const kindOf: Readonly<Record<string, keyof typeof cells>> = {
  AveragedOneDependenceNB: 'levels',
  BernoulliNB: 'bits',
  CategoricalNB: 'levels',
  GaussianNB: 'reals',
  KDependenceNB: 'levels',
  KernelNB: 'reals',
  LinearDiscriminantAnalysis: 'reals',
  MixedNB: 'reals',
  PoissonNB: 'counts',
  QuadraticDiscriminantAnalysis: 'reals',
  RegularizedDiscriminantAnalysis: 'reals',
  TreeAugmentedNB: 'levels',
};

/** Families in which a column is independent of the others given the class: without it, nothing else changes. */
const naive = new Set(['BernoulliNB', 'CategoricalNB', 'GaussianNB', 'KernelNB', 'MixedNB', 'PoissonNB']);

const classifiers = Object.entries(estimators).filter(([, Class]) => Class.prototype instanceof CountingClassifier);
const takers = classifiers.flatMap(([kind, Class]) => {
  const make: Make = (params) => new (Class as new (params: never) => AnyEstimator)(params as never);
  const options = 'missing' in make().getParams() ? { missing: 'ignore' } : {};
  return make(options).capabilities.missing ? [[kind, (more?: object) => make({ ...options, ...more })] as const] : [];
});

const rowsFor = (kind: keyof typeof cells, gaps: number): number[][] =>
  codes.map((c) => {
    const row: number[] = [];
    for (let j = 0; j < 3; j++) row.push(cells[kind].draw(c, j, row));
    return row.map((cell) => (random.uniform() < gaps ? GAP : cell));
  });

/** ln Σ p(c, x) over all values of the missing cells. */
function summed(estimator: AnyEstimator, row: readonly number[], { values, width }: Cells): Float64Array {
  let all: number[][] = [[...row]];
  for (let j = 0; j < row.length; j++) {
    if (Number.isNaN(row[j])) all = all.flatMap((own) => values.map((value) => own.with(j, value)));
  }
  const measure = row.filter(Number.isNaN).length * Math.log(width);
  const { data, cols } = estimator.predictJointLogProba(all);
  return Float64Array.from({ length: cols }, (_, c) => {
    return measure + logSumExp(Float64Array.from(all, (_, i) => data[i * cols + c]));
  });
}

test('these families support missing cells', () => {
  expect(takers.map(([kind]) => kind).sort()).toEqual(Object.keys(kindOf).sort());
});

describe.each(takers)('%s', (kind, make) => {
  const own = cells[kindOf[kind]];
  const rows = rowsFor(kindOf[kind], 0.15);
  const estimator = make().fit(rows, y);
  const empty = [GAP, GAP, GAP];

  test('an empty row scores the class prior', () => {
    const { model, params } = estimator.inside();
    const prior = model.logPrior(params);
    expectClose(estimator.predictJointLogProba([empty]).row(0), prior, 1e-14);
    expectClose(estimator.predictProba([empty]).data, prior.map(Math.exp), 1e-12);
    // alone, and in batches that use the kernels
    const many = estimator.predictLogProba([...rows, ...times(70, () => empty), ...rows]);
    const alone = estimator.predictLogProba([empty]).row(0);
    for (let i = rows.length; i < rows.length + 70; i++) expect(many.row(i)).toEqual(alone);
  });

  test('a row with some cells scores the sum over all values of the others', () => {
    const complete = rowsFor(kindOf[kind], 0).slice(0, 3);
    const pairs = [
      [0, 1],
      [1, 2],
      [0, 2],
    ];
    for (const [i, row] of complete.entries()) {
      for (const gaps of [[0], [1], [2], pairs[i]]) {
        const some = row.map((cell, j) => (gaps.includes(j) ? GAP : cell));
        const joint = estimator.predictJointLogProba([some]).row(0);
        expectClose(joint, summed(estimator, some, own), 1e-9, 1);
      }
    }
  });

  test('a missing cell adds nothing to an explanation, whose parts add up to the score', () => {
    const some = [rows.find((row) => !Number.isNaN(row[1]))?.[1] ?? 0].flatMap((cell) => [GAP, cell, GAP]);
    const [explained] = estimator.explain([some]);
    for (const { feature, byClass } of explained.contributions) {
      if (feature !== 1) expect([...byClass].map(Math.abs)).toEqual(CLASSES.map(() => 0));
    }
    expectClose(explained.score, estimator.predictJointLogProba([some]).row(0), 1e-9, 1);
  });

  test.runIf(naive.has(kind))('without a column, the prediction is that of a model of the other columns', () => {
    const less = rows.map(([a, , c]) => [a, c]);
    const smaller = make(kind === 'GaussianNB' || kind === 'MixedNB' ? { varSmoothing: 0 } : {}).fit(less, y);
    const larger = make(kind === 'GaussianNB' || kind === 'MixedNB' ? { varSmoothing: 0 } : {}).fit(rows, y);
    const without = rows.map(([a, , c]) => [a, GAP, c]);
    const [p, q] = [larger.predictLogProba(without), smaller.predictLogProba(less)];
    expectClose(p.data, q.data, 1e-9, 1);
  });
});

test('discriminants of complete rows drop a column exactly', () => {
  const rows = rowsFor('reals', 0);
  const [less, without] = [rows.map(([a, , c]) => [a, c]), rows.map(([a, , c]) => [a, GAP, c])];
  for (const kind of [
    'LinearDiscriminantAnalysis',
    'QuadraticDiscriminantAnalysis',
    'RegularizedDiscriminantAnalysis',
  ]) {
    const [, make] = takers.find(([own]) => own === kind) as (typeof takers)[number];
    const p = make().fit(rows, y).predictLogProba(without); // biome-ignore format: short
    expectClose(p.data, make().fit(less, y).predictLogProba(less).data, 1e-9, 1);
  }
});

test('discriminants learn rows that all lack a cell, contradictory pairs, and features missing from a class', () => {
  const rows = rowsFor('reals', 0).map((row, i) => row.with(i % 3, GAP));
  const impossible = rowsFor('reals', 0).map(([a, b], i) => {
    // correlations 1, 1 and −1, which no three columns can have together
    const noise = 1e-3 * b;
    return [
      [a, a + noise, GAP],
      [GAP, a, a + noise],
      [a, GAP, noise - a],
    ][i % 3];
  });
  const unseen = rowsFor('reals', 0).map((row, i) => (codes[i] === 1 ? row.with(2, GAP) : row));
  for (const X of [rows, impossible, unseen]) {
    for (const [kind, make] of takers.filter(([own]) => own.includes('Discriminant'))) {
      const proba = make().fit(X, y).predictProba([...X, [0, 0, 0], [GAP, GAP, GAP]]); // biome-ignore format: short
      expect(
        proba.data.every((p) => p >= 0 && p <= 1),
        kind,
      ).toBe(true);
      expectClose(proba.row(X.length + 1), [50 / 90, 20 / 90, 20 / 90], 1e-12);
    }
  }
});

/** A table with columns that a model takes, some cells missing, and three classes of different sizes. */
function tableFor(model: string, text: boolean): Record<string, unknown>[] {
  const takes = model === 'auto' ? 'anything' : familyOf(familyNamed(model)).takes;
  const words = ['red', 'green', 'blue'];
  return codes.map((c, i) => {
    const seldom = <T>(cell: T) => (random.uniform() < 0.1 ? null : cell);
    const numbers = { a: seldom(random.normal() + c), b: seldom(random.normal() - 2 * c) };
    const levels = { u: seldom(words[(c + random.integer(2)) % 3]), v: seldom(words[random.integer(3)]) };
    const counts = { m: seldom(random.integer(2 + 2 * c)), n: seldom(random.integer(5)) };
    const texts = { said: i % 20 === 19 ? '' : times(4, () => words[(c + random.integer(2)) % 3]).join(' ') };
    const own = { numbers, levels, counts, anything: { ...numbers, ...levels } }[takes];
    return { ...(text && takes === 'counts' ? texts : own), ...(text && takes === 'anything' && texts), y: CLASSES[c] };
  });
}

const prior = logShares(Float64Array.of(50, 20, 20));
const options: Record<string, Partial<ClassifierOptions>> = {
  'gaussian, temperature': { calibrate: 'temperature' },
  'mixed, sigmoid': { calibrate: 'sigmoid' },
  'lda, isotonic': { calibrate: 'isotonic' },
  'aode, temperature': { calibrate: 'temperature' },
};
const named = classifierModels.flatMap((model) => [
  [model, model, false, { evaluate: false }] as const,
  ...(model === 'auto' || ['counts', 'anything'].includes(familyOf(familyNamed(model)).takes)
    ? [[`${model} with a text`, model, true, { evaluate: false }] as const]
    : []),
]);
const calibrated = Object.entries(options).map(
  ([name, own]) => [name, name.split(',')[0] as (typeof classifierModels)[number], false, own] as const,
);

describe.each([...named, ...calibrated])('Classifier, %s', (_, model, text, more) => {
  const table = tableFor(model, text);
  const classifier = Classifier.fit(table, { target: 'y', model, ...more });

  test('an empty row gets the class prior, and its explanation says so', () => {
    const blank = Object.fromEntries(Object.keys(table[0]).map((name) => [name, name === 'said' ? ' ' : null]));
    for (const row of [{}, blank]) {
      expectClose(classifier.predictLogProba([row, ...table], { strict: false }).row(0), prior, 1e-12);
      expect(classifier.classify(row, { strict: false })).toMatchObject({ label: 'a', abstained: true });
      const { terms, score } = classifier.explain(row);
      expectClose(score, prior, 1e-9);
      expect(terms.every(({ byClass }) => byClass.every((value) => value === 0))).toBe(true);
    }
    const again = Classifier.load(classifier.save());
    expectClose(again.predictLogProba([{}], { strict: false }).row(0), prior, 1e-12);
  });

  test('a slim file gives the class prior too', () => {
    expectClose(
      Classifier.load(classifier.save({ slim: true }))
        .predictLogProba([{}], { strict: false })
        .row(0),
      prior,
      1e-12,
    );
  });

  test('missing cells add nothing to explanations, and every row has probabilities', () => {
    for (const row of table.filter((own) => Object.values(own).includes(null)).slice(0, 9)) {
      const names = Object.keys(row).filter((name) => row[name] === null);
      const { terms } = classifier.explain(row);
      for (const { feature, byClass } of terms) {
        if (names.includes(feature)) expect([...byClass].map(Math.abs)).toEqual(CLASSES.map(() => 0));
      }
    }
    const proba = classifier.predictLogProba(
      table.map((row, i) => (i % 2 ? { ...row, a: null, u: null } : row)),
      { strict: false },
    );
    expect(proba.data.every((log) => log <= 0)).toBe(true);
  });
});

test('a blank row gets the given priors', () => {
  const table = tableFor('lda', false);
  for (const model of ['gaussian', 'lda', 'kernel'] as const) {
    const uniform = Classifier.fit(table, { target: 'y', model, priors: 'uniform', evaluate: false });
    expectClose(uniform.predictLogProba([{}], { strict: false }).row(0).map(Math.exp), [1 / 3, 1 / 3, 1 / 3], 1e-12);
  }
  const levels = tableFor('aode', false);
  const given = Classifier.fit(levels, {
    target: 'y',
    model: 'aode',
    priors: { a: 0.2, b: 0.3, c: 0.5 },
    evaluate: false,
  });
  expectClose(given.predictLogProba([{}], { strict: false }).row(0).map(Math.exp), [0.2, 0.3, 0.5], 1e-12);
});

test('the default model gives a blank iris row a third for each class, and is confident with one petal measurement', () => {
  const { rows, target } = loadIris();
  const classifier = Classifier.fit(rows, { target });
  expectClose(classifier.predictLogProba([{}], { strict: false }).row(0).map(Math.exp), [1 / 3, 1 / 3, 1 / 3], 1e-12);
  expect(classifier.classify({ petal_length: 1.4 }, { strict: false })).toMatchObject({ label: 'setosa' });
  expect(classifier.classify({ petal_length: 1.4 }, { strict: false }).probability).toBeGreaterThan(0.95);
  expect(classifier.classify({ sepal_width: 3 }, { strict: false }).probability).toBeLessThan(0.7);
});
