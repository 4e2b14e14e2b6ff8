import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockKernels } from './block-kernels.ts';
import { newTableKernels } from './table-kernels.ts';
import { decodeUtf8, findInvalidUtf8, findLoneSurrogate, showUtf8 } from './utf8.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Bytes that are often nearly well-formed: the bounds of every row of the table of well-formed sequences. */
const nearlyUtf8 = fc
  .array(
    fc.constantFrom(
      0x41,
      0x7f,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc1,
      0xc2,
      0xdf,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xf5,
      0xff,
    ),
  )
  .map((bytes) => Uint8Array.from(bytes));

test('bytes have an invalid position exactly when the decoder throws', () => {
  fc.assert(
    fc.property(nearlyUtf8, (bytes) => {
      expect(findInvalidUtf8(bytes) === -1).toBe(decodeUtf8(bytes) !== undefined);
    }),
    { seed: 1, numRuns: 5000 },
  );
});

test('the invalid position is where a lenient decoder puts its first replacement character', () => {
  fc.assert(
    fc.property(nearlyUtf8, (bytes) => {
      const at = findInvalidUtf8(bytes);
      if (at >= 0) expect(encode(showUtf8(bytes).split('\ufffd')[0]!).length).toBe(at);
    }),
    { seed: 2, numRuns: 5000 },
  );
});

test('a replacement character in the input is an ordinary character', () => {
  expect(decodeUtf8(encode('\ufffd'))).toBe('\ufffd');
});

test('a byte-order mark inside a text stays', () => {
  expect(decodeUtf8(encode('\ufeffa'))).toBe('\ufeffa');
});

test('a lone surrogate is found and a pair is not', () => {
  expect(findLoneSurrogate('a😀b')).toBe(-1);
  expect(findLoneSurrogate('a😀\ud83d')).toBe(3);
  expect(findLoneSurrogate('\ude00')).toBe(0);
});

test('validation of a block ignores the remains of an earlier block', () => {
  const blocks = new BlockKernels(newTableKernels()!);
  for (const left of ['é'.repeat(4096), '€'.repeat(4096)]) {
    for (let size = 0; size <= 128; size++) {
      expect(blocks.load(encode(left))).toBe(true);
      expect(blocks.load(encode('a'.repeat(size)))).toBe(true);
      expect(blocks.load(encode(`${'a'.repeat(size)}é`))).toBe(true);
      expect(blocks.load(Uint8Array.of(...encode('a'.repeat(size)), 0xc3))).toBe(false);
    }
  }
});
