import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { decodeState, type State } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { ColumnTransformer } from './column-transformer.ts';
import { KBinsDiscretizer } from './kbins-discretizer.ts';
import { OneHotEncoder } from './one-hot-encoder.ts';
import { OrdinalEncoder } from './ordinal-encoder.ts';

const houses = [
  { area: 50, rooms: 2, kind: 'flat', street: 'A' },
  { area: 80, rooms: 3, kind: 'flat', street: 'B' },
  { area: 120, rooms: 5, kind: 'house', street: 'C' },
  { area: 200, rooms: 7, kind: 'house', street: 'D' },
];
const bins = () => new KBinsDiscretizer({ nBins: 2, encode: 'ordinal' });
const make = (options = {}) =>
  new ColumnTransformer(
    [
      ['size', bins(), ['area']],
      ['kind', new OneHotEncoder({ sparseOutput: false }), ['kind']],
    ],
    options,
  );

describe('ColumnTransformer', () => {
  test('puts what its steps answer side by side, under their names', () => {
    const model = make();
    expect(model.fitTransform(houses).toArray()).toEqual([
      [0, 1, 0],
      [0, 1, 0],
      [1, 0, 1],
      [1, 0, 1],
    ]);
    expect(model.getFeatureNamesOut()).toEqual(['size__area', 'kind__kind_flat', 'kind__kind_house']);
    expect(model.nFeaturesIn).toBe(4);
    expect([...model.namedTransformers.keys()]).toEqual(['size', 'kind', 'remainder']);
  });

  test('leaves the steps it was given unfitted', () => {
    const step = bins();
    new ColumnTransformer([['size', step, ['area']]]).fit(houses);
    expect(refusalOf(() => step.transform([[1]])).code).toBe('E_NOT_FITTED');
  });

  test('passes the other columns through, drops them, or sends them to a step', () => {
    const rooms = houses.map(({ street, ...rest }) => rest);
    const passed = make({ remainder: 'passthrough' });
    expect(passed.fitTransform(rooms).toArray()[2]).toEqual([1, 0, 1, 5]);
    expect(passed.getFeatureNamesOut()).toContain('remainder__rooms');
    const coded = make({ remainder: new OrdinalEncoder() });
    expect(coded.fitTransform(houses).toArray()[2]).toEqual([1, 0, 1, 2, 2]);
    expect(refusalOf(() => make({ remainder: 'passthrough' }).fit(houses)).code).toBe('E_TYPE');
    const holes = new ColumnTransformer([['p', 'passthrough', ['a']]]).fitTransform([{ a: null }, { a: 1 }]);
    expect(holes.toArray()).toEqual([[Number.NaN], [1]]);
  });

  test('finds named columns in any order, without those it drops and with strangers among them', () => {
    const model = make().fit(houses);
    const rows = houses.map(({ kind, area }) => ({ colour: 'red', kind, area }));
    expect(model.transform(rows).toArray()).toEqual(model.transform(houses).toArray());
    expect(refusalOf(() => model.transform([{ area: 1 }])).code).toBe('E_FEATURE_MISSING');
    const positional = houses.map(({ area, rooms, kind, street }) => [area, rooms, kind, street]);
    expect(model.transform(positional).toArray()).toEqual(model.transform(houses).toArray());
    expect(refusalOf(() => model.transform([[1]])).code).toBe('E_FEATURE_COUNT');
    expect(model.transform([]).toArray()).toEqual([]);
  });

  test('takes columns by number, from the end too, and by flags', () => {
    const rows = [
      [1, 10, 100],
      [2, 20, 200],
    ];
    const pick = (columns: never) =>
      new ColumnTransformer([['p', 'passthrough', columns]]).fitTransform(rows).toArray();
    expect(pick([2, 0] as never)).toEqual([
      [100, 1],
      [200, 2],
    ]);
    expect(pick([-1] as never)).toEqual([[100], [200]]);
    expect(pick([false, true, false] as never)).toEqual([[10], [20]]);
    expect(pick([] as never)).toEqual([[], []]);
    expect(pick(1 as never)).toEqual([[10], [20]]);
    const code = (columns: never) => refusalOf(() => pick(columns)).code;
    expect(code([3] as never)).toBe('E_FEATURE_MISSING');
    expect(code(['area'] as never)).toBe('E_FEATURE_MISSING');
    expect(code([true] as never)).toBe('E_SHAPE');
  });

  test('hands a single column on as a plain list, as text steps take it', () => {
    const lengths = {
      fit: () => lengths,
      transform: (texts: unknown) => (texts as string[]).map((text) => [text.length]),
      clone: () => lengths,
      getFeatureNamesOut: () => ['length'],
    };
    const model = new ColumnTransformer([['text', lengths, 'kind']]).fit(houses);
    expect(model.transform(houses).toArray()).toEqual([[4], [4], [5], [5]]);
    expect(model.getFeatureNamesOut()).toEqual(['text__length']);
    expect(refusalOf(() => model.toBytes()).code).toBe('E_PARAM');
  });

  test('is sparse where a step is and few cells are stored, and stays so', () => {
    const onehot = (sparseThreshold: number) =>
      new ColumnTransformer([['street', new OneHotEncoder(), ['street']]], { sparseThreshold });
    expect(onehot(0.3).fitTransform(houses)).toBeInstanceOf(SparseMatrix);
    expect(onehot(0.25).fitTransform(houses)).toBeInstanceOf(Matrix);
    expect(onehot(0.3).fit(houses).transform(houses.slice(0, 1))).toBeInstanceOf(SparseMatrix);
    const both = new ColumnTransformer(
      [
        ['street', new OneHotEncoder(), ['street']],
        ['n', 'passthrough', ['area']],
      ],
      {
        sparseThreshold: 1,
      },
    ).fitTransform(houses);
    expect(both).toBeInstanceOf(SparseMatrix);
    expect(both.toArray()[1]).toEqual([0, 1, 0, 0, 80]);
  });

  test('can leave the names of steps out where no two columns share one', () => {
    const plain = make({ verboseFeatureNamesOut: false }).fit(houses);
    expect(plain.getFeatureNamesOut()).toEqual(['area', 'kind_flat', 'kind_house']);
    const twice = new ColumnTransformer(
      [
        ['a', 'passthrough', ['area']],
        ['b', 'passthrough', ['area']],
      ],
      {
        verboseFeatureNamesOut: false,
      },
    ).fit(houses);
    expect(refusalOf(() => twice.getFeatureNamesOut()).code).toBe('E_FEATURE_DUPLICATE');
  });

  test('knows columns called 7, __proto__ and constructor', () => {
    const rows = [1, 2, 3].map((value) =>
      JSON.parse(`{"b": ${value}, "7": 5, "__proto__": "x${value}", "constructor": 1}`),
    );
    const model = new ColumnTransformer([
      ['codes', new OrdinalEncoder(), ['b', '7', '__proto__']],
      ['rest', 'passthrough', ['constructor']],
    ]).fit(rows);
    expect(model.getFeatureNamesOut()).toEqual(['codes__7', 'codes__b', 'codes____proto__', 'rest__constructor']);
    expect(model.transform(rows).toArray()[2]).toEqual([0, 2, 2, 1]);
  });

  test('comes back from its bytes with its steps', () => {
    const model = make({ remainder: new OrdinalEncoder() }).fit(houses);
    const revive = (state: State) =>
      new ({ KBinsDiscretizer, OneHotEncoder, OrdinalEncoder })[state.kind as 'OrdinalEncoder'](
        state.params as object,
      ).restore(state);
    const state = decodeState(model.toBytes());
    const back = ColumnTransformer.fromState(state, revive);
    expect(back.transform(houses).toArray()).toEqual(model.transform(houses).toArray());
    expect(back.toBytes()).toEqual(model.toBytes());
    expect(back.clone().toBytes()).toEqual(model.clone().toBytes());
    expect(make({ remainder: new OrdinalEncoder() }).restore(state).toBytes()).toEqual(model.toBytes());
    const damage = (change: object) =>
      refusalOf(() => ColumnTransformer.fromState({ ...state, ...change }, revive)).code;
    expect(damage({ params: { ...state.params, transformers: 1 } })).toBe('E_MODEL_CORRUPT');
    expect(damage({ params: { ...state.params, remainder: 9 } })).toBe('E_MODEL_CORRUPT');
    expect(damage({ learned: { ...state.learned, sparse: 1 } })).toBe('E_MODEL_CORRUPT');
    expect(damage({ params: { ...state.params, transformers: [1] } })).toBe('E_MODEL_CORRUPT');
  });

  test('refuses steps that are none', () => {
    const code = (routes: unknown, options = {}) =>
      refusalOf(() => new ColumnTransformer(routes as never, options)).code;
    expect(code(5)).toBe('E_PARAM');
    expect(code([['a']])).toBe('E_PARAM');
    expect(code([['a', bins(), {}]])).toBe('E_PARAM');
    expect(code([['a', 'keep', [0]]])).toBe('E_PARAM');
    expect(
      code([
        ['a', 'drop', [0]],
        ['a', 'drop', [1]],
      ]),
    ).toBe('E_PARAM');
    expect(code([['a__b', 'drop', [0]]])).toBe('E_PARAM');
    expect(code([['remainder', 'drop', [0]]])).toBe('E_PARAM');
    expect(code([], { remainder: 'keep' })).toBe('E_PARAM');
    expect(code([], { sparseThreshold: 2 })).toBe('E_PARAM');
    const odd = { fit: () => odd, transform: () => 'text', clone: () => odd };
    expect(refusalOf(() => new ColumnTransformer([['a', odd, [0]]]).fit([[1]])).code).toBe('E_TYPE');
    const short = { fit: () => short, transform: () => [[1]], clone: () => short };
    expect(refusalOf(() => new ColumnTransformer([['a', short, [0]]]).fit([[1], [2]])).code).toBe('E_SHAPE');
    const silent = { fit: () => silent, transform: () => [[1]], clone: () => silent };
    const model = new ColumnTransformer([['a', silent, [0]]]).fit([[1]]);
    expect(refusalOf(() => model.getFeatureNamesOut()).code).toBe('E_PARAM');
  });
});
