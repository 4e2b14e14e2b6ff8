import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { encodeCodes, encodeLabels } from './labels.ts';
import { LevelColumn } from './levels.ts';
import { CodedColumn, copyNumbers, NumberColumn } from './packed-columns.ts';

const words = fc.array(fc.constantFrom<string>('b', 'a', 'd', 'c', 'é'), { minLength: 1 });
const rowsOf = (length: number) => fc.array(fc.nat(length - 1));

test.prop([words.chain((list) => fc.tuple(fc.constant(list), rowsOf(list.length)))])(
  'codes represent their cells, and the values are in the order of their first rows',
  ([list, rows]) => {
    const column = CodedColumn.from(list);
    expect(column.toArray()).toEqual(list);
    expect(column.values).toEqual([...new Set(list)]);
    const some = rows.map((i) => list[i]);
    expect(column.take(rows).toArray()).toEqual(some);
    expect(column.take(rows).values).toEqual([...new Set(some)]);
    expect(column.map((word) => word.length).toNumbers()).toEqual(Float64Array.from(list, ({ length }) => length));
    for (const word of ['a', 'z'])
      expect(column.findIndex((cell) => cell.includes(word))).toBe(list.findIndex((cell) => cell.includes(word)));
  },
);

test.prop([words])('labels are encoded alike from codes and from a list', (list) => {
  expect(encodeCodes(CodedColumn.from(list))).toEqual(encodeLabels(list));
  // values may become equal
  expect(encodeCodes(CodedColumn.from(list).map(() => 'one'))).toEqual(encodeLabels(list.map(() => 'one')));
});

test('a label that is missing or of another type is an error with its first row', () => {
  const column = CodedColumn.from<unknown>(['a', 'b', 'a', null, 'a', null]);
  expect(() => encodeCodes(column)).toThrow('row 3 has no label');
  expect(() => encodeCodes(CodedColumn.from<unknown>(['a', 'a', 7, 7]))).toThrow('row 2 has the number 7');
});

test.prop([words, words])('levels are read alike from codes and from a list', (known, list) => {
  const dictionary = [...new Set(known)].sort();
  for (const unknown of ['smooth', 'ignore'] as const) {
    const [coded, listed] = [CodedColumn.from(list), list].map((cells) => {
      const x = new Float64Array(2 * list.length);
      const column = new LevelColumn(dictionary, 0, { missing: true, unknown });
      column.readAll(cells, x, 1, 2);
      column.settle(x, 1, 2);
      return x;
    });
    expect(coded).toEqual(listed);
  }
});

test('a level of another kind is an error with its first row', () => {
  const column = new LevelColumn(null, 4, { missing: true, grow: true });
  const cells = CodedColumn.from<unknown>(['a', null, 'a', 3]);
  expect(() => column.readAll(cells, new Float64Array(4), 0, 1)).toThrow('row 3, column 4: 3 is a number');
});

test('columns of numbers are the whole matrix only if all of them are present in order', () => {
  const matrix = { x: Float64Array.of(1, 2, 3, 4, 5, 6), stride: 3 };
  const [a, b, c] = [0, 1, 2].map((j) => new NumberColumn(matrix, j));
  expect(NumberColumn.whole([a, b, c])).toBe(matrix);
  for (const others of [[a, b], [b, a, c], [a, b, NumberColumn.from(Float64Array.of(3, 6))], [], [[3, 6]]])
    expect(NumberColumn.whole(others)).toBeUndefined();
  expect(b.length).toBe(2);
  expect(b.take([1, 0, 1]).matrix.x).toEqual(Float64Array.of(5, 2, 5));
});

test('numbers of a column are copied with a stride', () => {
  const x = new Float64Array(8);
  const convert = () => -1;
  copyNumbers(new NumberColumn({ x: Float64Array.of(1, 2, 3, 4), stride: 2 }, 1), x, 0, 4, convert);
  copyNumbers(Float64Array.of(5, 6), x, 1, 4, convert);
  copyNumbers([7, null], x, 2, 4, convert);
  copyNumbers(CodedColumn.from<unknown>(['w', 8]), x, 3, 4, convert);
  expect([...x]).toEqual([2, 5, 7, -1, 4, 6, -1, 8]);
});
