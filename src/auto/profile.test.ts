import { expect, test } from 'vitest';
import { accuracyAlone } from './column-alone.ts';
import { guessTarget } from './guess-target.ts';
import { profileRows } from './profile.ts';

const rows = Array.from({ length: 60 }, (_, i) => ({
  id: i + 1,
  text: i < 40 ? `see you at lunch on day number ${i % 38}` : `win a prize with number ${i} today`,
  size: ((i * 37) % 61) / 4,
  code: i < 40 ? 'h' : 's',
  kind: i === 59 ? '' : i < 40 ? 'ham' : 'spam',
}));

test('a profile tells target, balance, kinds, gaps, copies and leaks', () => {
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
});

test('a name like a label wins, then the last, then the first column, then the fewest values', () => {
  const cells = (i: number) => ({ a: `w${i % 7}`, b: `v${i % 3}`, y: i % 2, n: i });
  const table = Array.from({ length: 40 }, (_, i) => cells(i));
  expect(guessTarget(table, ['a', 'b', 'y', 'n'])).toEqual({ name: 'y', reason: 'named like a label, 2 values' });
  const tickets = table.map((row) => ({ class: row.a, survived: row.y, z: row.b }));
  expect(guessTarget(tickets, ['class', 'survived', 'z'])?.name).toBe('survived');
  expect(guessTarget(tickets, ['z', 'class'])?.name).toBe('class');
  expect(guessTarget(table, ['a', 'b'])).toEqual({ name: 'b', reason: 'the last column, 3 values' });
  expect(guessTarget(table, ['a', 'n'])).toEqual({ name: 'a', reason: 'the first column, 7 values' });
  expect(guessTarget(table, ['n', 'a', 'b', 'n'])).toEqual({
    name: 'b',
    reason: 'the fewest values of all columns: 3',
  });
});

test('alone, a word is judged by the other rows that have it and a number by its neighbour', () => {
  const column = (kind: 'category' | 'number') =>
    ({ name: 'x', kind, role: 'feature', reason: '', missing: 0, distinct: 0 }) as const;
  const words = ['a', 'a', 'a', 'b', 'b', 'c'].map((x) => ({ x }));
  // a: two of three agree; b: its two rows disagree; c: nobody else has it.
  expect(accuracyAlone(words, column('category'), Int32Array.of(0, 0, 1, 0, 1, 0), 2)).toBe(2 / 6);
  const numbers = [1, 2, 3, 10, 11, 12].map((x) => ({ x }));
  expect(accuracyAlone(numbers, column('number'), Int32Array.of(0, 0, 0, 1, 1, 1), 2)).toBe(1);
  expect(accuracyAlone(numbers, column('number'), Int32Array.of(0, 1, 0, 1, 0, -1), 2)).toBe(0);
});
