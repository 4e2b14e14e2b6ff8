import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { decodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { restore } from '../estimators/restore.ts';
import { fitAsync, partialFitAsync, transformAsync } from './async-documents.ts';
import { inverseTransform } from './inverse.ts';
import { prune } from './pruning.ts';

const codeOf = (act: () => unknown) => refusalOf(act).code;
const reload = (vectorizer: CountVectorizer) => {
  const state = decodeState(vectorizer.toBytes());
  return restore(new CountVectorizer(state.params as object), state);
};

const words = fc.constantFrom(
  'aa',
  'bb',
  'cc',
  'Dd',
  'été',
  '北京',
  '𝒜𝒜',
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
);
const documents = fc.array(words, { maxLength: 6 }).map((list) => list.join(' '));
const corpora = fc.array(documents, { minLength: 1, maxLength: 8 }).filter((list) => list.some((text) => text !== ''));
const shapes = fc.constantFrom(
  {},
  { binary: true },
  { ngramRange: [1, 2] as const },
  { analyzer: 'char' as const, ngramRange: [2, 3] as const },
);

describe('learning in parts', () => {
  check.prop([corpora, fc.nat(), shapes])(
    'partialFit over any partition in any order equals fit',
    (all, where, options) => {
      const whole = new CountVectorizer(options).fit(all);
      const cut = where % all.length;
      const parts = [all.slice(cut), all.slice(0, cut)].filter((part) => part.some((text) => text !== ''));
      const rest = all.filter((text) => text === '');
      const inParts = new CountVectorizer(options);
      for (const part of parts) inParts.partialFit(part);
      const counted = parts.flat().length;
      if (counted < all.length) inParts.partialFit(rest.slice(0, all.length - counted));
      expect(inParts.toBytes()).toEqual(whole.toBytes());
      expect(inParts.transform(all)).toEqual(whole.transform(all));
    },
  );

  check.prop([corpora, corpora, shapes])('unlearn restores the earlier state', (kept, gone, options) => {
    const vectorizer = new CountVectorizer(options).fit(kept);
    const before = vectorizer.toBytes();
    expect(vectorizer.partialFit(gone).unlearn(gone).toBytes()).toEqual(before);
    vectorizer.unlearn(kept);
    expect(codeOf(() => vectorizer.transform(['aa']))).toBe('E_NOT_FITTED');
  });

  check.prop([corpora, corpora, shapes])('merge equals learning both, in either order', (a, b, options) => {
    const learn = (part: string[]) => new CountVectorizer(options).fit(part);
    const both = learn([...a, ...b]).toBytes();
    expect(learn(a).merge(learn(b)).toBytes()).toEqual(both);
    expect(learn(b).merge(learn(a)).toBytes()).toEqual(both);
    expect(new CountVectorizer(options).merge(learn(a)).toBytes()).toEqual(learn(a).toBytes());
    expect(learn(a).merge(new CountVectorizer(options)).toBytes()).toEqual(learn(a).toBytes());
  });

  check.prop([corpora, fc.array(fc.nat(2), { minLength: 8, maxLength: 8 })])(
    'weight k equals k copies',
    (all, weights) => {
      const sampleWeight = all.map((_, i) => weights[i]);
      const copies = all.flatMap((text, i) => Array<string>(weights[i]).fill(text));
      fc.pre(copies.some((text) => text !== ''));
      const weighted = new CountVectorizer().fit(all, undefined, { sampleWeight });
      expect(weighted.toBytes()).toEqual(new CountVectorizer().fit(copies).toBytes());
    },
  );

  test('a vocabulary grows in sorted order, and is pruned only by an explicit rule', () => {
    const vectorizer = new CountVectorizer({ minDf: 2 }).partialFit(['cat dog']).partialFit(['ant cat']);
    expect([...vectorizer.vocabulary]).toEqual([['ant', 0], ['cat', 1], ['dog', 2]]); // biome-ignore format: pairs
    expect([...vectorizer.documentFrequency]).toEqual([1, 2, 1]);
    expect(prune(vectorizer).getFeatureNamesOut()).toEqual(['cat']);
    vectorizer.partialFit(['dog cat']); // "dog" comes back as a new term
    expect([...vectorizer.documentFrequency]).toEqual([3, 1]);
    expect(vectorizer.unlearn(['cat dog']).unlearn(['ant cat']).getFeatureNamesOut()).toEqual(['cat']);
    expect(vectorizer.documentCount).toBe(1);
  });

  test('different parameters do not merge', () => {
    const fitted = (options: object) => new CountVectorizer(options).fit(['aa bb']);
    const tokenizer = (text: string) => text.split(' ');
    expect(codeOf(() => fitted({}).merge(fitted({ binary: true })))).toBe('E_MERGE_MISMATCH');
    expect(codeOf(() => fitted({ tokenizer }).merge(fitted({ tokenizer: (text: string) => [text] })))).toBe(
      'E_MERGE_MISMATCH',
    );
    expect(fitted({ tokenizer }).merge(fitted({ tokenizer })).documentCount).toBe(2);
  });

  test('counts stop at 2^53 − 1', () => {
    const heavy = { sampleWeight: Number.MAX_SAFE_INTEGER };
    const vectorizer = new CountVectorizer().fit(['aa'], undefined, heavy);
    expect(codeOf(() => vectorizer.partialFit(['aa']))).toBe('E_COUNT_OVERFLOW');
    expect(vectorizer.documentCount).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('weights are validated', () => {
    const weighted = (sampleWeight: number[]) => () =>
      new CountVectorizer().fit(['aa', 'bb'], undefined, { sampleWeight });
    expect(codeOf(weighted([1]))).toBe('E_WEIGHT_SHAPE');
    expect(codeOf(weighted([1, -1]))).toBe('E_WEIGHT_INVALID');
    expect(codeOf(weighted([0, 0]))).toBe('E_WEIGHTS_ALL_ZERO');
  });
});

describe('inputs', () => {
  const expected = new CountVectorizer().fitTransform(['aa bb', 'été aa']);

  test('strings, generators and bytes give the same', () => {
    const bytes = ['aa bb', 'été aa'].map((text) => new TextEncoder().encode(text));
    function* one() {
      yield 'aa bb';
      yield bytes[1];
    }
    expect(new CountVectorizer().fitTransform(bytes)).toEqual(expected);
    expect(new CountVectorizer().fitTransform(one())).toEqual(expected);
    expect(bytes[0]).toEqual(new TextEncoder().encode('aa bb'));
  });

  test('documents may be an async iterable', async () => {
    async function* stream() {
      yield 'aa bb';
      await Promise.resolve();
      yield 'été aa';
    }
    const vectorizer = await fitAsync(new CountVectorizer(), stream());
    expect(await transformAsync(vectorizer, stream())).toEqual(expected);
    expect((await partialFitAsync(vectorizer, stream())).documentCount).toBe(4);
    await expect(fitAsync(vectorizer, 'aa' as never)).rejects.toMatchObject({ code: 'E_TYPE' });
  });

  test('rows convert back to terms', () => {
    const vectorizer = new CountVectorizer().fit(['bb aa cc']);
    expect(inverseTransform(vectorizer, vectorizer.transform(['cc aa', 'zz']))).toEqual([['aa', 'cc'], []]);
    expect(inverseTransform(vectorizer, Matrix.from([[0, 2, 0]]))).toEqual([['bb']]);
    expect(inverseTransform(vectorizer, [[0, 2, 1]])).toEqual([['bb', 'cc']]);
    expect(codeOf(() => inverseTransform(vectorizer, new Matrix(1, 2)))).toBe('E_FEATURE_COUNT');
  });

  test('transform of an empty list is a matrix without rows', () => {
    expect(new CountVectorizer().fit(['aa bb']).transform([])).toMatchObject({ rows: 0, cols: 2 });
  });

  test('types: a string is not a list of documents, and rows are sparse', () => {
    expectTypeOf<string>().not.toExtend<Parameters<CountVectorizer['fit']>[0]>();
    expectTypeOf<string[]>().toExtend<Parameters<CountVectorizer['fit']>[0]>();
    expectTypeOf<Uint8Array[]>().toExtend<Parameters<CountVectorizer['fit']>[0]>();
    expectTypeOf<number[][]>().not.toExtend<Parameters<CountVectorizer['transform']>[0]>();
    expectTypeOf<CountVectorizer['transform']>().returns.toEqualTypeOf<SparseMatrix>();
  });
});

test('functions of the caller that return something other than text are rejected', () => {
  const options: [string, object][] = [
    ['E_TYPE', { preprocessor: async (text: string) => text }],
    ['E_TYPE', { tokenizer: (text: string) => text }],
    ['E_TYPE', { tokenizer: (text: string) => [text.length] }],
    ['E_TYPE', { analyzer: () => null }],
    ['E_TYPE', { stemmer: async (word: string) => word }],
    ['E_TYPE', { stripAccents: () => undefined }],
    ['E_UNICODE', { analyzer: (text: string) => text.split('') }],
  ];
  for (const [code, option] of options) expect(codeOf(() => new CountVectorizer(option).fit(['word 😀']))).toBe(code);
});

describe('parameters and files', () => {
  test('getParams → construct → getParams is the identity, and a clone is unfitted', () => {
    const given = {
      stopWords: ['a'],
      vocabulary: ['x', 'y'],
      tokenPattern: /\w+/,
      ngramRange: [1, 2] as const,
      minDf: { share: 0.5 },
    };
    const vectorizer = new CountVectorizer(given);
    expect(new CountVectorizer(vectorizer.getParams()).getParams()).toEqual(vectorizer.getParams());
    expect(vectorizer.getParams().lowercase).toBe(true);
    expect(codeOf(() => new CountVectorizer().fit(['aa']).clone().vocabulary)).toBe('E_NOT_FITTED');
  });

  test('a file keeps the name of a function; the caller passes the function again', () => {
    const stemmer = (word: string) => word.slice(0, 2);
    const vectorizer = new CountVectorizer({ stemmer, tokenPattern: /[a-z]+/g }).fit(['apple apricot']);
    const state = decodeState(vectorizer.toBytes());
    const found = restore(new CountVectorizer(state.params as object), state);
    expect(found.getFeatureNamesOut()).toEqual(['ap']);
    expect(found.getParams().stemmer).toEqual({ function: 'stemmer' });
  });

  test('a file without its function loads, but cannot analyze text', () => {
    const state = decodeState(new CountVectorizer({ analyzer: (text: string) => [text] }).fit(['a']).toBytes());
    expect(codeOf(() => restore(new CountVectorizer(state.params as object), state).transform(['a']))).toBe('E_PARAM');
    const whole = restore(new CountVectorizer({ analyzer: (text: string) => [text] }), state);
    expect(whole.transform(['a']).toArray()).toEqual([[1]]);
  });

  test('a damaged state is E_MODEL_CORRUPT', () => {
    const { kind, params, learned, arrays } = new CountVectorizer().fit(['aa bb']).toState();
    const f64 = (...data: number[]) => ({ shape: [data.length], data: Float64Array.from(data) });
    const u32 = (...data: number[]) => ({ shape: [data.length], data: Uint32Array.from(data) });
    const damages: object[] = [
      { learned: { ...learned, documents: -1 } },
      { learned: { documents: 1 } },
      { learned: { ...learned, more: 1 } },
      { arrays: { ...arrays, df: f64(1) } },
      { arrays: { ...arrays, df: f64(1, Number.NaN) } },
      { arrays: { ...arrays, more: f64(1) } },
      { arrays: { ...arrays, ends: u32(2, 3) } },
      { arrays: { ...arrays, ends: u32(5, 4) } },
      { arrays: { ...arrays, ends: f64(2, 4) } },
      { arrays: { ...arrays, terms: { shape: [4], data: new TextEncoder().encode('bbaa') } } },
      { arrays: { ...arrays, terms: { shape: [4], data: Uint8Array.of(0xff, 0x61, 0x62, 0x62) } } },
    ];
    for (const damage of damages) {
      expect(codeOf(() => restore(new CountVectorizer(), { kind, params, learned, arrays, ...damage }))).toBe(
        'E_MODEL_CORRUPT',
      );
    }
  });

  test('any well-formed string is an ordinary token', () => {
    const text = ['__proto__ constructor toString valueOf hasOwnProperty'];
    const vectorizer = new CountVectorizer({ lowercase: false }).fit(text);
    expect(vectorizer.getFeatureNamesOut()).toEqual([
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'toString',
      'valueOf',
    ]);
    expect(reload(vectorizer).transform(text).toArray()).toEqual([[1, 1, 1, 1, 1]]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('the matrix is in canonical form', () => {
    const X = new CountVectorizer().fitTransform(['cc aa cc', '', 'bb']);
    expect(X).toEqual(new SparseMatrix(3, 3, [0, 2, 2, 3], [0, 2, 1], [1, 2, 1]));
  });
});
