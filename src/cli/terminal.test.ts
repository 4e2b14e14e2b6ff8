import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { pad, safe, shorten, width, wrap } from './terminal.ts';

test('data cannot steer a terminal: control characters and bidi controls are shown, not sent', () => {
  expect(safe('a\u001b[31mred\u0007')).toBe('a\\u001b[31mred\\u0007');
  expect(safe('line\nline\ttab\r')).toBe('line\\nline\\ttab\\r');
  expect(safe('evil\u202etxt.exe')).toBe('evil\\u202etxt.exe');
  expect(safe('\u2028\u009b')).toBe('\\u2028\\u009b');
});

test('text that runs from right to left is isolated', () => {
  expect(safe('سلام')).toBe('\u2068سلام\u2069');
  expect(safe('שלום', 3)).toBe('\u2068של…\u2069');
  expect(safe('日本')).toBe('日本');
});

property.prop([fc.string({ unit: 'binary' })])('whatever comes, no control character is left', (text) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(safe(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
});

test('wide letters take two columns, marks none', () => {
  expect(width('日本語')).toBe(6);
  expect(width('e\u0301')).toBe(1);
  expect(width('\u001b[31mred\u001b[39m')).toBe(3);
  expect(width('👍')).toBe(2);
  expect(pad('日本', 6)).toBe('日本  ');
  expect(pad('7', 3, 'right')).toBe('  7');
});

property.prop([fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 })])(
  'a shortened text fits',
  (text, most) => {
    expect(width(shorten(text, most))).toBeLessThanOrEqual(Math.max(most, 1));
  },
);

test('sentences are wrapped between words', () => {
  expect(wrap('one two three four', 9, '  ')).toBe('one two\n  three\n  four');
  expect(wrap('unbreakable', 4)).toBe('unbreakable');
});
