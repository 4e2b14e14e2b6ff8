import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../data/order.ts';
import { Lexicon } from './lexicon.ts';
import { SortedTerms } from './sorted-terms.ts';

const words = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 60 });

/** A lexicon that took over words in their order, and one that was told them one by one. */
function twins(list: readonly string[]): [adopted: Lexicon, told: Lexicon] {
  const sorted = [...list].sort(compareCodePoints);
  const bytes = sorted.map((word) => new TextEncoder().encode(word));
  let end = 0;
  const ends = Uint32Array.from(bytes, ({ length }) => (end += length));
  const [adopted, told] = [new Lexicon(), new Lexicon()];
  new SortedTerms(Uint8Array.from(bytes.flatMap((word) => [...word])), ends).enter(adopted);
  for (const word of sorted) told.internText(word, true);
  return [adopted, told];
}

check.prop([words, fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 4 }), fc.boolean()), { maxLength: 80 })])(
  'words that came sorted have the numbers of words told one by one, whatever is asked and added then',
  (list, asked) => {
    const [adopted, told] = twins(list);
    const questions = [...asked, ...list.map((word): [string, boolean] => [word, false])];
    for (const [word, add] of questions) expect(adopted.internText(word, add)).toBe(told.internText(word, add));
    expect(adopted.size).toBe(told.size);
    for (let id = 0; id < told.size; id++) expect(adopted.text(id)).toBe(told.text(id));
  },
);

test('after many searches for words that are not there, those that are there are still found', () => {
  const list = Array.from({ length: 3000 }, (_, k) => `w${k}`);
  const [adopted, told] = twins(list);
  for (let k = 0; k < 9000; k++) expect(adopted.internText(`w${k}`, false)).toBe(told.internText(`w${k}`, false));
});

test('a lexicon that knows words takes sorted ones in one by one', () => {
  const lexicon = new Lexicon();
  lexicon.internText('a', true);
  expect([...new SortedTerms(new Uint8Array([97, 98]), Uint32Array.of(1, 2)).enter(lexicon)]).toEqual([0, 1]);
  expect(['a', 'b', 'c'].map((word) => lexicon.internText(word, false))).toEqual([0, 1, -1]);
});
