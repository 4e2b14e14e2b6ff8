import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { distance, suggest, suggestFile } from './suggest.ts';

test.each([
  ['fti', 'fit', 1],
  ['lable', 'label', 1],
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
  ['a𝒳b', 'ab', 1],
])('the distance of %s and %s is %d', (a, b, far) => {
  expect(distance(a, b)).toBe(far);
});

const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });

property.prop([word, word])(
  'distance is zero only for equal words, symmetric, and at most the longer length',
  (a, b) => {
    expect(distance(a, b) === 0).toBe(a === b);
    expect(distance(a, b)).toBe(distance(b, a));
    expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
  },
);

property.prop([word, fc.nat(8), fc.constantFrom('a', 'b', 'z')])('one letter more is one step', (a, at, letter) => {
  const longer = a.slice(0, at) + letter + a.slice(at);
  expect(distance(a, longer)).toBe(1);
});

test('the nearest word is suggested, if one is near', () => {
  expect(suggest('fti', ['fit', 'info'])).toBe('fit');
  expect(suggest('Label', ['label', 'text'])).toBe('label');
  expect(suggest('comp', ['compare', 'evaluate'])).toBe('compare');
  expect(suggest('qqq', ['fit', 'info'])).toBeUndefined();
  expect(suggest('', ['fit'])).toBeUndefined();
  expect(suggest('x'.repeat(200), ['fit'])).toBeUndefined();
});

test('files are compared without the extension that both have', () => {
  expect(suggestFile('news.polya', ['best.polya'])).toBeUndefined();
  expect(suggestFile('spma.polya', ['spam.polya', 'ham.polya'])).toBe('spam.polya');
  expect(suggestFile('sms.cvs', ['sms.csv'])).toBe('sms.csv');
  expect(suggestFile('smss', ['sms'])).toBe('sms');
});
