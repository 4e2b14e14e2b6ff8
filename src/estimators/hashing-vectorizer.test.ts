import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { decodeState } from '../core/artifact.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { murmur3 } from '../math/murmur3.ts';
import { transformAsync } from '../text/async-documents.ts';
import { HashingVectorizer } from './hashing-vectorizer.ts';

const sklearn = JSON.parse(readFileSync(new URL('../../test/reference/text/sklearn.json', import.meta.url), 'utf8'));
const many: string[] = [...sklearn.texts.filter((text: string) => text.trim()), ...sklearn.corpus];

describe('hashes and rows are those of scikit-learn 1.9.1', () => {
  test('MurmurHash3 of words in any script', () => {
    for (const [term, hash] of sklearn.murmur) expect(murmur3(new TextEncoder().encode(term)), term).toBe(hash);
  });

  for (const { options, X } of sklearn.hashed) {
    test(`with ${JSON.stringify(options)}`, () => {
      const expected = new SparseMatrix(X.shape[0], X.shape[1], X.indptr, X.indices, X.data); // without stored zeros
      const actual = new HashingVectorizer(options).transform(many);
      expect(actual.indptr).toEqual(expected.indptr);
      expect(actual.indices).toEqual(expected.indices);
      expectClose(actual.data, expected.data, 1e-15);
    });
  }

  test('a column is |h| mod n for every hash', () => {
    const X = new HashingVectorizer({ nFeatures: 1000, norm: null }).transform(['first this']);
    expect([...X.indices]).toEqual([582, 736]);
    expect([...X.data]).toEqual([1, -1]);
  });
});

describe('it learns nothing', () => {
  test('so it needs no fit, and any number of documents leave it as it was', async () => {
    const vectorizer = new HashingVectorizer();
    const before = vectorizer.toBytes();
    const expected = vectorizer.transform(['aa bb']);
    expect(vectorizer.fit(['xx']).partialFit(['yy']).unlearn(['zz']).fitTransform(['aa bb'])).toEqual(expected);
    expect(await transformAsync(vectorizer, ['aa bb'])).toEqual(expected);
    expect(vectorizer.toBytes()).toEqual(before);
    const state = decodeState(before);
    expect(new HashingVectorizer(state.params as object).restore(state).transform(['aa bb'])).toEqual(expected);
    expect(refusalOf(() => vectorizer.restore({ ...state, learned: { a: 1 } })).code).toBe('E_MODEL_CORRUPT');
  });

  test('a string is refused, and so are impossible parameters', () => {
    const codeOf = (act: () => unknown) => refusalOf(act).code;
    expect(codeOf(() => new HashingVectorizer().fit('aa' as never))).toBe('E_TYPE');
    expect(codeOf(() => new HashingVectorizer().transform('aa' as never))).toBe('E_TYPE');
    expect(codeOf(() => new HashingVectorizer({ nFeatures: 0 }))).toBe('E_PARAM');
    expect(codeOf(() => new HashingVectorizer({ vocabulary: ['a'] } as object))).toBe('E_PARAM');
  });

  test('columns may be two thousand million', () => {
    const wide = new HashingVectorizer({ nFeatures: 2 ** 31 - 1, norm: null }).transform(['first this is', 'is is']);
    expect([...wide.indices]).toEqual([21141582, 1443829736, 2021799277, 2021799277]);
    expect([...wide.data]).toEqual([1, -1, 1, 2]);
  });

  test('no documents give no rows', () => {
    expect(new HashingVectorizer().transform([])).toMatchObject({ rows: 0, cols: 2 ** 20 });
  });
});
