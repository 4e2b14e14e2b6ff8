import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { compilePattern, findTokens } from './pattern.ts';

const tokens = (pattern: string | RegExp, text: string) => findTokens(compilePattern(pattern), text);

describe('patterns in Python syntax', () => {
  const cases: [pattern: string, text: string, tokens: string[]][] = [
    ['(?u)\\b\\w\\w+\\b', 'Große Städte, a!', ['Große', 'Städte']],
    ['\\d+', '12 ٣٤ x5', ['12', '٣٤', '5']],
    ['\\D+', 'a1b', ['a', 'b']],
    ['\\W+', 'é, ñ', [', ']],
    ['[\\w-]+', 'e-mail x', ['e-mail', 'x']],
    ['[^\\s]+', 'a\u0085b\ufeffc', ['a', 'b\ufeffc']],
    ['\\S+', 'a\x1cb', ['a', 'b']],
    ['[\\d\\-]+', '1-2', ['1-2']],
    ['(?P<word>\\w)(?P=word)', 'aab', ['a']],
    ['\\Aab|cd\\Z', 'ab cd', ['ab', 'cd']],
    ['a.b', 'a\rb a\nb', ['a\rb']],
    ['(?s)a.b', 'a\nb', ['a\nb']],
    ['ab$', 'ab\n', ['ab']],
    ['(?m)^a$', 'a\na', ['a', 'a']],
    ['(?i)É+', 'éÉ', ['éÉ']],
    ["\\'\\w+\\'", "'ab'", ["'ab'"]],
    ['x{,2}y', 'xxy', ['xxy']],
    ['x{2}', 'xx', ['xx']],
    ['a{b}', 'a{b}', ['a{b}']],
    ['{}', '{}', ['{}']],
    ['[]a]+', ']a', [']a']],
    ['[[a]+', '[a', ['[a']],
    [']', ']', [']']],
    ['\\Bb', 'ab b', ['b']],
    ['(?:a|b)(c)?', 'ac b', ['c', '']],
    ['[^\\W\\d_]+', 'été 12 a_b ab٣cd 日本', ['été', 'a', 'b', 'ab', 'cd', '日本']],
    ['[^\\W_a-c]{2,}', 'abcdé12 c_x9', ['dé12', 'x9']],
    ['[\\W\\d]+', 'a1, b', ['1, ']],
    ['[\\D]+', 'a٣b', ['a', 'b']],
    ['[^\\S\\n]+', 'a \u00a0\nb', [' \u00a0']],
    ['\\b[^\\d\\W]+\\b', 'ab a1 cd', ['ab', 'cd']],
  ];
  for (const [pattern, text, expected] of cases) {
    test(`${pattern} on ${JSON.stringify(text)}`, () => expect(tokens(pattern, text)).toEqual(expected));
  }
});

test('a RegExp is used unchanged, from the start of every text', () => {
  const pattern = /[a-z]+/y;
  pattern.lastIndex = 2;
  expect(tokens(pattern, 'ab cd')).toEqual(['ab', 'cd']);
  expect(tokens(/(\w)\d/g, 'a1 b2')).toEqual(['a', 'b']);
  expect(pattern.lastIndex).toBe(2);
});

test('an invalid pattern is E_PARAM', () => {
  for (const pattern of ['(', '\\q', '(?x)a', '(a)(b)', '(?L)a', /(a)(b)/]) {
    expect(
      refusalOf(() => compilePattern(pattern)),
      String(pattern),
    ).toMatchObject({
      code: 'E_PARAM',
      details: { name: 'tokenPattern' },
    });
  }
});

test('a pattern that overflows the matcher on a huge document is E_LIMIT', () => {
  const pattern = compilePattern('(?:\\w|-)+');
  expect(refusalOf(() => findTokens(pattern, '𝒜'.repeat(2 ** 23))).code).toBe('E_LIMIT');
});
