import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStrictJson } from '../../data/strict-json.ts';
import { PolyaError } from '../../errors.ts';
import { parseBody } from './strict-body.ts';

const DEPTH = 8;

/** What becomes of a text: its value, or the code it is refused with. */
function outcome(parse: () => unknown): { value: unknown } | { refused: true } {
  try {
    return { value: parse() };
  } catch {
    return { refused: true };
  }
}

const codeOf = (bytes: Buffer | string): string | undefined => {
  try {
    parseBody(Buffer.from(bytes), DEPTH);
    return undefined;
  } catch (error) {
    return error instanceof PolyaError ? error.code : String(error);
  }
};

/** Texts that are JSON, nearly JSON, or JSON with a key twice. */
const texts = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', '1', 'e', '\\u', ' '),
    )
    .map(([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice(at % (text.length + 1))),
  fc
    .tuple(fc.json({ maxDepth: 2 }), fc.json({ maxDepth: 2 }), fc.constantFrom('a', '__proto__', '"', 'a:b', '\\'))
    .map(([a, b, key]) => `[{${JSON.stringify(key)}: ${a}, ${JSON.stringify(key)} : ${b}}]`),
);

test('the fast parser says of every text what the strict one says', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const fast = outcome(() => parseBody(Buffer.from(text), DEPTH));
      const strict = outcome(() => parseStrictJson(text, DEPTH));
      expect(fast).toEqual(strict);
    }),
    { numRuns: 3000 },
  );
});

test('each fault has its code', () => {
  expect(codeOf('{"a":1,"a":2}')).toBe('E_BAD_REQUEST');
  expect(codeOf('{"a":{"b":1,"\\u0062":2}}')).toBe('E_BAD_REQUEST');
  expect(codeOf('{"a":NaN}')).toBe('E_BAD_REQUEST');
  expect(codeOf('')).toBe('E_BAD_REQUEST');
  expect(codeOf('["\\ud800"]')).toBe('E_UNICODE');
  expect(codeOf('["\\ud83d\\ude00"]')).toBeUndefined();
  expect(codeOf(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toBe('E_ENCODING');
  expect(codeOf('['.repeat(DEPTH) + ']'.repeat(DEPTH))).toBeUndefined();
  expect(codeOf('['.repeat(DEPTH + 1) + ']'.repeat(DEPTH + 1))).toBe('E_LIMIT');
  expect(codeOf('['.repeat(30_000))).toBe('E_LIMIT');
});

test('a key __proto__ is a key like others', () => {
  const value = parseBody(Buffer.from('{"__proto__":{"x":1}}'), DEPTH) as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(({} as { x?: number }).x).toBeUndefined();
});

test.each([
  ['{"instances":[[1e999,2]]}', '/instances/0/0'],
  ['{"examples":[{"label":"a","a/b":-1e999}]}', '/examples/0/a~1b'],
  ['{"text":"\\u0041","n":1e999}', '/n'],
  ['1e999', ''],
])('a number that is no finite double is refused: %s', (text, pointer) => {
  const parse = () => parseBody(Buffer.from(text), 64);
  expect(parse).toThrow(expect.objectContaining({ code: 'E_NOT_FINITE', details: { pointer } }));
});

test('a repeated key is refused beside an infinite number', () => {
  expect(() => parseBody(Buffer.from('{"a":1e999,"a":1}'), 64)).toThrow(
    expect.objectContaining({ code: 'E_BAD_REQUEST' }),
  );
});
