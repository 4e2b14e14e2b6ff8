import { createHash } from 'node:crypto';
import { test as check, fc } from '@fast-check/vitest';
import { expect, test, vi } from 'vitest';
import { decodeTensors, encodeTensors, numbersOf } from './safetensors.ts';
import { plainSha256, sha256 } from './sha256.ts';
import { parseStrictJson } from './strict-json.ts';

check.prop([fc.array(fc.uint8Array({ maxLength: 300 }))])('SHA-256 equals that of Node, in any parts', (parts) => {
  const digest = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  expect([sha256(...parts), plainSha256(parts)]).toEqual([digest, digest]);
});

test('SHA-256 of "abc" is the example of FIPS 180-4', () => {
  expect(plainSha256([new TextEncoder().encode('abc')])).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('without a synchronous digest of the runtime, as in a browser, the result is the same', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, k) => k);
  const own = sha256(bytes);
  const asked = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  try {
    expect(sha256(bytes)).toBe(own);
    expect(asked).toHaveBeenCalled();
  } finally {
    asked.mockRestore();
  }
});

check.prop([fc.array(fc.oneof(fc.nat(), fc.double(), fc.constantFrom(-0, 2 ** 32, 255, 65_536)))])(
  'numbers round-trip through every element type',
  (list) => {
    const data = Float64Array.from(list);
    const bytes = encodeTensors({ tensors: new Map([['x', { shape: [data.length], data }]]), metadata: new Map() });
    expect(numbersOf(decodeTensors(bytes).tensors.get('x'))).toEqual(data);
  },
);

test('an object with too many keys is too large; with one key fewer it is read', () => {
  expect(() => parseStrictJson('{"a":1,"b":2,"c":3}', 8, 2)).toThrow(expect.objectContaining({ limit: true }));
  expect(parseStrictJson('{"a":1,"b":2}', 8, 2)).toEqual({ a: 1, b: 2 });
});

check.prop([fc.json()])('JSON without duplicate keys is parsed as by JSON.parse', (text) => {
  expect(parseStrictJson(text, 100)).toEqual(JSON.parse(text));
});

test.each([
  ['{"a":1,"b":{"a":2},"a":3}', 'twice'],
  ['{"a":1,"\\u0061":2}', 'twice'],
  ['[[[1]]]', 'are nested'],
  ['"\\ud800"', 'surrogate'],
  ['"abc', 'never closes'],
  ['{"a":}', 'value is expected'],
  ['{"\\x":1}', 'escape'],
])('%s is an error', (text, reason) => {
  expect(() => parseStrictJson(text, 2)).toThrow(reason);
});

const file = () =>
  encodeTensors({
    tensors: new Map([
      ['bytes', { shape: [3], data: Uint8Array.of(1, 2, 3) }],
      ['x', { shape: [1, 2], data: Float64Array.of(0.5, -1) }],
      ['codes', { shape: [2], data: Int32Array.of(7, -7) }],
    ]),
    metadata: new Map([['format', 'test']]),
  });

test('a file has the safetensors layout, wide arrays first, and is read back', () => {
  const bytes = file();
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  expect(length % 8).toBe(0);
  expect(header).toEqual({
    __metadata__: { format: 'test' },
    x: { dtype: 'F64', shape: [1, 2], data_offsets: [0, 16] },
    codes: { dtype: 'I32', shape: [2], data_offsets: [16, 24] },
    bytes: { dtype: 'U8', shape: [3], data_offsets: [24, 27] },
  });
  const back = decodeTensors(bytes);
  expect(back.tensors.get('x')).toEqual({ shape: [1, 2], data: Float64Array.of(0.5, -1) });
  expect(back.tensors.get('x')?.data.buffer).toBe(bytes.buffer);
  expect(back.metadata.get('format')).toBe('test');
});

test('bytes at an odd offset are read', () => {
  const shifted = new Uint8Array(file().length + 1);
  shifted.set(file(), 1);
  expect(decodeTensors(shifted.subarray(1)).tensors.get('x')?.data).toEqual(Float64Array.of(0.5, -1));
});

const withHeader = (header: unknown, data = 0, length?: number) => {
  const json = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + data);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length ?? json.length), true);
  bytes.set(json, 8);
  return bytes;
};
const array = (dtype: string, shape: unknown, from: unknown, to: unknown) => ({
  dtype,
  shape,
  data_offsets: [from, to],
});

test.each<[string, Uint8Array, string]>([
  ['nothing', new Uint8Array(0), 'E_MODEL_CORRUPT'],
  ['seven bytes', new Uint8Array(7), 'E_MODEL_CORRUPT'],
  ['an empty header', new Uint8Array(8), 'E_MODEL_CORRUPT'],
  ['a header of 2^31 bytes', withHeader({}, 0, 2 ** 31), 'E_MODEL_LIMIT'],
  ['a header of 2^53 bytes', withHeader({}, 0, 2 ** 53), 'E_MODEL_LIMIT'],
  ['a table', new TextEncoder().encode('label,text\nham,see you at lunch\n'), 'E_MODEL_MAGIC'],
  ['a header longer than the file', withHeader({}, 0, 1000), 'E_MODEL_CORRUPT'],
  ['a header that is a list', withHeader([]), 'E_MODEL_CORRUPT'],
  ['a header that is not UTF-8', withHeader('{"\u00ff":1}').map((b) => (b === 0xc3 ? 0xff : b)), 'E_MODEL_CORRUPT'],
  ['repeated names', withHeader('{"a":1,"a":1}'), 'E_MODEL_CORRUPT'],
  ['metadata that is a list', withHeader({ __metadata__: [] }), 'E_MODEL_CORRUPT'],
  ['metadata of numbers', withHeader({ __metadata__: { a: 1 } }), 'E_MODEL_CORRUPT'],
  ['an entry that is a number', withHeader({ a: 1 }), 'E_MODEL_CORRUPT'],
  ['an entry with another key', withHeader({ a: { ...array('U8', [0], 0, 0), b: 1 } }), 'E_MODEL_CORRUPT'],
  ['an unknown element type', withHeader({ a: array('F8', [0], 0, 0) }), 'E_MODEL_CORRUPT'],
  ['an inherited element type', withHeader({ a: array('constructor', [0], 0, 0) }), 'E_MODEL_CORRUPT'],
  ['a negative shape', withHeader({ a: array('U8', [-1], 0, 0) }), 'E_MODEL_CORRUPT'],
  ['a shape that overflows', withHeader({ a: array('U8', [2 ** 52, 2 ** 52], 0, 1) }, 1), 'E_MODEL_CORRUPT'],
  ['offsets that are text', withHeader({ a: array('U8', [1], '0', 1) }, 1), 'E_MODEL_CORRUPT'],
  ['a shape that does not fit', withHeader({ a: array('F64', [2], 0, 8) }, 8), 'E_MODEL_CORRUPT'],
  ['a gap', withHeader({ a: array('U8', [1], 0, 1), b: array('U8', [1], 2, 3) }, 3), 'E_MODEL_CORRUPT'],
  ['an overlap', withHeader({ a: array('U8', [2], 0, 2), b: array('U8', [2], 1, 3) }, 3), 'E_MODEL_CORRUPT'],
  ['bytes after the end', withHeader({ a: array('U8', [1], 0, 1) }, 2), 'E_MODEL_CORRUPT'],
  ['bytes that are not there', withHeader({ a: array('U8', [2 ** 40], 0, 2 ** 40) }, 2), 'E_MODEL_CORRUPT'],
])('%s is an error', (_, bytes, code) => {
  expect(() => decodeTensors(bytes)).toThrow(expect.objectContaining({ code }));
});

test('a million tiny arrays are an error', () => {
  const entries = Array.from({ length: 100_001 }, (_, k) => [`a${k}`, array('U8', [0], 0, 0)]);
  expect(() => decodeTensors(withHeader(Object.fromEntries(entries)))).toThrow(
    expect.objectContaining({ code: 'E_MODEL_LIMIT' }),
  );
});
