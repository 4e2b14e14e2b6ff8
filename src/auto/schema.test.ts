import { expect, test } from 'vitest';
import { inferSchema } from './schema.ts';

const rows = Array.from({ length: 40 }, (_, i) => ({
  id: i + 1000,
  code: `K-${(i * 7919) % 1000}x${i}`,
  age: i === 3 ? '?' : String(20 + ((i * 7) % 31)),
  colour: ['red', 'green', '?'][i % 3],
  flag: i % 2 === 0,
  bit: i % 2,
  same: 'x',
  none: null,
  day: `2024-01-${String((i % 28) + 1).padStart(2, '0')}`,
  note: `this is remark number ${i} of many`,
  评论: `这个东西很好用我喜欢第${i}个`,
  class: i % 2 ? 'yes' : 'no',
}));

test('kinds, roles and missing cells are told from the cells, with a reason for each', () => {
  const { columns } = inferSchema(rows, { target: 'class' });
  const kinds = Object.fromEntries(columns.map(({ name, kind, role, missing }) => [name, [kind, role, missing]]));
  expect(kinds).toEqual({
    id: ['identifier', 'ignored', 0],
    code: ['identifier', 'ignored', 0],
    age: ['number', 'feature', 1],
    colour: ['category', 'feature', 0],
    flag: ['boolean', 'feature', 0],
    bit: ['category', 'feature', 0],
    same: ['constant', 'ignored', 0],
    none: ['constant', 'ignored', 40],
    day: ['date', 'ignored', 0],
    note: ['text', 'feature', 0],
    评论: ['text', 'feature', 0],
    class: ['category', 'target', 0],
  });
  for (const { reason } of columns) expect(reason.length).toBeGreaterThan(5);
});

test('"?" is missing among numbers and a level among words', () => {
  const { columns } = inferSchema(rows, { target: 'class' });
  expect(columns.find(({ name }) => name === 'colour')?.levels).toEqual(['red', '?', 'green']); // 14, 13, 13
});

test('a list of features is obeyed, and names that are not there are refused', () => {
  const { columns } = inferSchema(rows, { target: 'class', features: ['id', 'age'] });
  expect(columns.filter(({ role }) => role === 'feature').map(({ name }) => name)).toEqual(['id', 'age']);
  expect(() => inferSchema(rows, { target: 'klass' })).toThrow(expect.objectContaining({ code: 'E_FEATURE_MISSING' }));
  expect(() => inferSchema([], { target: 'class' })).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
});
