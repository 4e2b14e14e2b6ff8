import { readFileSync } from 'node:fs';
import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { decodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { restore } from './restore.ts';
import { TfidfTransformer } from './tfidf-transformer.ts';
import { sqrtTf, TfidfVectorizer } from './tfidf-vectorizer.ts';

const sklearn = JSON.parse(readFileSync(new URL('../../test/reference/text/sklearn.json', import.meta.url), 'utf8'));
const corpus: string[] = sklearn.corpus;
const codeOf = (act: () => unknown) => refusalOf(act).code;

function expectMatrix(actual: SparseMatrix, expected: { indptr: number[]; indices: number[]; data: number[] }): void {
  expect([...actual.indptr]).toEqual(expected.indptr);
  expect([...actual.indices]).toEqual(expected.indices);
  expectClose(actual.data, expected.data, 1e-15);
}

describe('weights are those of scikit-learn 1.9.1', () => {
  for (const { options, X, T, idf } of sklearn.tfidf) {
    test(`with ${JSON.stringify(options)}`, () => {
      const vectorizer = new TfidfVectorizer(options);
      expectMatrix(vectorizer.fitTransform(corpus), X);
      expectMatrix(vectorizer.transform(corpus), X);
      const transformer = new TfidfTransformer(options);
      expectMatrix(transformer.fitTransform(new CountVectorizer().fitTransform(corpus)), T);
      if (!idf) expect(codeOf(() => vectorizer.idf)).toBe('E_PARAM');
      else for (const learned of [vectorizer, transformer]) expectClose(learned.idf, idf, 1e-15);
    });
  }

  test('the four documents of its documentation', () => {
    const vectorizer = new TfidfVectorizer();
    const [, second] = vectorizer.fitTransform(corpus).toArray();
    const weight = (term: string) => second[vectorizer.vocabulary.get(term)!];
    expectClose(
      ['document', 'is', 'the', 'this', 'second'].map(weight),
      [0.6876235979836938, 0.281088674033753, 0.281088674033753, 0.281088674033753, 0.5386476208856763],
      1e-15,
    );
    expectClose(
      vectorizer.idf,
      [
        1.916290731874155, 1.2231435513142097, 1.5108256237659907, 1, 1.916290731874155, 1.916290731874155, 1,
        1.916290731874155, 1,
      ],
      1e-15,
    );
  });
});

describe('beyond scikit-learn', () => {
  test('tf may be a root, a logarithm or presence: 4 and 9 of length 1', () => {
    const rows = (tf: 'sqrt' | 'log1p' | 'binary' | 'raw' | 'sublinear') =>
      new TfidfTransformer({ tf, useIdf: false, norm: null }).fitTransform([[4, 0, 9]]).toArray()[0];
    expectClose(rows('sqrt'), [2, 0, 3]);
    expectClose(rows('log1p'), [Math.log(5), 0, Math.log(10)]);
    expectClose(rows('sublinear'), [1 + Math.log(4), 0, 1 + Math.log(9)]);
    expect(rows('binary')).toEqual([1, 0, 1]);
    expect(rows('raw')).toEqual([4, 0, 9]);
  });

  test('square roots of counts in rows of length 1 are one word away', () => {
    const vectorizer = sqrtTf({ ngramRange: [1, 2] });
    expect(vectorizer.getParams()).toMatchObject({ tf: 'sqrt', useIdf: false, norm: 'l2', ngramRange: [1, 2] });
    const [row] = sqrtTf().fitTransform(['aa aa aa aa bb bb bb bb bb bb bb bb bb']).toArray();
    expectClose(row, [2 / Math.sqrt(13), 3 / Math.sqrt(13)]);
  });

  test('a column that no row holds has a finite idf without smoothing', () => {
    const transformer = new TfidfTransformer({ smoothIdf: false }).fit([[1, 0], [2, 0]]); // biome-ignore format: rows
    expectClose(transformer.idf, [1, Math.log(2) + 1]);
    expectClose(transformer.transform([[0, 3]]).toArray()[0], [0, 1]);
  });

  test('1 + ln tf of a fraction may be zero, and zeros are not stored', () => {
    const X = new TfidfTransformer({ tf: 'sublinear', useIdf: false, norm: null }).fitTransform([[1 / Math.E, 1]]);
    expect(X.toArray()[0].length).toBe(2);
    expect([...X.data]).not.toContain(0);
  });

  test('two different curves at once, or a root of a negative count, are refused', () => {
    expect(codeOf(() => new TfidfTransformer({ sublinearTf: true, tf: 'sqrt' }))).toBe('E_PARAM');
    expect(codeOf(() => new TfidfVectorizer({ sublinearTf: true, tf: 'log1p' }))).toBe('E_PARAM');
    expect(codeOf(() => new TfidfTransformer({ norm: 'l3' } as object))).toBe('E_PARAM');
    expect(codeOf(() => new TfidfTransformer({ tf: 'sqrt' }).fit([[-1]]))).toBe('E_NEGATIVE');
    expect(new TfidfTransformer().fitTransform([[-2]]).toArray()).toEqual([[-1]]);
  });

  test('a vocabulary without documents knows no idf', () => {
    const vectorizer = new TfidfVectorizer({ vocabulary: ['aa'] });
    expect(codeOf(() => vectorizer.transform(['aa']))).toBe('E_NOT_FITTED');
    expect(new TfidfVectorizer({ vocabulary: ['aa'], useIdf: false }).transform(['aa aa']).toArray()).toEqual([[1]]);
  });
});

const rows = fc.array(fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });

describe('learning in parts', () => {
  check.prop([rows, rows])('partialFit equals fit, and unlearn takes it back', (a, b) => {
    const whole = new TfidfTransformer().fit([...a, ...b]);
    const parts = new TfidfTransformer().partialFit(a).partialFit(b);
    expect(parts.toBytes()).toEqual(whole.toBytes());
    expect(new TfidfTransformer().fit(b).merge(new TfidfTransformer().fit(a)).toBytes()).toEqual(whole.toBytes());
    expect(parts.unlearn(b).toBytes()).toEqual(new TfidfTransformer().fit(a).toBytes());
    expect(codeOf(() => parts.unlearn(a).idf)).toBe('E_NOT_FITTED');
  });

  test('a vectorizer weighs by the documents it knows now', () => {
    const grown = new TfidfVectorizer().partialFit(corpus.slice(0, 2)).partialFit(corpus.slice(2));
    const whole = new TfidfVectorizer().fit(corpus);
    expect(grown.transform(corpus)).toEqual(whole.transform(corpus));
    expect(grown.unlearn(corpus.slice(2)).idf).toEqual(new TfidfVectorizer().fit(corpus.slice(0, 2)).idf);
  });

  test('more cannot be unlearned than was learned', () => {
    const transformer = new TfidfTransformer().fit([[1, 0]]);
    expect(codeOf(() => transformer.unlearn([[0, 1]]))).toBe('E_UNLEARN_UNDERFLOW');
    expect(codeOf(() => transformer.transform([[1]]))).toBe('E_FEATURE_COUNT');
    expect(codeOf(() => transformer.merge(new TfidfTransformer().fit([[1]])))).toBe('E_MERGE_MISMATCH');
    expect(codeOf(() => transformer.fit([]))).toBe('E_EMPTY_INPUT');
    expect(codeOf(() => new TfidfTransformer().transform([[1]]))).toBe('E_NOT_FITTED');
  });

  test('weight two equals the row twice', () => {
    const options = { sampleWeight: [2, 1] };
    const weighted = new TfidfTransformer().fit([[1, 0], [0, 1]], undefined, options); // biome-ignore format: rows
    expect(weighted.idf).toEqual(new TfidfTransformer().fit([[1, 0], [1, 0], [0, 1]]).idf); // biome-ignore format: rows
  });
});

describe('files', () => {
  test('what was saved weighs the same', () => {
    const transformer = new TfidfTransformer({ norm: 'l1' }).fit(Matrix.from([[1, 2, 0], [0, 1, 1]])); // biome-ignore format: rows
    const state = decodeState(transformer.toBytes());
    const loaded = new TfidfTransformer(state.params as object).restore(state);
    expect(loaded.transform([[1, 1, 1]])).toEqual(transformer.transform([[1, 1, 1]]));
    expect(loaded.toBytes()).toEqual(transformer.toBytes());
    const vectorizer = new TfidfVectorizer({ tf: 'log1p' }).fit(corpus);
    const saved = decodeState(vectorizer.toBytes());
    expect(restore(new TfidfVectorizer(saved.params as object), saved).transform(corpus)).toEqual(
      vectorizer.transform(corpus),
    );
    expect(transformer.getFeatureNamesOut(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  });

  test('a damaged state is E_MODEL_CORRUPT', () => {
    const state = new TfidfTransformer().fit([[1, 1]]).toState();
    expect(codeOf(() => new TfidfTransformer().restore({ ...state, learned: { documents: 0 } }))).toBe(
      'E_MODEL_CORRUPT',
    );
    expect(codeOf(() => new TfidfTransformer().restore({ ...state, arrays: {} }))).toBe('E_MODEL_CORRUPT');
  });
});
