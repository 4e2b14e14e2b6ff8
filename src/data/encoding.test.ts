import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodingOf, type TextEncoding, textEncodings, toUtf8 } from './encoding.ts';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

async function read(bytes: Uint8Array, encoding: TextEncoding, size = 3): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of toUtf8(pieces(bytes, size), encoding)) all.push(piece);
  return Buffer.concat(all).toString('utf8');
}

/** The characters of an encoding that take one or two bytes, found by decoding all of them. */
function charactersOf(encoding: TextEncoding): Map<string, number[]> {
  const decoder = new TextDecoder(encoding === 'gbk' ? 'gb18030' : encoding, { fatal: true, ignoreBOM: true });
  const found = new Map<string, number[]>();
  for (let code = 0; code < 0x10000; code++) {
    const bytes = code < 0x100 ? [code] : [code >> 8, code & 255];
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !found.has(text)) found.set(text, bytes);
    } catch {}
  }
  return found;
}

test.each(['gb18030', 'gbk', 'big5', 'shift_jis', 'euc-kr'] as const)(
  '%s is read, wherever the bytes are split',
  async (encoding) => {
    const table = charactersOf(encoding);
    const known = [...table.keys()];
    const signs = fc.array(fc.oneof(fc.constantFrom(...known), fc.constantFrom('\n', 'a')), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(signs, fc.integer({ min: 1, max: 7 }), async (text, size) => {
        const bytes = Uint8Array.from(text.flatMap((sign) => table.get(sign)!));
        expect(await read(bytes, encoding, size)).toBe(text.join(''));
      }),
    );
  },
);

test('UTF-16 of both orders and Latin-1 are read, wherever the bytes are split', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\u0a0a', '\u000a', '中', '😀', '\u010a', '\u0a01', 'é') });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (whole, size) => {
      const little = Buffer.from(whole, 'utf16le');
      expect(await read(little, 'utf-16le', size)).toBe(whole);
      expect(await read(Buffer.from(little).swap16(), 'utf-16be', size)).toBe(whole);
    }),
  );
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(await read(all, 'latin1')).toBe(Buffer.from(all).toString('latin1'));
});

test('Windows-1252 differs from Latin-1 in the 27 signs of the Encoding Standard', async () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const [there, here] = [await read(all, 'windows-1252'), await read(all, 'latin1')];
  const differ = [...there].filter((sign, byte) => sign !== [...here][byte]);
  expect(differ.join('')).toBe('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
  // The platform's streaming decoder is correct where its other one is not.
  const decoder = new TextDecoder('windows-1252');
  expect(there).toBe(Array.from(all, (byte) => decoder.decode(Uint8Array.of(byte), { stream: true })).join(''));
});

test('a four-byte sequence of GB 18030 is one character', async () => {
  expect(await read(Uint8Array.of(0x94, 0x39, 0xda, 0x33), 'gb18030', 1)).toBe('💩');
});

const refused = async (bytes: number[], encoding: TextEncoding, size: number) =>
  await read(Uint8Array.from(bytes), encoding, size).then(
    () => 'read',
    (error) => ({ code: error.code, ...error.details }),
  );

test('the first invalid byte is reported, wherever the bytes are split', async () => {
  const cases: [TextEncoding, number[], { line: number; column: number; offset: number }][] = [
    ['gb18030', [0xd6, 0xd0, 10, 0xce, 0xc4, 0xff, 97], { line: 2, column: 2, offset: 5 }],
    ['gb18030', [97, 13, 10, 0x81, 32], { line: 2, column: 1, offset: 3 }],
    ['gbk', [97, 0xff], { line: 1, column: 2, offset: 1 }],
    ['gb18030', [97, 0x81], { line: 1, column: 2, offset: 1 }],
    ['gb18030', [97, 0x81, 0x30, 0x81, 10], { line: 1, column: 2, offset: 1 }],
    ['utf-16le', [97, 0, 0x0a, 0, 0x3d, 0xd8, 98, 0], { line: 2, column: 1, offset: 4 }],
    ['utf-16le', [97, 0, 98], { line: 1, column: 2, offset: 2 }],
    ['shift_jis', [0xfd], { line: 1, column: 1, offset: 0 }],
  ];
  for (const [encoding, bytes, place] of cases) {
    for (const size of [1, 2, 3, 100])
      expect([encoding, await refused(bytes, encoding, size)]).toMatchObject([
        encoding,
        { code: 'E_ENCODING', ...place },
      ]);
  }
});

test('encodings have their usual aliases', () => {
  for (const name of textEncodings) expect(encodingOf(name.toUpperCase())).toBe(name);
  expect(encodingOf('ISO-8859-1')).toBe('latin1');
  expect(encodingOf('Shift-JIS')).toBe('shift_jis');
  expect(() => encodingOf('ebcdic')).toThrow(expect.objectContaining({ code: 'E_PARAM' }));
});
