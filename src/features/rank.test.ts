import { expect, test } from 'vitest';
import { rank, wordTable } from './rank.ts';

test('of two classes, a word is listed with the one it speaks for, even if the other has more rows with it', () => {
  const totals = Float64Array.of(4827, 747);
  const { class: label, logOdds } = rank(wordTable('to', Float64Array.of(1219, 468), totals), ['ham', 'spam'], totals);
  expect(label).toBe('spam');
  expect(logOdds).toBeCloseTo(Math.log((468.5 * 3608.5) / (1219.5 * 279.5)), 12);
});
