import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batch, rowsOf, takeRows, toDense } from './batch.ts';
import { compareLabels, encodeLabels, moves, sortClasses, uniteClasses } from './labels.ts';
import { Matrix } from './matrix.ts';
import { compareCodePoints } from './order.ts';
import { SparseMatrix } from './sparse.ts';
import { readWeights, weighing } from './weights.ts';

const code = (attempt: () => unknown) => {
  try {
    attempt();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'accepted';
};

describe('Matrix', () => {
  test('rows are views, arrays are copies', () => {
    const matrix = Matrix.from([
      [1, 2],
      [3, 4],
    ]);
    expect([matrix.rows, matrix.cols, matrix.at(1, 0)]).toEqual([2, 2, 3]);
    matrix.toArray()[0][0] = 9;
    expect(Array.from(matrix.row(0))).toEqual([1, 2]);
    matrix.row(1)[1] = 5;
    expect(matrix.toArray()).toEqual([
      [1, 2],
      [3, 5],
    ]);
  });

  test('wrong lengths are errors', () => {
    expect(code(() => new Matrix(2, 2, new Float64Array(3)))).toBe('E_SHAPE');
    expect(code(() => new Matrix(-1, 2))).toBe('E_SHAPE');
    expect(code(() => Matrix.from([[1], [1, 2]]))).toBe('E_SHAPE');
  });
});

describe('SparseMatrix', () => {
  const grids = fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 5 })).chain(([rows, cols]) =>
    fc.array(fc.array(fc.constantFrom(0, 0, 1, 2.5), { minLength: cols, maxLength: cols }), {
      minLength: rows,
      maxLength: rows,
    }),
  );

  check.prop([grids, fc.infiniteStream(fc.nat())])(
    'any order of cells and explicit zeros give one matrix',
    (grid, rnd) => {
      const cols = grid[0]?.length ?? 1;
      const shuffled = grid.map((row) => [...row.entries()].sort(() => (rnd.next().value % 3) - 1));
      const sparse = SparseMatrix.fromRows(shuffled, cols);
      expect(sparse).toEqual(
        SparseMatrix.fromRows(
          grid.map((row) => [...row.entries()].filter(([, v]) => v !== 0)),
          cols,
        ),
      );
      expect(sparse.toArray()).toEqual(grid);
      expect(sparse.data.includes(0)).toBe(false);
    },
  );

  test('a row has its columns in order', () => {
    const sparse = SparseMatrix.fromRows(
      [
        new Map([
          [3, 1],
          [1, 2],
        ]),
      ],
      4,
    ); // prettier-ignore
    expect(sparse.row(0)).toEqual({ indices: Uint32Array.of(1, 3), values: Float64Array.of(2, 1) });
  });

  test.each([
    ['a repeated column', [0, 2], [1, 1], [1, 1], 'E_SPARSE_INDEX'],
    ['a column past the end', [0, 1], [9], [1], 'E_SPARSE_INDEX'],
    ['a negative column', [0, 1], [-1], [1], 'E_SPARSE_INDEX'],
    ['a fractional column', [0, 1], [0.5], [1], 'E_SPARSE_INDEX'],
    ['values without columns', [0, 1], [0], [1, 2], 'E_SHAPE'],
    ['pointers that fall', [0, 2, 1, 2], [0, 1], [1, 2], 'E_SHAPE'],
    ['pointers that are too short', [0], [], [], 'E_SHAPE'],
  ])('%s is an error', (_, indptr, indices, data, expected) => {
    expect(code(() => new SparseMatrix(Math.max(1, indptr.length - 1), 3, indptr, indices, data))).toBe(expected);
  });
});

test('selecting rows is the same for dense and sparse rows', () => {
  const grid = [
    [1, 0, 2],
    [0, 0, 0],
    [0, 3, 0],
  ];
  const sparse = rowsOf(
    SparseMatrix.fromRows(
      grid.map((row) => row.entries()),
      3,
    ),
  ); // prettier-ignore
  const order = [2, 0, 2, 1];
  expect(toDense(takeRows(sparse, order))).toEqual(takeRows(rowsOf(Matrix.from(grid)), order));
});

test('a batch of plain arrays derives its shape', () => {
  expect(batch([[1, 2]], [3])).toMatchObject({ rows: 1, features: 2, classes: 4, y: Int32Array.of(3) });
  expect(batch([[1, 2]])).toMatchObject({ classes: 1, w: Float64Array.of(1) });
});

describe('labels', () => {
  check.prop([fc.array(fc.string({ unit: 'binary' }))])('strings sort by code point', (strings) => {
    const points = (text: string) => Array.from(text, (char) => char.codePointAt(0)!);
    const byPoints = (a: string, b: string) => {
      const [p, q] = [points(a), points(b)];
      const i = p.findIndex((point, k) => point !== q[k]);
      return i < 0 ? p.length - q.length : i >= q.length ? 1 : p[i] - q[i];
    };
    expect([...strings].sort(compareCodePoints)).toEqual([...strings].sort(byPoints));
  });

  test('U+20000 sorts after U+FF21, unlike by UTF-16 units', () => {
    expect(encodeLabels(['\u{20000}', '\uff21']).classes).toEqual(['\uff21', '\u{20000}']);
  });

  test('classes are sorted in any order of arrival', () => {
    expect(encodeLabels(['b', 'C', 'a', 'b'])).toEqual({ classes: ['C', 'a', 'b'], codes: Int32Array.of(2, 0, 1, 2) });
    expect(encodeLabels([10, 9, -1]).classes).toEqual([-1, 9, 10]);
    for (const numbers of [[7, 0, 7, 255], [1, 0], [3], [], [0, 256], [-1, 2]]) {
      expect(encodeLabels(Int32Array.from(numbers))).toEqual(encodeLabels(numbers));
    }
    expect(encodeLabels(Uint8Array.of(9, 4, 9))).toEqual({ classes: [4, 9], codes: Int32Array.of(1, 0, 1) });
    expect(encodeLabels([true, false]).classes).toEqual([false, true]);
    expect(encodeLabels(Int8Array.of(2, 1)).classes).toEqual([1, 2]);
    expect(encodeLabels([-0, 0]).classes).toEqual([0]);
  });

  test('names of object properties are ordinary labels', () => {
    const words = ['__proto__', 'constructor', 'toString', ''];
    expect(encodeLabels(words).classes).toEqual([...words].sort(compareLabels));
  });

  test.each([
    ['missing', ['a', null], 'E_LABEL_MISSING'],
    ['NaN', [1, Number.NaN], 'E_LABEL_MISSING'],
    ['mixed', ['a', 1], 'E_LABEL_TYPE'],
    ['fractional', [1, 2.5], 'E_LABEL_TYPE'],
    ['bigint', [1n], 'E_LABEL_TYPE'],
    ['nested', [['a']], 'E_SHAPE'],
    ['ill-formed', ['\udc00'], 'E_UNICODE'],
  ])('%s labels are an error', (_, y, expected) => {
    expect(code(() => encodeLabels(y))).toBe(expected);
  });

  test('lists of classes are united, with the new index of each class', () => {
    expect(uniteClasses(['b'], ['a', 'b'])).toEqual(['a', 'b']);
    expect(moves(['b', 'x'], ['a', 'b'])).toEqual(Int32Array.of(1, -1));
    expect(sortClasses([3, 1])).toEqual([1, 3]);
    expect(code(() => sortClasses([1, 1]))).toBe('E_PARAM');
  });
});

describe('weights', () => {
  test('one number is the weight of every row', () => {
    expect(readWeights(2, 3)).toEqual(Float64Array.of(2, 2, 2));
    expect(readWeights(undefined, 2)).toEqual(Float64Array.of(1, 1));
    expect(readWeights([], 0)).toEqual(new Float64Array(0));
  });

  test.each([
    [[1], 2, 'E_WEIGHT_SHAPE'],
    [[1, -1], 2, 'E_WEIGHT_INVALID'],
    [[1, Number.NaN], 2, 'E_WEIGHT_INVALID'],
    [[1, Infinity], 2, 'E_WEIGHT_INVALID'],
    [[1, '1'], 2, 'E_WEIGHT_INVALID'],
    [[0, 0], 2, 'E_WEIGHTS_ALL_ZERO'],
  ])('%j for %i rows is an error', (weights, rows, expected) => {
    expect(code(() => readWeights(weights as number[], rows))).toBe(expected);
  });

  test('rows of weight zero are left out', () => {
    expect(weighing(Float64Array.of(1, 2))).toBeUndefined();
    expect(weighing(Float64Array.of(0, 2, 0, 1))).toEqual(Uint32Array.of(1, 3));
  });
});
