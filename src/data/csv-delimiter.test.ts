import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv, readCsv } from './csv.ts';
import { knownDelimiters, SAMPLE_BYTES, sniffDelimiter } from './csv-delimiter.ts';
import { formatCsv } from './csv-format.ts';

const sniff = (text: string) => sniffDelimiter(new TextEncoder().encode(text));

test('the delimiter of a written table is detected, whatever its quoted cells contain', () => {
  const word = fc.constantFrom('a', 'b c', '1,5', 'x;y', 'p|q', 'he said "so", twice', 'two\nlines', '\t');
  const rows = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 8 }));
  fc.assert(
    fc.property(rows, fc.constantFrom(...knownDelimiters), (rows, delimiter) => {
      const width = rows[0]!.length;
      const names = rows[0]!.map((_, j) => `name${j}`);
      const read = parseCsv(formatCsv([names, ...rows], delimiter));
      expect(read.delimiter).toBe(delimiter);
      expect(read.columns.length).toBe(width);
    }),
    { seed: 6, numRuns: 1000 },
  );
});

test('the most consistent delimiter wins, then the most frequent one', () => {
  expect(sniff('a,b;c\n1;2\n3;4')).toBe(';');
  expect(sniff('a;b,c,d\n1;2,3,4')).toBe(',');
  expect(sniff('name;price\nx;1,50\ny;2,50')).toBe(';');
});

test('a text of one column is read with commas', () => {
  expect(sniff('')).toBe(',');
  expect(sniff('a\nb;c')).toBe(',');
});

test('a truncated last row is not counted, unless it is the only one', () => {
  const row = 'a;b,c\n';
  const cut = row + '1;2\n'.repeat((SAMPLE_BYTES - row.length) / 4 - 1);
  expect(sniff(`${cut}3,4`.padEnd(SAMPLE_BYTES, ','))).toBe(';');
  expect(sniff('a|'.repeat(SAMPLE_BYTES / 2))).toBe('|');
});

test('the delimiter is detected from the same bytes, wherever the stream is split', async () => {
  const bytes = new TextEncoder().encode('a,b;c\n1;2\n3;4');
  for await (const table of readCsv(Array.from(bytes, (byte) => Uint8Array.of(byte)))) {
    expect(table.delimiter).toBe(';');
  }
});
