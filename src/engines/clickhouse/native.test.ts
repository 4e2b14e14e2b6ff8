import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/close.ts';
import { textOf } from '../text-bytes.ts';
import { type NativeBlock, nativeBlocks } from './native.ts';

/** A column as a server writes it: its type, and a value or NULL per row. */
type Column = readonly [type: string, cells: readonly (number | string | null)[]];

function size(value: number): Buffer {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
}

const text = (value: string) => Buffer.concat([size(Buffer.byteLength(value)), Buffer.from(value)]);

function cell(type: string, value: number | string | null): Buffer {
  if (type === 'String') return text(String(value ?? ''));
  const bytes = Buffer.alloc(type === 'Float64' || type === 'UInt64' ? 8 : 1);
  if (type === 'Float64') bytes.writeDoubleLE(Number(value ?? 0));
  else if (type === 'UInt64') bytes.writeBigUInt64LE(BigInt(value ?? 0));
  else bytes.writeUInt8(Number(value ?? 0));
  return bytes;
}

/** A block, written by the description of the format. */
function block(columns: readonly Column[]): Buffer {
  const parts = columns.flatMap(([type, cells], j) => {
    const inner = /^Nullable\((.*)\)$/.exec(type)?.[1];
    const nulls = inner === undefined ? [] : [Buffer.from(cells.map((value) => Number(value === null)))];
    return [text(`column ${j}`), text(type), ...nulls, ...cells.map((value) => cell(inner ?? type, value))];
  });
  return Buffer.concat([size(columns.length), size(columns[0][1].length), ...parts]);
}

async function* cut(bytes: Buffer, lengths: readonly number[]) {
  let at = 0;
  for (const length of lengths) {
    yield bytes.subarray(at, at + length);
    at += length;
  }
  yield bytes.subarray(at);
}

async function read(chunks: AsyncIterable<Uint8Array>): Promise<NativeBlock[]> {
  const blocks = [];
  for await (const each of nativeBlocks(chunks)) blocks.push(each);
  return blocks;
}

const rows = fc.array(
  fc.tuple(fc.option(fc.double()), fc.option(fc.string({ unit: 'grapheme' })), fc.nat(255), fc.maxSafeNat()),
  { minLength: 1, maxLength: 300 },
);

test('blocks that arrive in pieces are read back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rows, { maxLength: 4 }), fc.array(fc.nat(500)), async (blocks, lengths) => {
      const types = ['Nullable(Float64)', 'Nullable(String)', 'UInt8', 'UInt64'];
      const bytes = Buffer.concat(
        blocks.map((each) => block(types.map((type, j) => [type, each.map((row) => row[j])]))),
      );
      const found = await read(cut(bytes, lengths));
      expect(found.map((each) => each.rows)).toEqual(blocks.map((each) => each.length));
      found.forEach(({ names, columns }, k) => {
        expect(names).toEqual(['column 0', 'column 1', 'column 2', 'column 3']);
        expect([...(columns[0] as Float64Array)]).toEqual(blocks[k].map(([value]) => value ?? NaN));
        expect(columns.slice(1).map((column) => [...column])).toEqual(
          [1, 2, 3].map((j) => blocks[k].map((row) => row[j])),
        );
      });
    }),
  );
});

test('a response that ends in the middle of a block, or is something else, is an error', async () => {
  const whole = block([['String', ['some words', 'and more']]]);
  await expect(read(cut(whole.subarray(0, -1), [5]))).rejects.toThrow('ends in the middle');
  await expect(read(cut(block([['Date', [1]]]), []))).rejects.toThrow('type Date');
  await expect(read(cut(Buffer.alloc(20, 255), []))).rejects.toThrow('not in the Native format');
});

test('invalid UTF-8 is an error, and the replacement character is not', () => {
  const broken = Buffer.from([0x61, 0xff, 0x62]);
  expect(refusalOf(() => textOf(broken, 0, 3)).code).toBe('E_ENCODING');
  expect(textOf(broken, 0, 1)).toBe('a');
  const replacement = Buffer.from('a\ufffdb');
  expect(textOf(replacement, 0, replacement.length)).toBe('a\ufffdb');
});
