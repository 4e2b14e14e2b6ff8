import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { decodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { inverseTransform } from '../text/inverse.ts';
import { prune } from '../text/pruning.ts';
import { bagOfWords, CountVectorizer, setOfWords } from './count-vectorizer.ts';
import { restore } from './restore.ts';

const sklearn = JSON.parse(readFileSync(new URL('../../test/reference/text/sklearn.json', import.meta.url), 'utf8'));
const many: string[] = [...sklearn.texts.filter((text: string) => text.trim()), ...sklearn.corpus];

const codeOf = (act: () => unknown) => refusalOf(act).code;
const reload = (vectorizer: CountVectorizer) => {
  const state = decodeState(vectorizer.toBytes());
  return restore(new CountVectorizer(state.params as object), state);
};

describe('vocabulary and counts are those of scikit-learn 1.9.1', () => {
  const cases = [
    ...sklearn.counts.map((recorded: object) => ({ ...recorded, documents: many })),
    ...sklearn.pruned.map((recorded: object) => ({ ...recorded, documents: sklearn.corpus })),
  ];
  for (const { options, names, X, documents } of cases) {
    test(`with ${JSON.stringify(options)}`, () => {
      const vectorizer = new CountVectorizer(options);
      const counts = vectorizer.fitTransform(documents);
      expect(vectorizer.getFeatureNamesOut()).toEqual(names);
      expect([counts.rows, counts.cols]).toEqual(X.shape);
      expect([...counts.indptr]).toEqual(X.indptr);
      expect([...counts.indices]).toEqual(X.indices);
      expect([...counts.data]).toEqual(X.data);
      expect(vectorizer.transform(documents)).toEqual(counts);
      expect(reload(vectorizer).transform(documents)).toEqual(counts);
    });
  }

  test('columns are sorted by code point, so 𠀀 comes behind Ａ', () => {
    expect(new CountVectorizer({ lowercase: false }).fit(['ＡＡ 𠀀𠀀 aa']).getFeatureNamesOut()).toEqual([
      'aa',
      'ＡＡ',
      '𠀀𠀀',
    ]);
  });

  test('1 is one document for minDf and every document for maxDf; what is meant otherwise is spelled out', () => {
    const documents = ['aa bb', 'aa cc'];
    const names = (options: object) => new CountVectorizer(options).fit(documents).getFeatureNamesOut();
    expect(names({ minDf: 1, maxDf: 1 })).toEqual(['aa', 'bb', 'cc']);
    expect(names({ minDf: { share: 1 } })).toEqual(['aa']);
    expect(names({ maxDf: { documents: 1 } })).toEqual(['bb', 'cc']);
    expect(names({ maxDf: 0.5 })).toEqual(['bb', 'cc']);
    expect(names({ minDf: 2 })).toEqual(['aa']);
  });

  test('a bag of words counts, a set of words does not', () => {
    expect(bagOfWords().fitTransform(['la la land']).toArray()).toEqual([[2, 1]]);
    expect(setOfWords().fitTransform(['la la land']).toArray()).toEqual([[1, 1]]);
  });
});

describe('a vocabulary that is given', () => {
  test('comes as a list, a set or a map, and needs no fit', () => {
    const rows = (vocabulary: readonly string[] | Set<string> | Map<string, number>) =>
      new CountVectorizer({ vocabulary }).transform(['the cat', 'cat cat dog']).toArray();
    expect(rows(['dog', 'cat'])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(rows(new Set(['dog', 'cat']))).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(rows(new Map([['dog', 1], ['cat', 0]]))).toEqual(rows(new Set(['dog', 'cat']))); // biome-ignore format: pairs
  });

  test('is refused with E_PARAM when it is empty, repeats a term, or leaves a gap', () => {
    const lists = [[], ['a', 'a'], new Map([['a', 0], ['b', 0]]), new Map([['a', 0], ['b', 2]]), { a: 0, b: 2 }, { a: '0' }, 'ab', [1]]; // biome-ignore format: short
    for (const vocabulary of lists) expect(codeOf(() => new CountVectorizer({ vocabulary } as object))).toBe('E_PARAM');
  });

  test('stays as it is while documents are counted', () => {
    const vectorizer = new CountVectorizer({ vocabulary: ['bb', 'aa'] }).fit(['aa cc']).partialFit(['bb bb aa']);
    expect(vectorizer.getFeatureNamesOut()).toEqual(['bb', 'aa']);
    expect([...vectorizer.documentFrequency, ...vectorizer.termFrequency]).toEqual([1, 2, 2, 2]);
    expect(reload(vectorizer).toBytes()).toEqual(vectorizer.toBytes());
    expect(codeOf(() => prune(vectorizer, { minDf: 2 }))).toBe('E_PARAM');
    expect([...vectorizer.unlearn(['aa cc']).documentFrequency]).toEqual([1, 1]);
  });
});

describe('what cannot be learned from is refused and changes nothing', () => {
  const learned = new CountVectorizer({ stopWords: 'english' }).fit(['green words stay']);
  const before = learned.toBytes();
  const learnings: Record<string, (X: never) => unknown> = {
    fit: (X) => learned.fit(X),
    fitTransform: (X) => learned.fitTransform(X),
    partialFit: (X) => learned.partialFit(X),
    unlearn: (X) => learned.unlearn(X),
    transform: (X) => learned.transform(X),
  };
  const cases: [string, unknown, string, (readonly string[])?][] = [
    ['a string', 'one document', 'E_TYPE'],
    ['bytes', Uint8Array.of(1, 2), 'E_TYPE'],
    ['null', null, 'E_TYPE'],
    ['a missing document', ['words', null], 'E_TYPE'],
    ['NaN', [Number.NaN], 'E_TYPE'],
    ['half a surrogate pair', ['words', 'a \udc00'], 'E_UNICODE'],
    ['bytes that are not UTF-8', [Uint8Array.of(0xff)], 'E_ENCODING'],
    ['no documents', [], 'E_EMPTY_INPUT', ['fit', 'fitTransform', 'partialFit', 'unlearn']],
    ['stop words alone', ['the of and'], 'E_EMPTY_INPUT', ['fit', 'fitTransform']],
    ['words that were never learned', ['zebra'], 'E_UNLEARN_UNDERFLOW', ['unlearn']],
    ['more documents than were learned', ['green', 'words'], 'E_UNLEARN_UNDERFLOW', ['unlearn']],
    ['the same document too often', ['green green'], 'E_UNLEARN_UNDERFLOW', ['unlearn']],
  ];
  for (const [what, X, code, methods = Object.keys(learnings)] of cases) {
    test(`${what}: ${code}`, () => {
      for (const method of methods) expect(codeOf(() => learnings[method](X as never))).toBe(code);
      expect(learned.toBytes()).toEqual(before);
    });
  }

  test('before the first fit every reader answers E_NOT_FITTED', () => {
    const fresh = new CountVectorizer();
    const readers = [
      () => fresh.transform(['a']),
      () => fresh.vocabulary,
      () => fresh.getFeatureNamesOut(),
      () => fresh.unlearn(['a']),
      () => prune(fresh),
      () => fresh.documentFrequency,
      () => inverseTransform(fresh, new Matrix(0, 0)),
    ];
    for (const read of readers) expect(codeOf(read)).toBe('E_NOT_FITTED');
  });

  test('a rule that contradicts itself or leaves nothing is E_PARAM at fit', () => {
    expect(codeOf(() => new CountVectorizer({ minDf: 3, maxDf: 0.5 }).fit(['a1', 'b1']))).toBe('E_PARAM');
    expect(codeOf(() => new CountVectorizer({ minDf: 2 }).fit(['aa', 'bb']))).toBe('E_PARAM');
    expect(codeOf(() => prune(learned, { minDf: 2 }))).toBe('E_PARAM');
    expect(learned.toBytes()).toEqual(before);
  });

  test('an aborted fit is E_CANCELLED', () => {
    expect(codeOf(() => learned.fit(['other'], undefined, { signal: AbortSignal.abort() }))).toBe('E_CANCELLED');
    expect(learned.toBytes()).toEqual(before);
  });

  test('impossible parameters are E_PARAM at construction, by name', () => {
    const bad: object[] = [
      ...[
        { analyzer: 'words' },
        { tokenizer: 'fast' },
        { tokenPattern: '(' },
        { tokenPattern: '(a)(b)' },
        { tokenPattern: /(a)(b)/ },
      ],
      ...[{ ngramRange: [2, 1] }, { ngramRange: [0, 1] }, { ngramRange: [1] }, { ngramRange: '1' }, { minDf: 0.5 + 1 }],
      ...[
        { minDf: -1 },
        { maxDf: { share: 2 } },
        { maxDf: {} },
        { maxFeatures: 0 },
        { stopWords: 'german' },
        { stopWords: [1] },
      ],
      ...[
        { stripAccents: 'yes' },
        { normalize: 'NFD' },
        { lowercase: 1 },
        { binary: 'no' },
        { stemmer: 'porter' },
        { nGrams: 1 },
      ],
    ];
    for (const options of bad) {
      const refusal = refusalOf(() => new CountVectorizer(options));
      expect(refusal.code, JSON.stringify(options)).toBe('E_PARAM');
      expect(Object.keys(options)).toContain(refusal.details.name);
    }
  });
});
