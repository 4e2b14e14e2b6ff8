import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { decodeState, encodeState, type State } from '../core/artifact.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { chi2 } from '../features/scores.ts';
import { ColumnTransformer } from './column-transformer.ts';
import { KBinsDiscretizer } from './kbins-discretizer.ts';
import { MdlpDiscretizer } from './mdlp-discretizer.ts';
import { OneHotEncoder } from './one-hot-encoder.ts';
import { OrdinalEncoder } from './ordinal-encoder.ts';
import { SelectKBest, SelectPercentile } from './select.ts';

/** What the promises are about. */
interface Subject {
  fit(X: never, y?: ArrayLike<Label>): unknown;
  transform(X: never): { toArray(): number[][] };
  fitTransform(X: never, y?: ArrayLike<Label>): { toArray(): number[][] };
  getParams(): object;
  getFeatureNamesOut(): string[];
  clone(): Subject;
  toState(): State;
  toBytes(): Uint8Array;
}

const numbers = Array.from({ length: 24 }, (_, i) => [Math.round(50 * Math.sin(i)) + 60, i % 5, i < 12 ? i : 40 + i]);
const words = numbers.map(([a, b]) => [a > 60 ? 'high' : '__proto__', b, b === 4 ? null : b > 2]);
const labels = numbers.map((_, i) => (i < 12 ? 'early' : 'late'));

type Revive = (state: State) => Subject;
const plain =
  (type: new (params: never) => { restore(state: State): unknown }): Revive =>
  (state) =>
    new type(state.params as never).restore(state) as Subject;

const kinds = { KBinsDiscretizer, MdlpDiscretizer, OrdinalEncoder, OneHotEncoder, SelectKBest, SelectPercentile };
const reviveAny = (state: State) => plain(kinds[state.kind as keyof typeof kinds] as never)(state);

const subjects: [
  name: string,
  make: (params?: object) => Subject,
  X: readonly (readonly unknown[])[],
  revive: Revive,
][] = [
  ['KBinsDiscretizer', (params) => new KBinsDiscretizer(params), numbers, reviveAny],
  [
    'KBinsDiscretizer of k-means',
    () => new KBinsDiscretizer({ strategy: 'kmeans', encode: 'ordinal' }),
    numbers,
    reviveAny,
  ],
  ['MdlpDiscretizer', (params) => new MdlpDiscretizer(params), numbers, reviveAny],
  ['OrdinalEncoder', (params) => new OrdinalEncoder(params), words, reviveAny],
  [
    'OrdinalEncoder of given categories',
    () =>
      new OrdinalEncoder({
        categories: [
          ['high', '__proto__'],
          [0, 1, 2, 3, 4, Number.NaN],
          [false, true, null],
        ],
      }),
    words,
    reviveAny,
  ],
  ['OneHotEncoder', (params) => new OneHotEncoder(params), words, reviveAny],
  [
    'OneHotEncoder with a drop',
    () => new OneHotEncoder({ drop: ['high', 2, Number.NaN], maxCategories: 4 }),
    words,
    reviveAny,
  ],
  ['SelectKBest', (params) => new SelectKBest({ k: 2, ...params }), numbers, reviveAny],
  [
    'SelectKBest of mutual information',
    () => new SelectKBest({ k: 1, scoreFunc: 'mutualInfoClassif' }),
    numbers,
    reviveAny,
  ],
  ['SelectKBest of chi-square', () => new SelectKBest({ k: 1, scoreFunc: chi2 }), numbers, reviveAny],
  ['SelectPercentile', (params) => new SelectPercentile({ percentile: 50, ...params }), numbers, reviveAny],
  [
    'ColumnTransformer',
    () =>
      new ColumnTransformer(
        [
          ['bins', new KBinsDiscretizer({ nBins: 2 }), [0]],
          ['drop', 'drop', [1]],
        ],
        { remainder: new MdlpDiscretizer() },
      ),
    numbers,
    (state) => ColumnTransformer.fromState(state, reviveAny as never),
  ],
];

const bytesOf = (subject: Subject) => Buffer.from(subject.toBytes()).toString('base64');

describe.each(subjects)('%s', (_, make, X, revive) => {
  const rows = X as never;
  const fitted = () => {
    const subject = make();
    subject.fit(rows, labels);
    return subject;
  };

  test('has parameters that make the same transformer again', () => {
    const subject = make();
    const again = new (subject.constructor as new (params: object) => Subject)(subject.getParams());
    expect(again.getParams()).toEqual(subject.getParams());
    expect(bytesOf(again)).toBe(bytesOf(subject));
  });

  test('has an unfitted clone', () => {
    const copy = fitted().clone();
    expect(refusalOf(() => copy.transform(rows)).code).toBe('E_NOT_FITTED');
    expect(refusalOf(() => copy.getFeatureNamesOut()).code).toBe('E_NOT_FITTED');
    expect(bytesOf(copy)).toBe(bytesOf(make()));
  });

  test('learns the same twice as once, and reads its rows only', () => {
    const frozen = Object.freeze(X.map((row) => Object.freeze([...row]))) as never;
    const subject = fitted();
    const once = bytesOf(subject);
    subject.fit(frozen, Object.freeze([...labels]));
    expect(bytesOf(subject)).toBe(once);
    subject.transform(frozen);
    expect(bytesOf(subject)).toBe(once);
  });

  test('transforms row by row as it transforms all, and as many columns as it names', () => {
    const subject = fitted();
    const all = subject.transform(rows).toArray();
    expect(X.flatMap((row) => subject.transform([row] as never).toArray())).toEqual(all);
    expect(make().fitTransform(rows, labels).toArray()).toEqual(all);
    expect(all[0]).toHaveLength(subject.getFeatureNamesOut().length);
    expect(subject.transform([] as never).toArray()).toEqual([]);
  });

  test('comes back from its bytes', () => {
    const subject = fitted();
    const back = revive(decodeState(encodeState(subject.toState())));
    expect(bytesOf(back)).toBe(bytesOf(subject));
    expect(back.transform(rows).toArray()).toEqual(subject.transform(rows).toArray());
    expect(back.getFeatureNamesOut()).toEqual(subject.getFeatureNamesOut());
    const blank = make();
    expect(bytesOf(revive(decodeState(encodeState(blank.toState()))))).toBe(bytesOf(blank));
  });

  test('keeps what it knew when learning fails', () => {
    const subject = fitted();
    const before = bytesOf(subject);
    const bad = [X[0], [{}, {}, {}]];
    expect(refusalOf(() => subject.fit(bad as never, ['a', 'b'])).code).not.toBe('accepted');
    expect(refusalOf(() => subject.fit([] as never, [])).code).toBe('E_EMPTY_INPUT');
    expect(bytesOf(subject)).toBe(before);
  });

  test('refuses another number of columns, and parameters that it does not have', () => {
    expect(refusalOf(() => fitted().transform([[1, 2]] as never)).code).toBe('E_FEATURE_COUNT');
    const type = make().constructor as new (params: object) => Subject;
    const extra = { ...make().getParams(), colour: 'red' };
    expect(refusalOf(() => new type(extra)).code).toBe('E_PARAM');
  });

  test('refuses a damaged file', () => {
    const state = fitted().toState();
    const damage = (change: Partial<State>) => refusalOf(() => revive({ ...state, ...change })).code;
    expect(damage({ learned: { ...state.learned, features: -1 } })).toBe('E_MODEL_CORRUPT');
    expect(damage({ learned: { ...state.learned, names: [1] } })).toBe('E_MODEL_CORRUPT');
    expect(damage({ learned: { ...state.learned, more: 1 } })).toBe('E_MODEL_CORRUPT');
    const extra = { shape: [1], data: new Float64Array(1) };
    if (state.kind !== 'ColumnTransformer')
      expect(damage({ arrays: { ...state.arrays, extra } })).toBe('E_MODEL_CORRUPT');
    if (Object.keys(state.arrays).length > 0) expect(damage({ arrays: {} })).toBe('E_MODEL_CORRUPT');
  });
});

describe.each(subjects.slice(0, 3))('%s with named rows', (_, make) => {
  const named = numbers.map(([a, b, c]) => ({ constructor: a, b, __proto__x: c }));

  test('matches columns by name and names what comes out after them', () => {
    const subject = make();
    subject.fit(named as never, labels);
    const turned = named.map(({ constructor, b, __proto__x }) => ({ __proto__x, b, constructor }));
    expect(subject.transform(turned as never).toArray()).toEqual(subject.transform(named as never).toArray());
    expect(subject.getFeatureNamesOut()[0]).toMatch(/^constructor/);
    expect(refusalOf(() => subject.transform([{ b: 1 }] as never)).code).toBe('E_FEATURE_MISSING');
    const back = reviveAny(decodeState(subject.toBytes()));
    expect(bytesOf(back)).toBe(bytesOf(subject));
  });
});

test('column names that are given are checked against those that were learned', () => {
  const model = new KBinsDiscretizer({ encode: 'ordinal' }).fit([{ a: 1 }, { a: 2 }] as Features);
  expect(model.getFeatureNamesOut(['a'])).toEqual(['a']);
  expect(refusalOf(() => model.getFeatureNamesOut(['b'])).code).toBe('E_FEATURE_UNKNOWN');
  expect(refusalOf(() => model.getFeatureNamesOut(['a', 'b'])).code).toBe('E_FEATURE_COUNT');
  expect([model.nFeaturesIn, model.featureNamesIn]).toEqual([1, ['a']]);
  const bare = new KBinsDiscretizer({ encode: 'ordinal' }).fit([[1], [2]]);
  expect(bare.getFeatureNamesOut(['given'])).toEqual(['given']);
  expect(bare.featureNamesIn).toBeUndefined();
});
