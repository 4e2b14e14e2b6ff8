import { expect, test } from 'vitest';
import { PairIndex } from './pair-index.ts';
import { Random } from './random.ts';

test('pairs are numbered in order of arrival, whatever their numbers are', () => {
  const random = new Random(1);
  const pool = [0, 1, 7, 2 ** 31, 2 ** 31 - 1, 2 ** 52, 2 ** 53 - 1, 0.5, 1 / 3, -4, Infinity];
  const [index, expected] = [new PairIndex(), new Map<string, number>()];
  for (let k = 0; k < 20_000; k++) {
    const a = random.integer(200);
    const b = random.uniform() < 0.5 ? pool[random.integer(pool.length)] : random.integer(1e6) / 8;
    const key = `${a} ${b}`;
    expect(index.find(a, b)).toBe(expected.get(key) ?? -1);
    if (!expected.has(key)) expected.set(key, expected.size);
    expect(index.add(a, b)).toBe(expected.get(key));
  }
  expect(index.size).toBe(expected.size);
  for (const [key, number] of expected) expect(`${index.first(number)} ${index.second(number)}`).toBe(key);
});

test('minus zero is zero, and NaN is never found', () => {
  const index = new PairIndex(1);
  expect(index.add(3, 0)).toBe(0);
  expect(index.find(3, -0)).toBe(0);
  expect(index.find(3, Number.NaN)).toBe(-1);
});
