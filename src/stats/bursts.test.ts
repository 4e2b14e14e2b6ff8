import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { count, type ExactStats } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { bursts } from './bursts.ts';
import { valuesOf } from './multiset.ts';

const two = batch(
  [
    [3, 0, 1],
    [3, 2, 0],
  ],
  [0, 0],
  [1, 2],
  { classes: 2 },
); // prettier-ignore

test('two documents: the counts of each word, and in one more column the lengths', () => {
  const { cells, values, weights } = valuesOf(count(bursts, two));
  expect([...cells]).toEqual([0, 1, 2, 3, 3]);
  expect([...values]).toEqual([3, 2, 1, 4, 5]);
  expect([...weights]).toEqual([3, 2, 1, 1, 2]);
});

test('a stream of small batches is stored in few runs that share no data', () => {
  const stats = bursts.empty({ classes: 1, features: 4000 });
  for (let j = 0; j < 4000; j++) {
    const row = new Array<number>(4000).fill(0).with(j, 1 + (j % 3));
    if (j % 4 === 0) bursts.add(stats, batch([row]));
    expect(stats.runs.length).toBeLessThan(12);
  }
  expect(valuesOf(stats).cells.length).toBe(1000 + 3);
});

test('a merged statistic is independent of its source', () => {
  const [a, b] = [count(bursts, two), bursts.empty(two)];
  bursts.merge(b, a);
  const before = bursts.toArrays!(a);
  bursts.scale(b, 0.5);
  bursts.add(b, two);
  expect(bursts.toArrays!(a)).toEqual(before);
});

test('moving columns keeps lengths after the words and drops words without an index', () => {
  const moved = bursts.reshape(count(bursts, two), { classes: 2, features: 4 }, { features: Int32Array.of(3, -1, 0) });
  const { column, value } = bursts.toArrays!(moved);
  expect([...column.data]).toEqual([0, 3, 4, 4]);
  expect([...value.data]).toEqual([1, 3, 4, 5]);
});

test('arrays that are not a multiset are errors', () => {
  const arrays = bursts.toArrays!(count(bursts, two));
  const vector = (data: Float64Array | Uint32Array) => ({ shape: [data.length], data });
  const spoiled = [
    { ...arrays, column: vector(Uint32Array.of(0, 1, 2, 3, 4)) },
    { ...arrays, column: vector(Uint32Array.of(1, 0, 2, 3, 3)) },
    { ...arrays, class: vector(Uint32Array.of(0, 0, 0, 0, 2)) },
    { ...arrays, value: vector(Float64Array.of(3, 2, -1, 4, 5)) },
    { ...arrays, value: vector(Float64Array.of(3, 2, 1)) },
    { ...arrays, weight: vector(Float64Array.of(3, 2, 0, 1, 2)) },
    { ...arrays, weight: vector(Float64Array.of(3, 2, Number.NaN, 1, 2)) },
    { ...arrays, n: vector(Float64Array.of(-1, 0)) },
    { ...arrays, more: vector(Float64Array.of(1)) },
    { n: arrays.n },
  ];
  for (const wrong of spoiled) expect(refusalOf(() => bursts.fromArrays!(two, wrong)).code).toBe('E_MODEL_CORRUPT');
  expect(bursts.toArrays!(bursts.fromArrays!(two, arrays))).toEqual(arrays);
  const twin = bursts.exact;
  const exact = twin.empty(two);
  twin.add(exact, { ...two, w: Float64Array.of(0.1, 0.2) });
  twin.add(exact, { ...two, w: Float64Array.of(1e17, 0.3) });
  const planes = twin.toArrays!(exact);
  expect(Object.keys(planes)).toContain('weight+1');
  expect(twin.toArrays!(twin.fromArrays!(two, planes) as ExactStats)).toEqual(planes);
});
