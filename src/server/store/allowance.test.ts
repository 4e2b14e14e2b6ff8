import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

test('up to 250 rows a second are all judged', () => {
  const allowance = new Allowance();
  for (let now = 0; now < 40_000; now += 4) expect(allowance.take(1, now)).toBe(1);
});

test('of more than that, 250 a second are, spread over the second', () => {
  const allowance = new Allowance();
  allowance.take(1000, 0);
  const taken = Array.from({ length: 50_000 }, (_, k) => allowance.take(1, 1 + k / 5));
  const inSecond = (from: number) => taken.slice(from * 5000, (from + 1) * 5000).reduce((sum, own) => sum + own, 0);
  for (let second = 0; second < 10; second++) expect(Math.abs(inSecond(second) - 250)).toBeLessThanOrEqual(2);
  expect(new Set(taken.slice(0, 5000).map((own, k) => (own ? k % 20 : -1))).size).toBe(2);
});

test('of a batch that is larger than what is left, the first rows are judged', () => {
  const allowance = new Allowance();
  expect(allowance.take(400, 0)).toBe(400);
  expect(allowance.take(10_000, 0)).toBe(600);
  expect(allowance.take(5, 0)).toBe(0);
});
