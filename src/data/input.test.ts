import { describe, expect, test } from 'vitest';
import { type Rows, toDense } from './batch.ts';
import { type Expectation, type Features, readFeatures } from './input.ts';
import { Matrix } from './matrix.ts';
import { SparseMatrix } from './sparse.ts';

const cells = (rows: Rows) => Array.from(toDense(rows).x);
const codeOf = (X: unknown, expected?: Expectation) => {
  try {
    readFeatures(X as Features, expected);
  } catch (error) {
    const { code, details } = error as { code: string; details: object };
    return { code, ...details };
  }
  return 'accepted';
};

describe('containers', () => {
  const nested = [
    [1, 0, -2.5],
    [0, 4, 8],
  ];
  const containers: Record<string, Features> = {
    'nested arrays': nested,
    'frozen arrays': Object.freeze(nested.map((row) => Object.freeze([...row]))) as Features,
    'typed rows': nested.map((row) => Float32Array.from(row)),
    views: nested.map((row) => new Float64Array([9, ...row, 9]).subarray(1, 4)),
    matrix: Matrix.from(nested),
    columns: { a: [1, 0], b: Int8Array.of(0, 4), c: [-2.5, 8] },
    'named rows': [
      { a: 1, b: 0, c: -2.5 },
      { c: 8, b: 4, a: 0 },
    ],
    sparse: new SparseMatrix(2, 3, [0, 3, 5], [2, 1, 0, 1, 2], [-2.5, 0, 1, 4, 8]),
  };
  for (const [name, X] of Object.entries(containers)) {
    test(`${name} give the same cells`, () => {
      const { rows, peak } = readFeatures(X, { sparse: true });
      expect(cells(rows)).toEqual(nested.flat());
      expect(peak).toBe(8);
    });
  }
});

describe('errors name the first invalid row and column', () => {
  test.each<[string, unknown, Expectation, object]>([
    ['ragged rows', [[1, 2], [3]], {}, { code: 'E_SHAPE', row: 1, expected: 2, actual: 1 }],
    ['a flat array', [1, 2], {}, { code: 'E_SHAPE', row: 0 }],
    ['one number', 5, {}, { code: 'E_SHAPE' }],
    ['documents', ['some text'], {}, { code: 'E_TYPE', row: 0 }],
    ['a string cell', [[1, '2']], {}, { code: 'E_TYPE', row: 0, column: 1, actual: 'string' }],
    ['a bigint', [[1n]], {}, { code: 'E_TYPE', row: 0, column: 0, actual: 'bigint' }],
    ['a date', [[new Date(0)]], {}, { code: 'E_TYPE', row: 0, column: 0, actual: 'object' }],
    ['a hole', [[1, undefined]], {}, { code: 'E_TYPE', row: 0, column: 1, actual: 'undefined' }],
    [
      'NaN',
      [
        [1, 2],
        [3, Number.NaN],
      ],
      {},
      { code: 'E_NOT_FINITE', row: 1, column: 1 },
    ], // prettier-ignore
    ['infinity', [[-Infinity]], { missing: true }, { code: 'E_NOT_FINITE', row: 0, column: 0 }],
    ['negative counts', [[0, -1]], { nonNegative: true }, { code: 'E_NEGATIVE', row: 0, column: 1, actual: -1 }],
    ['huge values', [[1e151]], { limit: 1e150 }, { code: 'E_VALUE_RANGE', row: 0, column: 0 }],
    ['another width', [[1, 2]], { features: 3 }, { code: 'E_FEATURE_COUNT', expected: 3, actual: 2 }],
    ['an absent column', [{ a: 1 }], { names: ['a', 'b'] }, { code: 'E_FEATURE_MISSING', feature: 'b', row: 0 }],
    ['an extra column', [{ a: 1, b: 2 }], { names: ['a'] }, { code: 'E_FEATURE_UNKNOWN', feature: 'b', row: 0 }],
    ['an absent list', { a: [1] }, { names: ['a', 'b'] }, { code: 'E_FEATURE_MISSING', feature: 'b' }],
    ['an extra list', { a: [1], b: [2] }, { names: ['a'] }, { code: 'E_FEATURE_UNKNOWN', feature: 'b' }],
    ['lists of two lengths', { a: [1], b: [2, 3] }, {}, { code: 'E_SHAPE', feature: 'b', expected: 1, actual: 2 }],
    ['sparse where dense is needed', new SparseMatrix(1, 1, [0, 0], [], []), {}, { code: 'E_TYPE' }],
    ['arrays after objects', [{ a: 1 }, [1]], {}, { code: 'E_SHAPE', row: 1 }],
    ['a lone surrogate in a name', [{ '\ud800': 1 }], {}, { code: 'E_UNICODE' }],
  ])('%s', (_, X, expected, refusal) => {
    expect(codeOf(X, expected)).toMatchObject(refusal);
  });

  test('an invalid cell of a sparse row is reported with its row and column', () => {
    const X = new SparseMatrix(3, 9, [0, 1, 1, 3], [4, 2, 7], [1, 1, Number.NaN]);
    expect(codeOf(X, { sparse: true })).toMatchObject({ code: 'E_NOT_FINITE', row: 2, column: 7 });
  });
});

test('columns are matched by name, extra ones ignored on request, absent cells are missing where that is allowed', () => {
  const expected = { names: ['a', 'b'], extra: 'ignore', missing: true } as const;
  const { rows } = readFeatures([{ z: 9, b: 2, a: 1 }, { b: null }], expected);
  expect(cells(rows)).toEqual([1, 2, Number.NaN, Number.NaN]);
});

test('names of object properties are ordinary column names', () => {
  const names = ['__proto__', 'constructor', 'toString', ''];
  const row = Object.fromEntries(names.map((name, j) => [name, j + 1]));
  expect(readFeatures([row]).names).toEqual(names);
  expect(codeOf([{}], { names: ['__proto__'] })).toMatchObject({ code: 'E_FEATURE_MISSING', feature: '__proto__' });
});

test('an empty list of rows has as many features as the model expects', () => {
  expect(readFeatures([], { features: 3 }).rows).toMatchObject({ rows: 0, features: 3 });
});
