import { expect, test } from 'vitest';
import { bytes, count, counted, duration, interval, percent, rate, score, signed } from './numbers.ts';
import { bar, barChart } from './terminal.ts';

test('numbers for people', () => {
  expect(count(1204331)).toBe('1,204,331');
  expect(counted(1, 'row')).toBe('1 row');
  expect(counted(2, 'row')).toBe('2 rows');
  expect(percent(0.866)).toBe('86.6 %');
  expect([bytes(999), bytes(1500), bytes(412_300), bytes(2.5e9)]).toEqual(['999 B', '1.5 kB', '412 kB', '2.5 GB']);
  expect([duration(900), duration(125_000), duration(7_500_000)]).toEqual(['0.9 s', '2 min 5 s', '2 h 5 min']);
  expect([rate(412_345, 'rows'), rate(950, 'rows'), rate(2.5e6, 'rows'), rate(Number.NaN, 'rows')]).toEqual([
    '412k rows/s',
    '950 rows/s',
    '2.5M rows/s',
    '',
  ]);
  expect([signed(3.1), signed(-1.9), signed(0)]).toEqual(['+3.10', '−1.90', '+0.00']);
  expect([score(null), score(Number.NaN), score(0.12345)]).toEqual(['–', '–', '0.123']);
  expect(interval(0.9831, 0.9949)).toBe('0.983–0.995');
});

test('counts are written as the tables of the language write them', () => {
  const { format } = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  const numbers = [0, -0, 7, 999, 1000, 12_345, -1000, -999, 2 ** 53 - 1, 2 ** 53, 1e21, 2.5, -0.4, 1234.5, Number.NaN];
  expect(numbers.map(count)).toEqual(numbers.map((value) => format(value)));
});

test('bars are drawn in eighths; what is more than nothing is seen', () => {
  expect(bar(0.5, 10)).toBe('█████');
  expect(bar(0.55, 10)).toBe('█████▌');
  expect(bar(0, 10)).toBe('');
  expect(bar(1e-9, 10)).toBe('▏');
  expect(bar(2, 3)).toBe('███');
});

test('bar charts are aligned, also over wide letters', () => {
  const lines = barChart(
    [
      { name: '日本', value: 2, shown: '+2.00' },
      { name: 'a', value: -1, shown: '−1.00' },
    ],
    40,
  );
  expect(lines).toEqual([`  日本  +2.00  ${'█'.repeat(24)}`, `  a     −1.00  ${'█'.repeat(12)}`]);
  expect(barChart([], 40)).toEqual([]);
});
