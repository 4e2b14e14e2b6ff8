import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../data/order.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { readerOf } from './analyze.ts';
import { compareWords, lexiconOf, writtenWords } from './word-bytes.ts';

const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).filter((text) => text.isWellFormed());

test('words as bytes are in the order of their code points, and are written as they are', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 12 }), (words) => {
      const reader = readerOf(new CountVectorizer().getParams(), false);
      const ids = Uint32Array.from(words, (own) => reader.idOf(own));
      const lexicon = lexiconOf(reader)!;
      for (let k = 1; k < words.length; k++) {
        const order = Math.sign(compareWords(lexicon, ids[k - 1], ids[k]));
        expect(order).toBe(Math.sign(compareCodePoints(words[k - 1], words[k])));
      }
      const { bytes, ends } = writtenWords(lexicon, ids);
      const cut = Array.from(ends, (end, k) => new TextDecoder().decode(bytes.subarray(k > 0 ? ends[k - 1] : 0, end)));
      expect(cut).toEqual(words.map((own) => new TextDecoder().decode(new TextEncoder().encode(own))));
    }),
  );
});

test('terms of several words, or of another analyzer, are no words', () => {
  const of = (options: object) => lexiconOf(readerOf(new CountVectorizer(options).getParams(), false));
  expect(of({ ngramRange: [1, 2] })).toBeUndefined();
  expect(of({ analyzer: 'char' })).toBeUndefined();
});
