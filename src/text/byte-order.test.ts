import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../data/order.ts';
import { Random } from '../math/random.ts';
import { orderOfWords } from './byte-order.ts';

function sorted(words: readonly string[]): string[] {
  const encoded = words.map((word) => new TextEncoder().encode(word));
  let end = 0;
  const ends = Uint32Array.from(encoded, ({ length }) => (end += length));
  return Array.from(orderOfWords(new Uint8Array(Buffer.concat(encoded)), ends), (k) => words[k]);
}

const expected = (words: readonly string[]) => [...words].sort(compareCodePoints);

const letter = fc.constantFrom('a', 'b', '0', '_', 'é', '北', '\u{1f600}', '\uffff', 'z');
const word = fc.array(letter, { minLength: 1, maxLength: 14 }).map((letters) => letters.join(''));

check.prop([fc.uniqueArray(word, { maxLength: 90 })])('words come by code point, whatever their letters', (words) => {
  expect(sorted(words)).toEqual(expected(words));
});

test.each([
  ['short', 2, 3000],
  ['long ones with a common beginning', 40, 3000],
  ['numbers', 0, 5000],
])('%s words in great number', (_, length, count) => {
  const random = new Random(5);
  const made = new Set<string>();
  while (made.size < count) {
    const tail = Math.floor(random.uniform() * 1e7).toString(36);
    made.add(length === 0 ? String(made.size) : `${'internationalisation'.repeat(3).slice(0, length)}${tail}`);
  }
  expect(sorted([...made])).toEqual(expected([...made]));
});

test('no word and one word', () => {
  expect(sorted([])).toEqual([]);
  expect(sorted(['a'])).toEqual(['a']);
});
