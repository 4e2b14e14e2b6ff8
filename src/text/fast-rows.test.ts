import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline } from '../estimators/pipeline.ts';
import { TfidfVectorizer } from '../estimators/tfidf-vectorizer.ts';
import { kernelChoice } from './kernel-choice.ts';
import { useKernels } from './use-kernels.ts';

useKernels();

const piece = fc.constantFrom('aa', 'Bb', 'word', 'word ', ' ', '.', 'é', 'Σας', '北京', 'new', '\n', 'x', '_1');
const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));
const many = fc.array(text, { minLength: 256, maxLength: 300 });
const learned = ['aa bb word wordé éword', 'σας 北京 aa_1 wordword 1word', 'the word'];

/** In the plain way, without kernels. */
function plainly<T>(run: () => T): T {
  const { rowsOf, scoresOf } = kernelChoice;
  Object.assign(kernelChoice, { rowsOf: undefined, scoresOf: undefined });
  try {
    return run();
  } finally {
    Object.assign(kernelChoice, { rowsOf, scoresOf });
  }
}

const each = (vectorizer: Pick<CountVectorizer, 'transform'>, documents: readonly (string | Uint8Array)[]) =>
  plainly(() => documents.map((document) => vectorizer.transform([document]).toArray()[0]));

describe('many documents and one by one', () => {
  check.prop([many, fc.constantFrom('sklearn', 'auto'), fc.boolean(), fc.boolean()], { numRuns: 25 })(
    'become the same rows',
    (documents, tokenizer, binary, lowercase) => {
      const vectorizer = new CountVectorizer({ tokenizer, binary, lowercase, stopWords: ['the'] }).fit(learned);
      expect(vectorizer.transform(documents).toArray()).toEqual(each(vectorizer, documents));
      const bytes = documents.map((document) => new TextEncoder().encode(document));
      expect(vectorizer.transform(bytes).toArray()).toEqual(each(vectorizer, documents));
    },
  );

  test('with weights, with a list of words in any order, and with terms that are more than words', () => {
    const documents = Array.from({ length: 3000 }, (_, i) =>
      `word ${learned[i % 3]} bb${i % 7} aa`.repeat((i % 40) + 1),
    );
    for (const vectorizer of [
      new TfidfVectorizer().fit(learned),
      new CountVectorizer({ vocabulary: ['word', 'aa', 'bb3'] }),
      new CountVectorizer({ vocabulary: ['word', 'aa'], stopWords: ['aa'] }),
      new CountVectorizer({ ngramRange: [1, 2] }).fit(learned),
      new CountVectorizer({ analyzer: 'char' }).fit(learned),
    ]) {
      expect(vectorizer.transform(documents).toArray()).toEqual(each(vectorizer, documents));
    }
  });

  test('refuse the same', () => {
    const vectorizer = new CountVectorizer().fit(learned);
    const documents: unknown[] = Array.from({ length: 300 }, () => 'word');
    const refused = (bad: unknown) => {
      documents[299] = bad;
      return () => vectorizer.transform(documents as string[]);
    };
    expect(refused(7)).toThrow(expect.objectContaining({ code: 'E_TYPE', details: { row: 299 } }));
    expect(refused('a\ud800')).toThrow(expect.objectContaining({ code: 'E_UNICODE' }));
    expect(refused(Uint8Array.of(97, 0xff))).toThrow(expect.objectContaining({ code: 'E_ENCODING' }));
    expect(vectorizer.transform(Array.from({ length: 300 }, () => 'word')).data.length).toBe(300);
  });
});

describe('documents that come one by one', () => {
  check.prop([fc.array(text, { minLength: 8, maxLength: 8 }), fc.boolean(), fc.boolean()], { numRuns: 15 })(
    'are scored as in the plain way, bit for bit, by the time that kernels read them',
    (documents, binary, complement) => {
      const classifier = complement ? new ComplementNB() : new MultinomialNB();
      const pipeline = makePipeline(new CountVectorizer({ binary }), classifier as MultinomialNB).fit(learned, [
        'a',
        'b',
        'a',
      ]);
      for (let i = 0; i < 40; i++) pipeline.predict(documents.concat(documents, 'word'.repeat(1 + i)));
      const wanted = plainly(() => pipeline.predictJointLogProba(documents).toArray());
      expect(documents.map((document) => pipeline.predictJointLogProba([document]).toArray()[0])).toEqual(wanted);
      expect(pipeline.predictJointLogProba(documents).toArray()).toEqual(wanted);
      const bytes = documents.map((document) => new TextEncoder().encode(document));
      expect(pipeline.predictProba(bytes)).toEqual(plainly(() => pipeline.predictProba(documents)));
      expect(documents.map((document) => pipeline.predict([document])[0])).toEqual(
        plainly(() => pipeline.predict(documents)),
      );
    },
  );

  test('are still read when words were learned in between, and refused alike', () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(learned, ['a', 'b', 'a']);
    for (let i = 0; i < 400; i++) pipeline.predict(['word the']);
    pipeline.partialFit(['fresh words', 'fresh fresh'], ['b', 'b']);
    for (let i = 0; i < 400; i++) expect(pipeline.predict(['fresh'])).toEqual(['b']);
    expect(pipeline.predictProba(['fresh word'])).toEqual(plainly(() => pipeline.predictProba(['fresh word'])));
    expect(() => pipeline.predict([7 as unknown as string])).toThrow(expect.objectContaining({ code: 'E_TYPE' }));
    expect(() => pipeline.predict(['a\ud800'])).toThrow(expect.objectContaining({ code: 'E_UNICODE' }));
  });
});
