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

test('kinds, roles and missing cells are inferred from the cells, with a reason for each', () => {
  const { columns } = inferSchema(rows, { target: 'class' });
  const kinds = Object.fromEntries(columns.map(({ name, kind, role, missing }) => [name, [kind, role, missing]]));
  expect(kinds).toEqual({
    id: ['identifier', 'ignored', 0],
    code: ['identifier', 'ignored', 0],
    age: ['number', 'feature', 1],
    colour: ['category', 'feature', 13],
    flag: ['boolean', 'feature', 0],
    bit: ['category', 'feature', 0],
    same: ['constant', 'ignored', 0],
    none: ['constant', 'ignored', 40],
    day: ['date', 'feature', 0],
    note: ['text', 'feature', 0],
    评论: ['text', 'feature', 0],
    class: ['category', 'target', 0],
  });
  for (const { reason } of columns) expect(reason.length).toBeGreaterThan(5);
});

test('"?" is missing among words as among numbers', () => {
  const { columns } = inferSchema(rows, { target: 'class' });
  expect(columns.find(({ name }) => name === 'colour')?.levels).toEqual(['red', 'green']);
});

/** The kind of a column of 60 rows, by its name and its cells. */
function kindOf(name: string, cell: (i: number) => unknown, count = 60): string {
  const table = Array.from({ length: count }, (_, i) => ({ [name]: cell(i), class: i % 2 ? 'yes' : 'no' }));
  return inferSchema(table, { target: 'class' }).columns[0].kind;
}

/** Different numbers in an order of their own. */
const mixed = (i: number, count: number) => (i * 7919) % count;

test.each([
  ['id', (i: number) => mixed(i, 9973)],
  ['ID', (i: number) => `A${i % 30}`],
  ['customer_id', (i: number) => 1e6 + mixed(i, 9973) + 0.5],
  ['user.id', (i: number) => `u${i % 20}`],
  ['PassengerId', (i: number) => i * 1000],
  ['uuid', (i: number) => `${i % 25}`],
  ['row', (i: number) => i + 1],
  ['shuffled', (i: number) => mixed(i, 61)],
  ['offset', (i: number) => 5000 + i],
  ['policy_number', (i: number) => mixed(i, 9973)],
  ['reference', (i: number) => `3f2504e0-4f89-41d3-9a0c-${String(i % 15).padStart(12, '0')}`],
])('%s is an identifier, by its name or its cells', (name, cell) => {
  expect(kindOf(name, cell)).toBe('identifier');
});

test.each([
  ['salary', (i: number) => 30_000 + mixed(i, 9973)], // all different by chance
  ['body_mass_index', (i: number) => 20 + mixed(i, 9973) / 1000],
  ['age', (i: number) => 20 + mixed(i, 31)],
  ['paid', (i: number) => mixed(i, 9973)],
  ['price', (i: number) => 10 * mixed(i, 97)],
])('%s is a number, though its cells may all be different', (name, cell) => {
  expect(kindOf(name, cell)).toBe('number');
});

test('an identifier of a few values in many rows is a category', () => {
  expect(kindOf('shop_id', (i) => i % 5)).toBe('category');
  expect(kindOf('shop_id', (i) => `S${i % 5}`)).toBe('category');
});

test('a column of train and test is a split, and never a feature', () => {
  expect(kindOf('part', (i) => ['train', 'test'][i % 2])).toBe('split');
  expect(kindOf('fold', (i) => ['Training', 'dev', 'Validation'][i % 3])).toBe('split');
  expect(kindOf('means', (i) => ['train', 'bus'][i % 2])).toBe('category');
  expect(kindOf('part', () => 'test')).toBe('constant');
});

test('a list of features is obeyed, and names that are not there are refused', () => {
  const { columns } = inferSchema(rows, { target: 'class', features: ['id', 'age'] });
  expect(columns.filter(({ role }) => role === 'feature').map(({ name }) => name)).toEqual(['id', 'age']);
  expect(() => inferSchema(rows, { target: 'klass' })).toThrow(expect.objectContaining({ code: 'E_FEATURE_MISSING' }));
  expect(() => inferSchema([], { target: 'class' })).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
});
