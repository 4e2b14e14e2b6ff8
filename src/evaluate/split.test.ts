import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { Random } from '../math/random.ts';
import { KFold, LeaveOneOut, type Splitter, StratifiedKFold } from './folds.ts';
import { GroupKFold, StratifiedGroupKFold } from './group-folds.ts';
import { RepeatedKFold, RepeatedStratifiedKFold } from './repeated-folds.ts';
import { rowKeys } from './rows.ts';
import { trainTestSplit } from './split.ts';
import { TimeSeriesSplit } from './time-splits.ts';

const code = (attempt: () => unknown) => refusalOf(attempt).code;
const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const labels = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 12, maxLength: 60 });
const ascending = (a: number, b: number) => a - b;

/** Rows of either side of every fold are all rows, once. */
function expectPartition(splitter: Splitter, y: string[], groups: number[], covers: number): void {
  const heldOut: number[] = [];
  for (const [train, test] of splitter.split(y, y, groups)) {
    expect([...train, ...test].sort(ascending)).toEqual(range(y.length));
    heldOut.push(...test);
  }
  expect(heldOut.sort(ascending)).toEqual(range(y.length).flatMap((i) => new Array(covers).fill(i)));
}

describe('folds', () => {
  check.prop([labels, fc.integer({ min: 2, max: 4 }), fc.nat()])('every row is held out once', (y, nSplits, seed) => {
    const groups = y.map((_, i) => (i * 7 + seed) % 6);
    for (const shuffle of [false, true]) {
      const options = { nSplits, shuffle, ...(shuffle && { randomState: seed }) };
      for (const Made of [KFold, StratifiedKFold, GroupKFold, StratifiedGroupKFold]) {
        expectPartition(new Made(options), y, groups, 1);
      }
    }
    expectPartition(new LeaveOneOut(), y, groups, 1);
    expectPartition(new RepeatedKFold({ nSplits, nRepeats: 3, randomState: seed }), y, groups, 3);
    expectPartition(new RepeatedStratifiedKFold({ nSplits, nRepeats: 2, randomState: seed }), y, groups, 2);
  });

  check.prop([labels, fc.integer({ min: 2, max: 4 }), fc.nat()])(
    'stratified folds hold each class within one row',
    (y, nSplits, seed) => {
      for (const options of [{ nSplits }, { nSplits, shuffle: true, randomState: seed }]) {
        for (const [, heldOut] of new StratifiedKFold(options).split(y, y)) {
          for (const name of new Set(y)) {
            const share = y.filter((label) => label === name).length / nSplits;
            const held = heldOut.filter((i) => y[i] === name).length;
            expect(Math.abs(held - share)).toBeLessThan(1);
          }
        }
      }
    },
  );

  check.prop([labels, fc.nat()])('groups are never on both sides', (y, seed) => {
    const groups = y.map((_, i) => (i * 5 + seed) % 7);
    for (const Made of [GroupKFold, StratifiedGroupKFold]) {
      for (const [train, heldOut] of new Made({ nSplits: 3, shuffle: true, randomState: seed }).split(y, y, groups)) {
        const learned = new Set(train.map((i) => groups[i]));
        expect(heldOut.some((i) => learned.has(groups[i]))).toBe(false);
      }
    }
  });

  test('a seed repeats the folds, another gives others, a generator goes on', () => {
    const folds = (randomState?: number | Random) => [
      ...new KFold({ nSplits: 3, shuffle: true, ...(randomState !== undefined && { randomState }) }).split(range(30)),
    ];
    expect(folds(5)).toEqual(folds(5));
    expect(folds(5)).not.toEqual(folds(6));
    expect(folds()).toEqual(folds(0));
    const random = new Random(5);
    expect(folds(random)).toEqual(folds(5));
    expect(folds(random)).not.toEqual(folds(5));
    const rounds = [...new RepeatedKFold({ nSplits: 2, nRepeats: 2 }).split(range(20))];
    expect(rounds[0]).not.toEqual(rounds[2]);
    expect(new RepeatedKFold().getNSplits()).toBe(50);
  });

  test('the past never sees the future', () => {
    for (const [train, heldOut] of new TimeSeriesSplit({ nSplits: 4, gap: 1 }).split(range(30))) {
      expect(Math.max(...train)).toBeLessThan(Math.min(...heldOut) - 1);
    }
  });

  test('refusals come with the call, not with the first fold', () => {
    expect(code(() => new KFold({ nSplits: 1 }))).toBe('E_PARAM');
    expect(code(() => new KFold({ nSplits: 2.5 }))).toBe('E_PARAM');
    expect(code(() => new KFold({ randomState: 1 }))).toBe('E_PARAM');
    expect(code(() => new KFold({ folds: 3 } as never))).toBe('E_PARAM');
    expect(code(() => new KFold().split([1, 2, 3]))).toBe('E_PARAM');
    expect(code(() => new KFold({ nSplits: 2 }).split([1, 2, 3], [1, 2]))).toBe('E_SHAPE');
    expect(code(() => new StratifiedKFold({ nSplits: 3 }).split([1, 2, 3, 4], [0, 0, 1, 1]))).toBe('E_CLASS_TOO_SMALL');
    expect(code(() => new StratifiedKFold({ nSplits: 2 }).split([1, 2, 3, 4]))).toBe('E_SHAPE');
    expect(code(() => new StratifiedKFold({ nSplits: 2 }).split([1, 2, 3, 4], [0, 1]))).toBe('E_SHAPE');
    expect(code(() => new GroupKFold({ nSplits: 2 }).split([1, 2, 3]))).toBe('E_PARAM');
    expect(code(() => new GroupKFold({ nSplits: 3 }).split([1, 2, 3], null, [1, 1, 2]))).toBe('E_PARAM');
    expect(code(() => new TimeSeriesSplit({ nSplits: 3 }).split([1, 2, 3]))).toBe('E_PARAM');
    expect(code(() => new TimeSeriesSplit({ nSplits: 3, testSize: 5 }).split(range(12)))).toBe('E_PARAM');
    expect(code(() => new LeaveOneOut().split([1]))).toBe('E_EMPTY_INPUT');
    expect(code(() => new RepeatedKFold({ nRepeats: 0 }))).toBe('E_PARAM');
    expect(code(() => new KFold().split(5 as never))).toBe('E_SHAPE');
  });
});

describe('trainTestSplit', () => {
  check.prop([fc.integer({ min: 2, max: 50 }), fc.nat(), fc.boolean()])(
    'both parts together are all rows, in every container alike',
    (n, seed, shuffle) => {
      const rows = range(n);
      const [a, b, c, d, e, f] = trainTestSplit(rows, Matrix.from(rows.map((i) => [i, -i])), Int32Array.from(rows), {
        randomState: seed,
        shuffle,
      });
      expect([...a, ...b].sort(ascending)).toEqual(rows);
      expect(b.length).toBe(Math.ceil(n / 4));
      expect(c.toArray()).toEqual(a.map((i) => [i, -i]));
      expect(d.toArray()).toEqual(b.map((i) => [i, -i]));
      expect([Array.from(e), Array.from(f)]).toEqual([a, b]);
      expect(e).toBeInstanceOf(Int32Array);
      if (!shuffle) expect(b).toEqual(rows.slice(-b.length));
    },
  );

  test('sparse rows, records, documents and columns are split alike', () => {
    const n = 8;
    const sparse = SparseMatrix.fromRows(
      range(n).map((i) => [[i, i + 1] as const]),
      n,
    );
    const records = range(n).map((i) => ({ id: i }));
    const [sTrain, sTest, rTrain, rTest] = trainTestSplit(sparse, records, { testSize: 2, randomState: 3 });
    expect(sTrain).toBeInstanceOf(SparseMatrix);
    expect(rTest.map(({ id }) => [id, id + 1])).toEqual(
      range(2).map((i) => [sTest.row(i).indices[0], sTest.row(i).values[0]]),
    );
    expect(rTrain.length).toBe(6);
    const columns = { a: range(n), b: Float64Array.from(range(n)) };
    const [cTrain, cTest] = trainTestSplit(columns, { testSize: 2, randomState: 3 });
    expect(cTest.a).toEqual(rTest.map(({ id }) => id));
    expect(Array.from(cTrain.b)).toEqual(rTrain.map(({ id }) => id));
    const [xTrain, , yTrain] = trainTestSplit(range(n), columns);
    expect(yTrain.a).toEqual(xTrain);
  });

  check.prop([labels, fc.nat()])('a stratified part holds each class within one row of its share', (y, seed) => {
    const counts = new Map([...new Set(y)].map((name) => [name, y.filter((label) => label === name).length]));
    if ([...counts.values()].some((count) => count < 2)) return;
    const [train, heldOut] = trainTestSplit(y, { stratify: y, testSize: 0.3, randomState: seed });
    for (const part of [train, heldOut]) {
      for (const [name, count] of counts) {
        const share = (count * part.length) / y.length;
        expect(Math.abs(part.filter((label) => label === name).length - share)).toBeLessThanOrEqual(1);
      }
    }
  });

  check.prop([labels, fc.nat(), fc.boolean()])(
    'groups and duplicates stay on one side, near the size asked for',
    (y, seed, stratified) => {
      const groups = y.map((_, i) => `g${(i * 3 + seed) % 9}`);
      const options = {
        testSize: 0.4,
        randomState: seed,
        ...(stratified && y.length > 20 && { stratify: groups.map((g) => g < 'g5') }),
      };
      const [train, heldOut] = trainTestSplit(range(y.length), { groups, ...options });
      expect([...train, ...heldOut].sort(ascending)).toEqual(range(y.length));
      const learned = new Set(train.map((i) => groups[i]));
      expect(heldOut.some((i) => learned.has(groups[i]))).toBe(false);
      expect(Math.abs(heldOut.length - 0.4 * y.length)).toBeLessThanOrEqual(y.length / 9 + 3);
      const [left, right] = trainTestSplit(groups, { keepDuplicatesTogether: true, testSize: 0.4, randomState: seed });
      expect(right.some((group) => left.includes(group))).toBe(false);
    },
  );

  test('sizes as shares and as numbers of rows', () => {
    const sizes = (options: object) => trainTestSplit(range(10), options).map((part) => part.length);
    expect(sizes({})).toEqual([7, 3]);
    expect(sizes({ testSize: 0.35 })).toEqual([6, 4]);
    expect(sizes({ trainSize: 0.35 })).toEqual([3, 7]);
    expect(sizes({ testSize: 2, trainSize: 3 })).toEqual([3, 2]);
    expect(sizes({ testSize: 2, trainSize: 3, stratify: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] })).toEqual([3, 2]);
    expect(sizes({ testSize: 2, trainSize: 0.5 })).toEqual([5, 2]);
  });

  test('rows are equal by value, not by spelling', () => {
    expect(
      rowKeys([
        { a: 1, b: 'x' },
        { b: 'x', a: 1 },
        { a: '1', b: 'x' },
      ]).map((key, _, all) => all.indexOf(key)),
    ).toEqual([0, 0, 2]);
    expect(
      new Set(
        rowKeys(
          Matrix.from([
            [0, 1],
            [-0, 1],
            [1, 0],
          ]),
        ),
      ).size,
    ).toBe(2);
    expect(new Set(rowKeys(SparseMatrix.fromRows([[[0, 1]], [[1, 1]], [[0, 1]]], 2))).size).toBe(2);
    expect(new Set(rowKeys({ a: [1, 1, 2], b: ['x', 'x', 'x'] })).size).toBe(2);
    expect(new Set(rowKeys([null, undefined, 'null', Number.NaN, Number.NaN, new Date(5), new Date(5), 5n])).size).toBe(
      6,
    );
  });

  test('refusals', () => {
    const ten = range(10);
    const refused = (options: object) => code(() => trainTestSplit(ten, options));
    expect(refused({ testSize: 0 })).toBe('E_PARAM');
    expect(refused({ testSize: 1.5 })).toBe('E_PARAM');
    expect(refused({ testSize: 10 })).toBe('E_PARAM');
    expect(refused({ testSize: 0.6, trainSize: 0.6 })).toBe('E_PARAM');
    expect(refused({ testSize: -1 })).toBe('E_PARAM');
    expect(refused({ randomState: 0.5 })).toBe('E_PARAM');
    expect(refused({ testsize: 0.2 })).toBe('E_PARAM');
    expect(refused({ stratify: [...ten.slice(1).map(() => 0), 1] })).toBe('E_CLASS_TOO_SMALL');
    expect(refused({ stratify: ten.map((i) => i >> 1), testSize: 3 })).toBe('E_PARAM');
    expect(refused({ stratify: ten.map((i) => i % 2), shuffle: false })).toBe('E_PARAM');
    expect(refused({ groups: ten, keepDuplicatesTogether: true })).toBe('E_PARAM');
    expect(refused({ groups: [1] })).toBe('E_SHAPE');
    expect(refused({ stratify: [1, 1] })).toBe('E_SHAPE');
    expect(code(() => trainTestSplit(ten, [1, 2]))).toBe('E_SHAPE');
    expect(code(() => trainTestSplit([7]))).toBe('E_PARAM');
    expect(code(() => trainTestSplit(5 as never))).toBe('E_SHAPE');
  });
});

test('shares of both sides that add up to more than the whole are refused, even where whole rows would fit', () => {
  expect(code(() => trainTestSplit(range(3), { testSize: 0.6, trainSize: 0.5 }))).toBe('E_PARAM');
  expect(trainTestSplit(range(3), { testSize: 0.6, trainSize: 0.4 }).map((part) => part.length)).toEqual([1, 2]);
});
