import fc from 'fast-check';
import { formatCsv } from '../src/data/csv-format.ts';

/** Inputs that would break a careless reader. */

const encode = (text: string) => new TextEncoder().encode(text);

const bytesOf = (parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Invalid text, and byte order marks. */
const noText = fc
  .constantFrom([0], [0xff], [0xc3], [0xef, 0xbb, 0xbf], [0xff, 0xfe])
  .map((bytes) => Uint8Array.from(bytes));

/** Any sequence of the special bytes of CSV. */
export const hostileCsv: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom('a', ',', '"', '\n', '\r', '\r\n', ' ', 'é', '😀', ',"', '"\n', '\n"').map(encode),
      },
      { weight: 1, arbitrary: noText },
    ),
    { maxLength: 20 },
  )
  .map(bytesOf);

/** Any sequence of the special bytes of JSON Lines. */
export const hostileJsonLines: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .constantFrom('{"a":1}', '[1,2]', '"é😀"', '\n', '\r\n', '\r', ' ', '7', '{', '[[', ',')
          .map(encode),
      },
      { weight: 1, arbitrary: noText },
    ),
    { maxLength: 10 },
  )
  .map(bytesOf);

const header = ['__proto__', 'constructor', 'x'.repeat(100_000)];

/** Files of CSV, by name. */
export const hostileFiles: readonly (readonly [name: string, text: string])[] = [
  ['only delimiters', ',,,\n,,,\n'],
  ['only quotes, even', '"'.repeat(1000)],
  ['only quotes, odd', '"'.repeat(1001)],
  ['a mark and nothing', '\ufeff'],
  ['trailing blank lines', 'a,b\n1,2\n\n\n\n'],
  ['leading blank lines', '\n\n\na,b\n'],
  ['hostile and long names', formatCsv([header, ['1', '2', '3']])],
  ['a cell of 10 MB', formatCsv([['a', '"b'.repeat(5_000_000)]])],
  ['a megabyte of spaces', ' '.repeat(1_000_000)],
  ['a megabyte of spaces behind a quote', `"a"${' '.repeat(1_000_000)},b\n`],
  ['a megabyte of quotes inside a cell', `a${'"'.repeat(1_000_000)},b\n`],
  ['an unclosed quote', 'a,b\n1,"2\n3,4\n5,6\n'],
  ['text behind a quote', 'a,b\n1,"2"3\n'],
  ['a hundred thousand columns', `${Array.from({ length: 100_000 }, (_, j) => `"f${j}"`).join(',')}\n`.repeat(2)],
];
