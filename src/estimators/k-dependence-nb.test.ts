import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { Random } from '../math/random.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { crossValScore } from './cross-validation.ts';
import { KDependenceNB } from './k-dependence-nb.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { restoreState } from './load.ts';
import { TreeAugmentedNB } from './tree-augmented-nb.ts';

const words = ['red', 'green', 'blue'];

/** Rows whose class is the sum of three columns, modulo 2, and two columns of noise; a tenth of the classes are wrong. */
function draw(seed: number, rows: number): { X: string[][]; y: string[] } {
  const random = new Random(seed);
  const X = Array.from({ length: rows }, () => Array.from({ length: 5 }, () => words[random.integer(3)]));
  const sums = X.map((row) => row.slice(0, 3).reduce((sum, word) => sum + words.indexOf(word), 0));
  return { X, y: sums.map((sum) => ((sum % 2 === 0) !== random.uniform() < 0.1 ? 'even' : 'odd')) };
}

const train = draw(1, 2000);
const held = draw(2, 1000);
const fixed = { k: 2, selectColumns: false, concentration: 'likelihood' } as const;

describe('a class that three columns decide together', () => {
  const model = new KDependenceNB().fit(train.X, train.y);

  test('is learned, where models with fewer dependences do much worse', () => {
    expect(new CategoricalNB().fit(train.X, train.y).score(held.X, held.y)).toBeLessThan(0.6);
    expect(new TreeAugmentedNB().fit(train.X, train.y).score(held.X, held.y)).toBeLessThan(0.75);
    expect(model.score(held.X, held.y)).toBeGreaterThan(0.85);
  });

  test('is described by its structure and its concentrations', () => {
    const three = model.parents.slice(0, 3).map((own) => own?.filter((parent) => parent < 3).length);
    expect(three.sort()).toEqual([0, 1, 2]);
    expect(model.k).toBeGreaterThanOrEqual(2);
    expect(model.concentrations.map(({ length }) => length)).toEqual(
      model.parents.map((own) => (own?.length ?? 0) + 1),
    );
  });

  test('has the leave-one-out loss that new rows have', () => {
    const { accuracy, logLoss } = leaveOneOut(new KDependenceNB(), train.X, train.y);
    expect(accuracy).toBeCloseTo(model.score(held.X, held.y), 1);
    expect(logLoss).toBeLessThan(0.45);
  });

  test('is evaluated by folds that choose for themselves', () => {
    expect(new KDependenceNB().settles).toBe(true);
    const scores = crossValScore(new KDependenceNB(), train.X, train.y, { cv: 3 });
    for (const score of scores) expect(score).toBeGreaterThan(0.8);
  });
});

test('further rows keep the structure, and what was learned is unlearned to the bit', () => {
  const model = new KDependenceNB().fit(train.X, train.y);
  const [before, parents] = [model.toBytes(), model.parents];
  const answers = model.predictLogProba(held.X).data;
  model.partialFit([['red', 'red', 'red', 'violet', 'red'], ...held.X], ['third', ...held.y]);
  expect(model.parents).toEqual(parents);
  expect(model.classes).toEqual(['even', 'odd', 'third']);
  expect(model.toBytes()).not.toEqual(before);
  model.unlearn([['red', 'red', 'red', 'violet', 'red'], ...held.X], ['third', ...held.y]);
  expect(model.toBytes()).toEqual(before);
  expect(model.predictLogProba(held.X).data).toEqual(answers);
});

test('models of the same structure merge to what all rows give, others are refused', () => {
  const { parents } = new KDependenceNB(fixed).fit(train.X, train.y);
  const make = () => new KDependenceNB({ ...fixed, parents: parents.map((own) => own ?? []) });
  expect(make().settles).toBe(false);
  const both = make().fit(train.X, train.y).merge(make().fit(held.X, held.y));
  const whole = make().fit([...train.X, ...held.X], [...train.y, ...held.y]);
  expect(both.toBytes()).toEqual(whole.toBytes());
  const one = new KDependenceNB(fixed).fit(train.X, train.y);
  const other = new KDependenceNB(fixed).fit(
    train.X.map((row) => row.toReversed()),
    train.y,
  );
  const before = one.toBytes();
  expect(refusalOf(() => one.merge(other)).code).toBe('E_MERGE_MISMATCH');
  expect(one.toBytes()).toEqual(before);
  const halves = new KDependenceNB({ ...fixed, concentration: 'auto' }).fit(train.X, train.y);
  const decayed = new KDependenceNB({ ...fixed, concentration: 'auto' }).fit(train.X, train.y).decay(1);
  expect([...halves.merge(decayed).classCount]).toEqual([...one.classCount].map((weight) => 1.5 * weight));
});

test('a saved model answers and learns on as before, also with chosen bounds, columns and exact sums', () => {
  for (const options of [
    {},
    { seed: 7 },
    { reproducible: true },
    { k: 1 },
    { parents: 'previous' },
    { classWeight: 'balanced' },
  ] as const) {
    const model = new KDependenceNB(options).fit(train.X, train.y, {
      sampleWeight: train.y.map((_, i) => 1 + (i % 3) / 3),
    });
    const again = load(model.toBytes()) as KDependenceNB;
    expect(again.parents).toEqual(model.parents);
    expect(again.predictJointLogProba(held.X).data).toEqual(model.predictJointLogProba(held.X).data);
    expect(again.partialFit(held.X, held.y).toBytes()).toEqual(model.partialFit(held.X, held.y).toBytes());
  }
});

test('columns that say nothing about the class are left out when that is asked for', () => {
  const random = new Random(3);
  const y = Array.from({ length: 600 }, () => random.integer(2));
  const X = y.map((c) => [
    random.integer(40),
    random.uniform() < 0.9 ? c : 1 - c,
    random.integer(40),
    random.integer(40),
  ]);
  const selective = new KDependenceNB({ k: 1 }).fit(X, y);
  expect(selective.parents[1]).toEqual([]);
  expect(selective.parents.filter((own) => own === null).length).toBeGreaterThan(0);
  const all = new KDependenceNB({ k: 1, selectColumns: false }).fit(X, y);
  expect(all.parents).not.toContain(null);
  const noise = X.map(([, b]) => [8, b, 8, 8]);
  const j = selective.parents.indexOf(null);
  expect(selective.predictProba(X).data).toEqual(
    selective.predictProba(X.map((row, i) => row.with(j, noise[i][j]))).data,
  );
});

test('parents that cannot be are refused', () => {
  const refused = (options: object) => refusalOf(() => new KDependenceNB(options)).code;
  expect(refused({ parents: [[1], [0]] })).toBe('E_PARAM');
  expect(refused({ parents: [[0]] })).toBe('E_PARAM');
  expect(refused({ parents: [[], [0, 0]] })).toBe('E_PARAM');
  expect(refused({ parents: [[], [2]] })).toBe('E_PARAM');
  expect(refused({ parents: [null, [0]] })).toBe('E_PARAM');
  const two = new KDependenceNB({ parents: [[], [0]] });
  expect(refusalOf(() => two.fit([[0, 0, 0]], ['a'])).code).toBe('E_PARAM');
  const wide = new KDependenceNB({ ...fixed, k: 5, parents: 'previous' });
  const row = [2000, 2000, 2000, 2000, 2000, 2000];
  expect(refusalOf(() => wide.fit([row], ['a'])).code).toBe('E_LIMIT');
  expect(refusalOf(() => new KDependenceNB().fit([[2 ** 13, 0]], ['a'])).code).toBe('E_LIMIT');
});

test('a model that is given the parents and the bound of another counts the same, whatever was left out', () => {
  const random = new Random(12);
  // the class is the sum of two columns, and the third says nothing
  const X = Array.from({ length: 300 }, () => [random.integer(3), random.integer(3), random.integer(4)]);
  const y = X.map(([a, b]) => ((a + b) % 2 === 0 ? 'even' : 'odd'));
  const model = new KDependenceNB().fit(X, y);
  expect(model.parents[2]).toBe(null);
  const given = {
    parents: model.parents,
    selectColumns: false,
    concentration: 'likelihood',
    bound: model.bound,
  } as const;
  const again = new KDependenceNB(given).fit(X, y);
  expect(again.parents).toEqual(model.parents);
  expect(again.bound).toBe(model.bound);
  expect(again.predictLogProba(X)).toEqual(model.predictLogProba(X));
  const chosen = new KDependenceNB({ parents: model.parents }).fit(X, y); // a bound is chosen, and columns that are left out stay so
  expect(chosen.parents).toEqual(model.parents);
  expect(new KDependenceNB({ concentration: 2 }).fit(X, y).bound).toBe(null);
});

test('a file with parents in a circle, or codes beyond its levels, is refused', () => {
  const model = new KDependenceNB({ ...fixed, parents: [[], [0]] }).fit([[0, 1], [1, 0]], ['a', 'b']); // biome-ignore format: short
  const state = model.toState();
  const restored = (learned: object, arrays: object = {}) => {
    const bad = { ...state, learned: { ...state.learned, ...learned }, arrays: { ...state.arrays, ...arrays } };
    return refusalOf(() => restoreState(bad as never)).code;
  };
  expect(restored({})).toBe('accepted');
  expect(restored({ given: [[1], [0]] })).toBe('E_MODEL_CORRUPT');
  expect(restored({ given: [[]] })).toBe('E_MODEL_CORRUPT');
  const { shape, data } = state.arrays['stats.value'];
  expect(restored({}, { 'stats.value': { shape, data: Float64Array.from(data, () => 99) } })).toBe('E_MODEL_CORRUPT');
});
