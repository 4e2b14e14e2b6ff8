import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import { RecordTable } from '../data/column-table.ts';
import { formatCsv } from '../data/csv-format.ts';
import { Random } from '../math/random.ts';
import { openTable } from '../node.ts';
import { copiesOf, planFolds, planSplit, type RowSplit, SPLIT_SAMPLE, splitTable } from './held-out.ts';

/** Rows of two classes with a number and a text; the same numbers give the same rows. */
const rowsFor = (numbers: readonly number[]): DataRow[] =>
  numbers.map((k) => ({ size: k % 97, text: `words ${k}, and "more"`, label: k % 4 === 0 ? 'rare' : 'often' }));
const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const numbersIn = (all: number, n: number, seed = 1) => {
  const random = new Random(seed);
  return range(n).map(() => Math.floor(random.uniform() * all));
};

function heldOut(rows: readonly DataRow[], share = 0.2, seed = 1): readonly number[] {
  const table = new RecordTable(rows);
  return splitTable(table, planSplit(table, 'label', share, seed))[1];
}

/** The numbers of the rows that are held out while a file is read in blocks. */
async function heldWhileRead(text: string, format: 'csv' | 'jsonl'): Promise<readonly number[]> {
  const read = async () => openTable([new TextEncoder().encode(text)], { format, blockBytes: 4096 });
  const head: DataRow[] = [];
  const lines: number[] = [];
  for await (const table of (await read()).tables()) {
    head.push(...table.records());
    lines.push(...range(table.length).map((i) => table.line(i)));
    if (head.length >= SPLIT_SAMPLE) break;
  }
  const split: RowSplit = planSplit(new RecordTable(head, lines), 'label', 0.2, 1);
  const held: number[] = [];
  let before = 0;
  for await (const table of (await read()).tables()) {
    for (const i of splitTable(table, split)[1]) held.push(before + i);
    before += table.length;
  }
  return held;
}

test('copies of a row stay on one side, whatever their labels', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 2, max: 3000 }), (seed, n) => {
      const numbers = numbersIn(n, n, seed); // about 63 % of the rows are different
      const rows = rowsFor(numbers).map((row, i) => (i % 50 === 0 ? { ...row, label: 'odd' } : row));
      const held = new Set(heldOut(rows, 0.3, seed).map((i) => numbers[i]));
      const table = new RecordTable(rows);
      const [train] = splitTable(table, planSplit(table, 'label', 0.3, seed));
      expect(train.filter((i) => held.has(numbers[i]))).toEqual([]);
      expect(train.length).toBeGreaterThan(0);
    }),
    { numRuns: 30 },
  );
});

test('the share is right: exactly by class in the first rows, within binomial bounds after them', () => {
  const held = heldOut(rowsFor(range(50_000)));
  const first = held.filter((i) => i < SPLIT_SAMPLE);
  expect(first.length).toBe(SPLIT_SAMPLE / 5);
  expect(first.filter((i) => i % 4 === 0).length).toBe(SPLIT_SAMPLE / 20);
  const n = 50_000 - SPLIT_SAMPLE;
  const deviation = Math.sqrt(n * 0.2 * 0.8);
  expect(Math.abs(held.length - first.length - 0.2 * n)).toBeLessThan(4 * deviation);
});

test('the share of every class of small data is held out, and no class lacks training rows', () => {
  const rows = rowsFor(range(40)).map((row, i) => ({ ...row, label: i === 0 ? 'one' : i < 4 ? 'three' : row.label }));
  for (let seed = 0; seed < 50; seed++) {
    const held = heldOut(rows, 0.2, seed).map((i) => rows[i].label);
    expect(held.filter((label) => label === 'one').length).toBe(0);
    expect(held.filter((label) => label === 'three').length).toBe(1);
    expect(held.length).toBe(1 + Math.round(0.2 * 27) + Math.round(0.2 * 9));
    expect(heldOut(rows, 0.9, seed).filter((i) => i < 4).length).toBe(2);
  }
});

test('another seed holds out other rows, and share 0 none', () => {
  const rows = rowsFor(range(5000));
  expect(heldOut(rows, 0.2, 1)).toEqual(heldOut(rows, 0.2, 1));
  const first = new Set(heldOut(rows, 0.2, 1));
  expect(heldOut(rows, 0.2, 2).filter((i) => first.has(i)).length).toBeLessThan(300);
  expect(heldOut(rows, 0)).toEqual([]);
});

const few = numbersIn(12, 5000).map((k) => ({ day: `day ${k % 4}`, size: k % 3, label: k % 2 ? 'on' : 'off' }));

test.each([
  ['different rows', rowsFor(numbersIn(9000, 5000))],
  ['few different rows', few],
])('CSV, JSON Lines and records hold out the same rows: %s', async (_, rows) => {
  const names = Object.keys(rows[0]);
  const csv = formatCsv([names, ...rows.map((row) => Object.values(row).map(String))]);
  const turned = rows.map((row) => Object.fromEntries(Object.entries(row).reverse()));
  const held = heldOut(rows);
  expect(await heldWhileRead(csv, 'csv')).toEqual(held);
  expect(await heldWhileRead(turned.map((row) => JSON.stringify(row)).join('\n'), 'jsonl')).toEqual(held);
});

test('where most rows are alike, each stands for itself and the share is right', () => {
  const held = heldOut(few);
  expect(Math.abs(held.length - 1000)).toBeLessThan(4 * Math.sqrt(5000 * 0.2 * 0.8));
  const kinds = (places: readonly number[]) => new Set(places.map((i) => JSON.stringify(few[i]))).size;
  expect([kinds(held), kinds(range(5000))]).toEqual([12, 12]);
  expect(new Set(copiesOf(new RecordTable(few), 'label')).size).toBe(5000);
});

test('rows without a label do not change which of the others are held out', () => {
  const labelled = rowsFor(range(3000));
  const all = labelled.flatMap((row, i) => (i % 10 === 3 ? [row, { ...row, size: -i, label: ' ' }] : [row]));
  const split = planSplit(new RecordTable(all), 'label', 0.2, 1);
  const early = SPLIT_SAMPLE / 1.1 - 1; // both samples have these
  const [, held] = splitTable(new RecordTable(labelled), split);
  const late = (places: readonly number[]) => places.filter((i) => i >= SPLIT_SAMPLE);
  expect(late(held)).toEqual(late(heldOut(labelled)));
  expect(held.filter((i) => i < early).length).toBeGreaterThan(0.18 * early);
});

test('copies have equal cells but for white space at the ends, and an empty cell is a missing one', () => {
  const rows = [
    { a: '1', b: 'x', label: 'p' },
    { b: 'x', a: 1, label: 'q' },
    { a: ' 1\n', label: 'p' },
    { a: '1', b: '', label: 'p' },
  ];
  expect([...copiesOf(new RecordTable(rows), 'label')]).toEqual([0, 0, 1, 1]);
});

test('folds have every row once, copies in one fold, and the classes of the first rows evenly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 10 }), fc.integer({ min: 1, max: 99 }), (k, seed) => {
      const numbers = numbersIn(1500, 1500, seed);
      const table = new RecordTable(rowsFor(numbers));
      const folds = splitTable(table, planFolds(table, 'label', k, seed));
      expect(folds.flat().sort((a, b) => a - b)).toEqual(range(1500));
      const foldOf = new Map<number, number>();
      for (const [fold, rows] of folds.entries()) {
        for (const i of rows) expect(foldOf.get(numbers[i]) ?? fold).toBe(fold);
        for (const i of rows) foldOf.set(numbers[i], fold);
      }
      const first = new Set(numbers.slice(0, SPLIT_SAMPLE));
      for (const isRare of [true, false]) {
        const own = [...first].filter((number) => (number % 4 === 0) === isRare);
        const sizes = range(k).map((fold) => own.filter((number) => foldOf.get(number) === fold).length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 20 },
  );
});
