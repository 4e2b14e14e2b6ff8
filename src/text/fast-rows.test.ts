import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { TfidfVectorizer } from '../estimators/tfidf-vectorizer.ts';
import { useKernels } from './use-kernels.ts';

useKernels();

const piece = fc.constantFrom('aa', 'Bb', 'word', 'word ', ' ', '.', 'é', 'Σας', '北京', 'new', '\n', 'x', '_1');
const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));
const many = fc.array(text, { minLength: 256, maxLength: 300 });
const learned = ['aa bb word wordé éword', 'σας 北京 aa_1 wordword 1word', 'the word'];

const each = (vectorizer: Pick<CountVectorizer, 'transform'>, documents: readonly (string | Uint8Array)[]) =>
  documents.map((document) => vectorizer.transform([document]).toArray()[0]);

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
