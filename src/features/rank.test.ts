import { expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { rankFeatures, type WordCounts, wordTables } from './rank.ts';

const classes = ['ham', 'spam'];

const counted = (words: Readonly<Record<string, readonly [number, number]>>, totals: Float64Array): WordCounts => {
  const names = Object.keys(words);
  const rows = classes.map((_, c) => names.map((name) => words[name][c]));
  return { counts: Matrix.from(rows), totals, name: (j) => names[j] };
};

test('of two classes, a word is listed with the one it speaks for, even if the other has more rows with it', () => {
  const totals = Float64Array.of(4827, 747);
  const tables = wordTables(counted({ to: [1219, 468] }, totals));
  const [{ class: label, logOdds }] = rankFeatures(tables, classes, totals, { by: 'mi', k: 1 }).best;
  expect(label).toBe('spam');
  expect(logOdds).toBeCloseTo(Math.log((468.5 * 3608.5) / (1219.5 * 279.5)), 12);
});

test('features come by strength, equals by name; rare words are left out, and only the first k are returned', () => {
  const totals = Float64Array.of(100, 100);
  const words = counted({ rare: [1, 0], even: [50, 50], b: [10, 40], a: [10, 40], best: [0, 90] }, totals);
  for (const by of ['mi', 'chi2', 'gainRatio', 'logOdds', 'bns'] as const) {
    const { best, all } = rankFeatures(wordTables(words, 2), classes, totals, { by, k: 3 });
    expect(all).toBe(4);
    expect(best.map(({ feature }) => feature)).toEqual(['best', 'a', 'b']);
  }
});
