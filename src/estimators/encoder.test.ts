import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test, vi } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { decodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { OneHotEncoder } from './one-hot-encoder.ts';
import { OrdinalEncoder } from './ordinal-encoder.ts';

const odd = ['__proto__', 'constructor', 'toString', '', 'hasOwnProperty', 'é', '\u{20000}', '\uff21', 'nan', 'null'];
const cells = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
);
const tables = fc.array(fc.tuple(cells, fc.option(fc.integer()), fc.option(fc.boolean())), {
  minLength: 1,
  maxLength: 15,
});

/** Rows with missing cells as the encoder shows them: NaN among numbers, null elsewhere. */
const shown = (rows: readonly (readonly unknown[])[]) => {
  const numeric = rows.some(([, number]) => number !== null);
  return rows.map(([text, number, truth]) => [text, number === null && numeric ? Number.NaN : number, truth]);
};

describe.each([
  ['OrdinalEncoder', () => new OrdinalEncoder()],
  ['OneHotEncoder', () => new OneHotEncoder()],
  ['OneHotEncoder without the first', () => new OneHotEncoder({ drop: 'first' })],
])('%s', (_, make: () => OrdinalEncoder | OneHotEncoder) => {
  law.prop([tables])('gives back any categories it was given', (rows) => {
    const model = make();
    expect(model.inverseTransform(model.fitTransform(rows))).toEqual(shown(rows));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  law.prop([tables, fc.nat()])('does not depend on the order of the rows', (rows, shift) => {
    const turned = [...rows.slice(shift % rows.length), ...rows.slice(0, shift % rows.length)];
    expect(make().fit(turned).toBytes()).toEqual(make().fit(rows).toBytes());
  });

  test('takes rows of objects and columns by name alike', () => {
    const rows = [
      { size: 'S', __proto__x: 1 },
      { size: 'L', __proto__x: 2 },
    ];
    const columns = { size: ['S', 'L'], __proto__x: [1, 2] };
    expect(make().fitTransform(columns).toArray()).toEqual(make().fitTransform(rows).toArray());
    const model = make().fit(rows);
    expect(refusalOf(() => model.transform([{ size: 'S' }])).code).toBe('E_FEATURE_MISSING');
    expect(refusalOf(() => model.transform([{ ...rows[0], colour: 1 }])).code).toBe('E_FEATURE_UNKNOWN');
    expect(refusalOf(() => model.transform({ size: ['S'] })).code).toBe('E_FEATURE_MISSING');
    expect(refusalOf(() => model.transform({ ...columns, colour: [1, 2] })).code).toBe('E_FEATURE_UNKNOWN');
    expect(refusalOf(() => model.transform({ size: ['S'], __proto__x: [1, 2] })).code).toBe('E_SHAPE');
    expect(refusalOf(() => model.transform({ size: 'S', __proto__x: [1] } as never)).code).toBe('E_SHAPE');
  });

  test('leaves rows of no weight out', () => {
    const rows = [['a'], ['b'], ['c']];
    expect(make().fit(rows, undefined, { sampleWeight: [1, 0, 2] }).categories).toEqual([['a', 'c']]);
  });

  test('refuses cells that are no categories, and rows that are no rows', () => {
    const code = (rows: unknown) => refusalOf(() => make().fit(rows as never)).code;
    expect(code([['a'], [1]])).toBe('E_TYPE');
    expect(code([[new Date()]])).toBe('E_TYPE');
    expect(code([[1n]])).toBe('E_TYPE');
    expect(code([[Infinity]])).toBe('E_NOT_FINITE');
    expect(code([['\ud800']])).toBe('E_UNICODE');
    expect(code([['a'], ['a', 'b']])).toBe('E_SHAPE');
    expect(code([['a'], 'b'])).toBe('E_SHAPE');
    expect(code([{ a: 1 }, 'b'])).toBe('E_SHAPE');
    expect(code(['a', 'b'])).toBe('E_SHAPE');
    expect(code('ab')).toBe('E_SHAPE');
    expect(code([[]])).toBe('E_EMPTY_INPUT');
    const unknown = refusalOf(() =>
      make()
        .fit([['a'], ['b']])
        .transform([['a'], ['c']]),
    );
    expect(unknown).toEqual({ code: 'E_CATEGORY_UNKNOWN', details: { row: 1, column: 0, category: 'c' } });
    const holes = refusalOf(() =>
      make()
        .fit([['a']])
        .transform([[null]]),
    );
    expect(holes.details).toEqual({ row: 0, column: 0, category: null });
  });

  test('refuses a file whose categories are not what they should be', () => {
    const state = make()
      .fit([
        ['a', 1],
        ['b', 2],
      ])
      .toState();
    const [first, second] = state.learned.columns as Record<string, unknown>[];
    const type = make().constructor as new (params: object) => OrdinalEncoder;
    const damage = (columns: unknown) =>
      refusalOf(() => new type(state.params).restore({ ...state, learned: { ...state.learned, columns } as never }))
        .code;
    expect(damage([first])).toBe('E_MODEL_CORRUPT');
    expect(damage([first, null])).toBe('E_MODEL_CORRUPT');
    expect(damage([first, { ...second, type: 'string' }])).toBe('E_MODEL_CORRUPT');
    expect(damage([first, { ...second, values: [1, 1] }])).toBe('E_MODEL_CORRUPT');
    expect(damage([first, { ...second, values: [1, 'x'] }])).toBe('E_MODEL_CORRUPT');
    expect(damage([first, { ...second, rare: [2] }])).toBe('E_MODEL_CORRUPT');
    expect(damage([first, { ...second, rare: [1, 0] }])).toBe('E_MODEL_CORRUPT');
  });
});

describe('OrdinalEncoder', () => {
  test('sorts strings by code point and numbers by size', () => {
    const rows = [
      ['b', 10],
      ['\u{20000}', 9],
      ['\uff21', -1],
      ['C', 0],
      ['a', 2],
    ];
    expect(new OrdinalEncoder().fit(rows).categories).toEqual([
      ['C', 'a', 'b', '\uff21', '\u{20000}'],
      [-1, 0, 2, 9, 10],
    ]);
  });

  test('codes null, undefined and NaN alike, as NaN or as requested', () => {
    const rows = [['a'], [null], [undefined], [Number.NaN], ['b']];
    expect(new OrdinalEncoder().fitTransform(rows).toArray().flat()).toEqual([
      0,
      Number.NaN,
      Number.NaN,
      Number.NaN,
      1,
    ]);
    const encoder = new OrdinalEncoder({ encodedMissingValue: -2 }).fit(rows);
    expect(encoder.transform(rows).toArray().flat()).toEqual([0, -2, -2, -2, 1]);
    expect(encoder.inverseTransform([[-2]])).toEqual([[null]]);
  });

  test('codes unknown categories as requested, NaN among them, and keeps that in a file', () => {
    const model = new OrdinalEncoder({ handleUnknown: 'use_encoded_value', unknownValue: Number.NaN }).fit([['a']]);
    expect(model.transform([['z']]).toArray()).toEqual([[Number.NaN]]);
    expect(model.inverseTransform([[Number.NaN]])).toEqual([[null]]);
    const state = decodeState(model.toBytes());
    const back = new OrdinalEncoder(state.params as object).restore(state);
    expect(back.getParams()).toEqual(model.getParams());
  });

  test('groups infrequent categories and keeps them apart from missing ones', () => {
    const rows = [['a'], ['b'], ['b'], ['c'], [null], [null]];
    const model = new OrdinalEncoder({ minFrequency: 2 }).fit(rows);
    expect(model.transform(rows).toArray().flat()).toEqual([1, 0, 0, 1, Number.NaN, Number.NaN]);
    expect(model.infrequentCategories).toEqual([['a', 'c']]);
    expect(model.inverseTransform([[0], [1], [Number.NaN]])).toEqual([['b'], ['infrequent_sklearn'], [null]]);
  });

  test('takes a matrix, dense or sparse', () => {
    expect(new OrdinalEncoder().fitTransform(Matrix.from([[3], [0]])).toArray()).toEqual([[1], [0]]);
    const sparse = SparseMatrix.fromRows([[[0, 3]], []], 1);
    expect(new OrdinalEncoder().fitTransform(sparse).toArray()).toEqual([[1], [0]]);
  });

  test('refuses parameters that contradict each other or the categories', () => {
    const code = (options: object, rows?: unknown[][]) =>
      refusalOf(() => {
        const model = new OrdinalEncoder(options);
        if (rows) model.fit(rows);
      }).code;
    expect(code({ unknownValue: 1 })).toBe('E_PARAM');
    expect(code({ handleUnknown: 'use_encoded_value' })).toBe('E_PARAM');
    expect(code({ handleUnknown: 'use_encoded_value', unknownValue: 1.5 })).toBe('E_PARAM');
    expect(code({ handleUnknown: 'use_encoded_value', unknownValue: 0 }, [['a']])).toBe('E_PARAM');
    expect(code({ encodedMissingValue: 0 }, [['a'], [null]])).toBe('E_PARAM');
    expect(code({ encodedMissingValue: 0 }, [['a']])).toBe('accepted');
    expect(code({ minFrequency: 1.5 })).toBe('E_PARAM');
    expect(code({ maxCategories: 0 })).toBe('E_PARAM');
    expect(code({ categories: [1] })).toBe('E_PARAM');
    expect(code({ categories: [['a'], ['b']] }, [['a']])).toBe('E_PARAM');
    expect(code({ categories: [['a', 'a']] }, [['a']])).toBe('E_PARAM');
    expect(code({ categories: [[null, 'a']] }, [['a']])).toBe('E_PARAM');
    expect(code({ categories: [['b']] }, [['a']])).toBe('E_CATEGORY_UNKNOWN');
    const model = new OrdinalEncoder().fit([['a']]);
    expect(refusalOf(() => model.inverseTransform([[7]])).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => model.inverseTransform([[0, 0]])).code).toBe('E_FEATURE_COUNT');
  });
});

describe('OneHotEncoder', () => {
  const rows = [
    ['a', true],
    ['b', false],
    ['b', true],
    ['c', null],
  ];

  test('names columns after feature and category', () => {
    const model = new OneHotEncoder().fit(rows);
    expect(model.getFeatureNamesOut(['letter', 'ok'])).toEqual([
      'letter_a',
      'letter_b',
      'letter_c',
      'ok_False',
      'ok_True',
      'ok_None',
    ]);
    expect(model.dropIdx).toBeNull();
    expect(model.transform(rows)).toBeInstanceOf(SparseMatrix);
    expect(new OneHotEncoder({ sparseOutput: false }).fitTransform(rows)).toBeInstanceOf(Matrix);
  });

  test('drops the listed categories, the missing one too', () => {
    const model = new OneHotEncoder({ drop: ['b', null] }).fit(rows);
    expect(model.dropIdx).toEqual([1, 2]);
    expect(model.transform(rows).toArray()).toEqual([
      [1, 0, 0, 1],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [0, 1, 0, 0],
    ]);
    expect(
      new OneHotEncoder({ drop: 'if_binary' }).fit([
        ['a', 1],
        ['b', 2],
        ['a', 3],
      ]).dropIdx,
    ).toEqual([0, null]);
    const code = (drop: never, options = {}) => refusalOf(() => new OneHotEncoder({ drop, ...options }).fit(rows)).code;
    expect(code(['z', true] as never)).toBe('E_PARAM');
    expect(code(['a'] as never)).toBe('E_PARAM');
    expect(code(['a', true] as never, { minFrequency: 2 })).toBe('E_PARAM');
    expect(code('last' as never)).toBe('E_PARAM');
  });

  test('reads rows of zeros as unknown where that can be, and refuses them elsewhere', () => {
    const zeros = [[0, 0, 0, 0, 0, 0]];
    expect(new OneHotEncoder({ handleUnknown: 'ignore' }).fit(rows).inverseTransform(zeros)).toEqual([[null, null]]);
    expect(refusalOf(() => new OneHotEncoder().fit(rows).inverseTransform(zeros)).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => new OneHotEncoder().fit(rows).inverseTransform([[1]])).code).toBe('E_FEATURE_COUNT');
  });

  test('unknown categories with a warning are infrequent ones, or all zeros', () => {
    const warning = vi.spyOn(console, 'warn').mockReturnValue();
    const model = new OneHotEncoder({ handleUnknown: 'warn', minFrequency: 2, sparseOutput: false });
    model.fit([['a'], ['a'], ['b'], ['c']]);
    expect(model.transform([['z'], ['a'], ['b']]).toArray()).toEqual([
      [0, 1],
      [1, 0],
      [0, 1],
    ]);
    expect(warning).toHaveBeenCalledWith('OneHotEncoder: unknown categories in columns 0');
    const plain = new OneHotEncoder({ handleUnknown: 'warn' }).fit([['a'], ['b']]);
    expect(plain.transform([['z']]).toArray()).toEqual([[0, 0]]);
    expect(plain.inverseTransform([[0, 0]])).toEqual([[null]]);
    warning.mockRestore();
  });
});
