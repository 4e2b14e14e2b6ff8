import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soleText } from './sole-text.ts';
import { parseBody } from './strict-body.ts';

const bodies = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify({ instances: [text] })),
  fc
    .string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\n', '\t', ']', '}', ',', '\u00e9') })
    .map((inside) => `{"instances":["${inside}"]}`),
  fc.string({ unit: fc.constantFrom('{', '"', 'instances', ':', '[', ']', '}', ' ', 'a') }),
);

test('what is taken for one text is JSON, and the parser takes it for the same', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const text = soleText(Buffer.from(body));
      if (text !== undefined) expect(parseBody(Buffer.from(body), 64)).toEqual({ instances: [text] });
    }),
    { numRuns: 2000 },
  );
});

test('a plain text is taken, and one with an escape, a letter beyond ASCII or a second text is not', () => {
  expect(soleText(Buffer.from('{"instances":["free prize"]}'))).toBe('free prize');
  expect(soleText(Buffer.from('{"instances":[""]}'))).toBe('');
  for (const body of [
    '{"instances":["a\\n"]}',
    '{"instances":["\u00e9"]}',
    '{"instances":["a","b"]}',
    '{"instances":["]}',
    '{}',
  ]) {
    expect(soleText(Buffer.from(body)), body).toBeUndefined();
  }
});
