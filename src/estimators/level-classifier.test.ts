import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { Matrix } from '../data/matrix.ts';
import { AveragedOneDependenceNB } from './averaged-one-dependence-nb.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { parameterPosterior } from './parameter-posterior.ts';
import { TreeAugmentedNB } from './tree-augmented-nb.ts';

const X = [
  ['red', 'round'],
  ['red', 'round'],
  ['green', 'round'],
  ['yellow', 'long'],
  ['green', 'long'],
];
const y = ['apple', 'apple', 'apple', 'banana', 'banana'];

describe.each([TreeAugmentedNB, AveragedOneDependenceNB])('%o on words', (Class) => {
  test('learns words as they come, in code-point order, and says them again', () => {
    const estimator = new Class().fit(X, y);
    expect(estimator.categories).toEqual([
      ['green', 'red', 'yellow'],
      ['long', 'round'],
    ]);
    expect([...estimator.nCategories]).toEqual([3, 2]);
    expect(estimator.predict(X)).toEqual(y);
    const drawn = estimator.sample(20, { class: 'apple', seed: 1 });
    expect(
      estimator
        .decode(drawn.X)
        .every(
          ([color, form]) =>
            ['green', 'red', 'yellow'].includes(color as string) && ['long', 'round'].includes(form as string),
        ),
    ).toBe(true);
    expect(estimator.predict(drawn.X)).toEqual(estimator.predict(estimator.decode(drawn.X) as string[][]));
    expect(refusalOf(() => estimator.decode(new Matrix(1, 3))).code).toBe('E_FEATURE_COUNT');
  });

  test('numbers of levels and words give the same model', () => {
    const codes = X.map(([color, form]) => [
      ['green', 'red', 'yellow'].indexOf(color),
      ['long', 'round'].indexOf(form),
    ]);
    expect(new Class().fit(codes, y).predictJointLogProba(codes)).toEqual(
      new Class().fit(X, y).predictJointLogProba(X),
    );
  });

  test('new words join in partialFit and merge, and leave with what is unlearned', () => {
    const rest = new Class().fit(X.slice(0, 3), y.slice(0, 3));
    const before = rest.toBytes();
    rest.partialFit(X.slice(3), y.slice(3));
    expect(rest.toBytes()).toEqual(new Class().fit(X, y).toBytes());
    expect(
      new Class()
        .fit(X.slice(3), y.slice(3))
        .merge(new Class().fit(X.slice(0, 3), y.slice(0, 3)) as never)
        .toBytes(),
    ).toEqual(rest.toBytes());
    expect(rest.unlearn(X.slice(3), y.slice(3)).toBytes()).toEqual(before);
    expect(refusalOf(() => rest.unlearn([['blue', 'round']], ['apple'])).code).toBe('E_UNLEARN_UNDERFLOW');
  });

  test('a row of weight zero teaches no word', () => {
    const ghost = new Class().fit([...X, ['blue', 'square']], [...y, 'ghost'], { sampleWeight: [1, 1, 1, 1, 1, 0] });
    expect(ghost.toBytes()).toEqual(new Class().fit(X, y).toBytes());
  });

  test('a word that was never learned follows the policy', () => {
    const row = [['blue', 'round']];
    const ignoring = new Class({ unknown: 'ignore', missing: 'ignore' }).fit(X, y);
    expect(ignoring.predictProba(row)).toEqual(ignoring.predictProba([[null, 'round']]));
    expect(refusalOf(() => new Class({ unknown: 'error' }).fit(X, y).predict(row))).toMatchObject({
      code: 'E_CATEGORY_UNKNOWN',
      details: { row: 0, column: 0 },
    });
    const smoothed = new Class().fit(X, y).predictProba(row);
    expect(smoothed.row(0).every((p) => p > 0 && p < 1)).toBe(true);
  });

  test('words and numbers in one column do not go together', () => {
    const words = new Class().fit(X, y);
    expect(refusalOf(() => words.partialFit([[1, 'round']], ['apple'])).code).toBe('E_TYPE');
    expect(refusalOf(() => words.predict([[1, 'round']])).code).toBe('E_TYPE');
    expect(refusalOf(() => words.merge(new Class().fit([[0, 0]], ['apple']) as never)).code).toBe('E_MERGE_MISMATCH');
    expect(refusalOf(() => words.partialFit([['\ud800', 'round']], ['apple'])).code).toBe('E_UNICODE');
    expect(refusalOf(() => new Class().fit([[0.5]], ['a'])).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => words.moveFeatures(3, Int32Array.of(0, 1))).code).toBe('E_FEATURE_COUNT');
  });

  test('a column that is missing everywhere says nothing, and may become words later', () => {
    const estimator = new Class({ missing: 'ignore' }).fit(
      [
        [null, 'round'],
        [null, 'long'],
      ],
      ['apple', 'banana'],
    );
    expect(estimator.categories[0]).toEqual([]);
    const again = load(estimator.toBytes()) as typeof estimator;
    expect(again.predict([['red', 'long']])).toEqual(['banana']);
    expect(again.partialFit(X, y).categories[0]).toEqual(['green', 'red', 'yellow']);
  });

  test('a table of pairs that would not fit in memory is refused before it is made', () => {
    const wide = [[2 ** 13, 0]];
    expect(refusalOf(() => new Class().fit(wide, ['a']))).toMatchObject({
      code: 'E_LIMIT',
      details: { limit: 2 ** 25 },
    });
    const estimator = new Class().fit(
      X.map(() => [0, 1]),
      y,
    );
    const before = estimator.toBytes();
    expect(refusalOf(() => estimator.partialFit(wide, ['apple'])).code).toBe('E_LIMIT');
    expect(estimator.toBytes()).toEqual(before);
  });

  test('leave-one-out is offered', () => {
    const { predictions, classes } = leaveOneOut(new Class() as TreeAugmentedNB, X, y);
    expect(predictions).toHaveLength(5);
    expect(classes).toEqual(['apple', 'banana']);
  });
});

test('a tree lists its structure', () => {
  const copies = [
    [0, 0, 1],
    [0, 0, 0],
    [1, 1, 1],
    [1, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
  ];
  const estimator = new TreeAugmentedNB().fit(copies, [0, 0, 0, 0, 1, 1]);
  expect([...estimator.parents]).toEqual([-1, 0, 0]);
  expect(estimator.conditionalInformation.at(0, 1)).toBeGreaterThan(0.5);
  expect([...estimator.classCount]).toEqual([4, 2]);
  expect(estimator.classLogPrior[1]).toBeCloseTo(Math.log(1 / 3), 15);
});

test('what is known of a probability is a Beta distribution', () => {
  const tan = new TreeAugmentedNB({ alpha: 0.5 }).fit(X, y);
  const root = parameterPosterior(tan, { class: 'apple', feature: 0, level: 'red' });
  expect(root.parameters).toEqual({ a: 2.5, b: 2 });
  const [{ contributions }] = tan.explain([['red', 'round']]);
  expect(root.mean).toBeCloseTo(Math.exp(contributions[0].byClass[0]), 15);
  const child = parameterPosterior(tan, { class: 'apple', feature: 1, level: 'round', parentLevel: 'green' });
  expect(child.parameters).toEqual({ a: 1.5, b: 0.5 });
  const [low, high] = child.interval(0.9);
  expect(low < child.mean && child.mean < high).toBe(true);
  expect(refusalOf(() => parameterPosterior(tan, { class: 'apple', feature: 1, level: 'round' })).code).toBe('E_PARAM');
  expect(refusalOf(() => parameterPosterior(tan, { class: 'apple', feature: 0, level: 'blue' })).code).toBe(
    'E_CATEGORY_UNKNOWN',
  );
  const averaged = new AveragedOneDependenceNB().fit(X, y);
  const given = { feature: 1, level: 'round' };
  expect(parameterPosterior(averaged, { class: 'apple', feature: 0, level: 'red', given }).parameters).toEqual({
    a: 3,
    b: 3,
  });
  expect(parameterPosterior(averaged, { class: 'banana', feature: 0, level: 'red' }).parameters).toEqual({
    a: 1,
    b: 4,
  });
});

test('AODE lists the weights of its parents', () => {
  const estimator = new AveragedOneDependenceNB({ weighted: true }).fit(
    [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ],
    [0, 0, 1, 1],
  );
  expect(estimator.parentWeights[0]).toBeCloseTo(Math.LN2, 15);
  expect(estimator.parentWeights[1]).toBe(0);
  expect([...estimator.classCount]).toEqual([2, 2]);
  expect(estimator.classLogPrior[0]).toBeCloseTo(-Math.LN2, 15);
});
