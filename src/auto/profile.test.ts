import { expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import { guessTarget as guessFrom, hashCell, profileRows, TableProfiler, ValueCounter } from './profile.ts';
import { tallyCells } from './schema-kinds.ts';

const guessTarget = (table: readonly DataRow[], names: readonly string[]) =>
  guessFrom(new Map(names.map((name) => [name, tallyCells(table.map((row) => row[name]))])));

const rows = Array.from({ length: 60 }, (_, i) => ({
  id: i + 1,
  text: i < 40 ? `see you at lunch on day number ${i % 38}` : `win a prize with number ${i} today`,
  size: ((i * 37) % 61) / 4,
  code: i < 40 ? 'h' : 's',
  kind: i === 59 ? '' : i < 40 ? 'ham' : 'spam',
}));

test('a profile lists target, balance, kinds, gaps, copies and leaks', () => {
  const profile = profileRows(rows);
  expect(profile.target).toEqual({
    name: 'kind',
    guessed: true,
    reason: 'the last column, 2 values',
    classes: [
      { value: 'ham', rows: 40, share: 40 / 59 },
      { value: 'spam', rows: 19, share: 19 / 59 },
    ],
    missing: 1,
  });
  expect(profile.columns.map(({ name, kind, role }) => [name, kind, role])).toEqual([
    ['id', 'identifier', 'ignored'],
    ['text', 'text', 'feature'],
    ['size', 'number', 'feature'],
    ['code', 'category', 'feature'],
    ['kind', 'category', 'target'],
  ]);
  expect(profile.columns[1]).toMatchObject({ typicalLength: 32, missing: 0 });
  expect(profile.columns[3]!.top).toEqual([
    { value: 'h', rows: 40, share: 40 / 60 },
    { value: 's', rows: 20, share: 20 / 60 },
  ]);
  expect(profile.warnings.map(({ kind, about }) => [kind, about])).toEqual([
    ['leak', 'code'],
    ['unlabeled', 'kind'],
    ['identifier', 'id'],
  ]);
  expect(profile.duplicates).toBe(0);
  const twice = profileRows([...rows, ...rows.slice(0, 7).map((row) => ({ ...row, id: row.id + 1000 }))]);
  expect(twice.duplicates).toBe(7);
});

test('a target that is named is taken, and none is guessed where no column has few values', () => {
  expect(profileRows(rows, { target: 'code' }).target).toMatchObject({ name: 'code', guessed: false });
  expect(() => profileRows(rows, { target: 'lable' })).toThrow(expect.objectContaining({ code: 'E_FEATURE_MISSING' }));
  const plain = profileRows(rows.map(({ text, size }) => ({ text, size })));
  expect(plain.target).toBeUndefined();
  expect(plain.columns.map(({ role }) => role)).toEqual(['feature', 'feature']);
  expect(() => profileRows([])).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
  expect(() => profileRows([null as never])).toThrow(expect.objectContaining({ code: 'E_TYPE' }));
  expect(() => profileRows(rows, { sampleRows: 0 })).toThrow(expect.objectContaining({ code: 'E_PARAM' }));
});

test('a name like a label wins, then the last, then the first column, then the fewest values', () => {
  const cells = (i: number) => ({ a: `w${i % 7}`, b: `v${i % 3}`, y: i % 2, n: i });
  const table = Array.from({ length: 40 }, (_, i) => cells(i));
  expect(guessTarget(table, ['a', 'b', 'y', 'n'])).toEqual({ name: 'y', reason: 'named like a label, 2 values' });
  const tickets = table.map((row) => ({ class: row.a, survived: row.y, z: row.b }));
  expect(guessTarget(tickets, ['class', 'survived', 'z'])?.name).toBe('survived');
  const intents = Array.from({ length: 400 }, (_, i) => ({
    says: `thing ${i}`,
    intent: `i${i % 80}`,
    label: `i${i % 80}`,
  }));
  expect(guessTarget(intents, ['says', 'group', 'label'])?.name).toBe('label'); // 80 labels are many for a column of another name
  expect(guessTarget(intents, ['says', 'group'])).toBeUndefined();
  expect(guessTarget(tickets, ['z', 'class'])?.name).toBe('class');
  expect(guessTarget(table, ['a', 'b'])).toEqual({ name: 'b', reason: 'the last column, 3 values' });
  expect(guessTarget(table, ['a', 'n'])).toEqual({ name: 'a', reason: 'the first column, 7 values' });
  const middle = table.map((row) => ({ n: row.n, a: row.a, b: row.b, m: row.n + 100 }));
  expect(guessTarget(middle, ['n', 'a', 'b', 'm'])).toEqual({
    name: 'b',
    reason: 'the fewest values of all columns: 3',
  });
});

/** Word frequencies as in a table of mails: mostly zero, higher in one class; sorted by class. */
function sortedMails(count: number): Record<string, number>[] {
  const random = new Random(4);
  return Array.from({ length: count }, (_, i) => {
    const spam = i < 0.2 * count ? 1 : 0;
    const rate = () => (random.uniform() < 0.85 ? 0 : random.integer(40) / 10 + spam);
    return { free: rate(), you: rate(), credit: rate(), font: rate(), spam };
  });
}

test('leaks and balance do not depend on the order of rows', () => {
  const sorted = sortedMails(5000);
  const shuffled = new Random(1).shuffle([...sorted]);
  for (const [table, sampleRows] of [
    [sorted, 3000],
    [sorted, 5000],
    [sorted.toReversed(), 5000],
    [shuffled, 3000],
  ] as const) {
    const { target, warnings, rows: all, sampledRows } = profileRows(table, { sampleRows });
    expect([all, sampledRows]).toEqual([5000, sampleRows]);
    expect(target?.classes).toEqual([
      { value: '0', rows: 4000, share: 0.8 },
      { value: '1', rows: 1000, share: 0.2 },
    ]);
    expect(warnings.filter(({ kind }) => kind === 'leak')).toEqual([]);
  }
});

test('missing cells that depend on the label are reported, and those that do not are not', () => {
  const random = new Random(1);
  const rows = Array.from({ length: 300 }, (_, i) => {
    const state = i % 2 === 0 ? 'ill' : 'well';
    const asked = random.uniform() < (state === 'ill' ? 0.9 : 0.2);
    return { marker: asked ? random.uniform() : null, age: random.uniform() < 0.5 ? random.integer(80) : null, state };
  });
  const { warnings } = profileRows(rows, { target: 'state' });
  const [warning, ...others] = warnings.filter(({ kind }) => kind === 'missing');
  expect(others).toEqual([]);
  expect(warning.about).toBe('marker');
  expect(warning.value).toBeCloseTo(0.4, 1); // 1 less the mean entropy of 0.9 : 0.2 and 0.1 : 0.8, in bits
  expect(
    Classifier.fit(rows, { target: 'state' })
      .report()
      .warnings.map(({ kind }) => kind),
  ).toContain('missing');
});

test('a leak is found in a sorted table, and copies are counted in all rows', () => {
  const table = sortedMails(5000).map((row, i) => ({ ...row, size: i % 900, paid: row.spam === 1 ? 'no' : 'yes' }));
  const copies = table.slice(4000);
  const { warnings, duplicates } = profileRows([...table, ...copies], { target: 'spam', sampleRows: 500 });
  expect(warnings.filter(({ kind }) => kind === 'leak').map(({ about }) => about)).toEqual(['paid']);
  expect(duplicates - profileRows(table, { target: 'spam' }).duplicates).toBe(1000);
});

test('chunks give the same profile as all rows at once, and the same seed the same sample', () => {
  const table = sortedMails(3000);
  const profiler = new TableProfiler({ sampleRows: 100, seed: 7 });
  for (let k = 0; k < table.length; k += 700) profiler.add(table.slice(k, k + 700));
  expect(profiler.profile()).toEqual(profileRows(table, { sampleRows: 100, seed: 7 }));
});

test('the sample is uniform', () => {
  let early = 0;
  for (let seed = 0; seed < 40; seed++) {
    const profiler = new TableProfiler({ sampleRows: 50, seed });
    profiler.add(Array.from({ length: 1000 }, (_, i) => ({ text: 'x'.repeat(i < 500 ? 1 : 9), y: i % 2 })));
    const { sample } = profiler as unknown as { sample: readonly { text: string }[] };
    early += sample.filter(({ text }) => text.length === 1).length;
  }
  expect(Math.abs(early / 2000 - 0.5)).toBeLessThan(0.034); // three standard errors of 2,000 draws
});

test('a column that appears late was missing before, and late values count', () => {
  const table = Array.from({ length: 300 }, (_, i) => ({
    size: i % 17,
    ...(i >= 200 && { note: i % 2 ? 'a' : 'b' }),
    label: i < 298 ? 'ham' : 'spam',
  }));
  const { columns, target } = profileRows(table);
  expect(columns.find(({ name }) => name === 'note')).toMatchObject({ missing: 200, distinct: 2 });
  expect(target?.classes.map((own) => own.rows)).toEqual([298, 2]);
});

test('labels that differ in case or spaces, rows without a label, and rare values are warned about', () => {
  const table = Array.from({ length: 400 }, (_, i) => ({
    city: `city ${i % 130}`,
    x: i % 7,
    label: ['Yes', 'yes ', 'no', 'YES', ''][i % 5],
  }));
  const { target, warnings } = profileRows(table);
  expect(target).toMatchObject({ missing: 80, classes: [{}, {}, {}, {}] });
  const found = new Map(warnings.map((warning) => [warning.kind, warning]));
  expect(found.get('unlabeled')).toMatchObject({ about: 'label', value: 80 });
  expect(found.get('near-equal-labels')?.sentence).toMatch(/"Yes".*"yes ".*differ only in case or spaces.*3 classes/);
  expect(found.get('high-cardinality')).toMatchObject({ about: 'city', value: 130 });
});

test('a target of lists is called several labels, with what to do', () => {
  const tags = [['a', 'b'], ['a'], ['b', 'c'], ['c']];
  const ways = [
    (own: string[]) => own,
    JSON.stringify,
    (own: string[]) => own.join('|'),
    (own: string[]) => own.join(', '),
  ];
  for (const way of ways) {
    const table = Array.from({ length: 60 }, (_, i) => ({
      text: `some words about ${i} things`,
      tags: way(tags[i % 4]),
    }));
    const warning = profileRows(table, { target: 'tags' }).warnings.find(({ kind }) => kind === 'several-labels');
    expect(warning?.sentence).toMatch(/several labels per row.*a class of its own.*--multilabel/);
  }
  const cities = ['Paris, France', 'Rome, Italy', 'no', 'Bonn, Germany'];
  const table = Array.from({ length: 60 }, (_, i) => ({ x: i % 5, city: cities[i % 4] }));
  expect(profileRows(table, { target: 'city' }).warnings.map(({ kind }) => kind)).not.toContain('several-labels');
});

test('values are counted exactly up to a limit, then estimated; missing cells stay exact', () => {
  const counter = new ValueCounter();
  for (let i = 0; i < 100_000; i++) {
    const cell = i % 10 === 0 ? '' : `v${i % 50_000}`;
    counter.add(cell, hashCell(cell), 3);
  }
  expect(counter.complete).toBe(false);
  expect(counter.counts.size).toBeLessThan(20_001);
  expect(counter.counts.get('')).toBe(10_000);
  expect(Math.abs(counter.distinct / 45_001 - 1)).toBeLessThan(0.08); // about four standard errors
});

test('row numbers of a large table are identifiers', () => {
  const table = Array.from({ length: 30_000 }, (_, i) => ({ row: i, x: i % 7, label: i % 3 ? 'a' : 'b' }));
  expect(profileRows(table, { sampleRows: 300 }).columns[0]).toMatchObject({ kind: 'identifier', role: 'ignored' });
});
