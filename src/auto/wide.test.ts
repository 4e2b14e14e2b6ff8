import { expect, test } from 'vitest';
import { atMost, processorTime } from '../../test/quiet.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

/** Rows of two classes whose numbers differ a little in every column. */
function wideRows(columns: number): Record<string, number | string>[] {
  const random = new Random(5);
  return Array.from({ length: 40 }, (_, i) => {
    const numbers = Array.from({ length: columns }, (__, j) => [`c${j}`, random.uniform() + 0.3 * (i % 2)] as const);
    return { ...Object.fromEntries(numbers), y: 'ab'[i % 2] };
  });
}

test('of more than a thousand columns of numbers, pairs are not counted', () => {
  let model: Classifier | undefined;
  const spent = processorTime(() => {
    model = Classifier.fit(wideRows(1200), { target: 'y' });
  });
  const { tried, columns, evaluation } = model!.report();
  expect(columns).toHaveLength(1200);
  expect(tried.map(({ name }) => name).filter((name) => /aode|tan/.test(name))).toEqual([]);
  expect(evaluation!.accuracy).toBeGreaterThan(0.9);
  expect(spent).toBeLessThan(atMost(5000)); // it was half a minute
});
