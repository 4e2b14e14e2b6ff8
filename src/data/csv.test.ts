import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileCsv } from '../../test/hostile.ts';
import { PolyaError } from '../errors.ts';
import { parseCsv, readCsv } from './csv.ts';
import { formatCsv } from './csv-format.ts';
import type { CsvOptions } from './csv-options.ts';
import type { BadRow } from './faults.ts';
import type { Source } from './source.ts';
import { recordsOf, rowsOf } from './table.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Cells that would break a careless reader. */
const cell = fc
  .array(
    fc.oneof(
      fc.constantFrom(',', '"', '\n', '\r', ' ', '\t', ';', '\ufeff', 'é', '😀', '__proto__', '""', '0'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));

/** The outcome of reading: chunks and bad rows, or an error. */
async function outcome(source: Source, options: CsvOptions): Promise<unknown> {
  const chunks: unknown[] = [];
  const bad: BadRow[] = [];
  try {
    for await (const chunk of readCsv(source, { ...options, onBadRow: (row) => bad.push(row) })) chunks.push(chunk);
    return { chunks, bad };
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return { chunks, bad, refusal: error.toJSON() };
  }
}

/** The error for a text, as code and details. */
function refusal(text: string | Uint8Array, options: CsvOptions = {}): unknown {
  try {
    parseCsv(text, options);
  } catch (error) {
    if (error instanceof PolyaError) return { code: error.code, ...error.details };
    throw error;
  }
  return undefined;
}

test('written cells are read back, with every delimiter and line end', () => {
  const delimiter = fc.constantFrom(',', '\t', ';', '|', ' ');
  const lineEnd = fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const);
  fc.assert(
    fc.property(table, delimiter, lineEnd, (rows, delimiter, lineEnd) => {
      const read = parseCsv(formatCsv(rows, delimiter, lineEnd), { delimiter, header: false });
      expect(rowsOf(read)).toEqual(rows);
    }),
    { seed: 4, numRuns: 500 },
  );
});

test('tables, bad rows and errors are the same wherever the bytes are split', async () => {
  const options = fc.record(
    {
      header: fc.boolean(),
      delimiter: fc.constantFrom(','), // a short text is read at once when its delimiter is sniffed
      maxBadRows: fc.constantFrom(0, 1, 3, 100),
      chunkRows: fc.constantFrom(1, 2, 100),
      maxCellBytes: fc.constantFrom(2, 5, 8),
      maxRowBytes: fc.constantFrom(4, 7, 12),
      maxColumns: fc.constantFrom(2, 3),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(hostileCsv, options, async (bytes, options) => {
      const whole = await outcome(bytes, options);
      for (let cut = 0; cut < bytes.length; cut++) {
        expect(await outcome([bytes.subarray(0, cut), bytes.subarray(cut)], options)).toEqual(whole);
      }
      const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
      expect(await outcome(single, options)).toEqual(whole);
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('a handwritten file: quotes, doubled quotes, line ends inside and outside, characters of every width', () => {
  const text = 'id,text,note\r\n1,"say ""hi"", please",\n\r\n2,"two\r\nlines" ,é€😀\r3, b"c ,""';
  const read = parseCsv(text);
  expect(read.columns).toEqual(['id', 'text', 'note']);
  expect(rowsOf(read)).toEqual([
    ['1', 'say "hi", please', ''],
    ['2', 'two\r\nlines', 'é€😀'],
    ['3', ' b"c ', ''],
  ]);
  expect([...read.lines]).toEqual([2, 4, 6]);
  expect(read.delimiter).toBe(',');
});

test('the byte-order mark of UTF-8 is dropped and counts in offsets', () => {
  expect(parseCsv('\ufeffa\n').columns).toEqual(['a']);
  expect(refusal('\ufeffa\n"')).toMatchObject({ code: 'E_FORMAT', line: 2, column: 1, offset: 5 });
});

test('an empty source is one empty table, and a header alone is a table without rows', async () => {
  expect(parseCsv('')).toMatchObject({ columns: [], rows: 0, cells: [] });
  expect(parseCsv('\n\r\n')).toMatchObject({ columns: [], rows: 0 });
  expect(await outcome([], {})).toMatchObject({ chunks: [{ columns: [], rows: 0 }] });
  expect(await outcome('a,b\n', {})).toMatchObject({ chunks: [{ columns: ['a', 'b'], rows: 0 }] });
});

test('blank lines are skipped, an empty cell alone in its row is written as two quotes', () => {
  expect(rowsOf(parseCsv('x\n\n1\n""\n\n2'))).toEqual([['1'], [''], ['2']]);
  expect([...parseCsv('x\n\n1\n""\n\n2').lines]).toEqual([3, 4, 6]);
});

test('names come from the file, from the caller, or by number', () => {
  expect(parseCsv('1,2', { header: false }).columns).toEqual(['c1', 'c2']);
  expect(parseCsv('1,2', { header: ['a', 'b'] })).toMatchObject({ columns: ['a', 'b'], rows: 1 });
  expect(refusal('1,2', { header: ['a'] })).toMatchObject({ code: 'E_FORMAT', cells: 2, expected: 1, column: 3 });
  expect(refusal('', { header: ['a', 'a'] })).toMatchObject({ code: 'E_FEATURE_DUPLICATE' });
  expect(refusal('', { header: [7 as unknown as string] })).toMatchObject({ code: 'E_PARAM' });
  expect(refusal('', { header: ['\ud800'] })).toMatchObject({ code: 'E_UNICODE' });
});

test('two columns of one name are an error, or numbered without changing a third', () => {
  expect(refusal('a,b,a\n')).toEqual({ code: 'E_FEATURE_DUPLICATE', name: 'a', columns: [1, 3] });
  const numbered = parseCsv('a,a,a_2,a,,\n', { duplicates: 'number' }).columns;
  expect(numbered).toEqual(['a', 'a_3', 'a_2', 'a_4', '', '_2']);
});

test('names of object properties are ordinary names', () => {
  const read = parseCsv('__proto__,constructor,toString,\n1,2,3,4\n');
  expect(read.columns).toEqual(['__proto__', 'constructor', 'toString', '']);
  const [record] = recordsOf(read);
  expect(Object.getPrototypeOf(record)).toBe(null);
  expect(Object.entries(record!)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['toString', '3'],
    ['', '4'],
  ]);
  expect(({} as Record<string, unknown>)['1']).toBe(undefined);
});

test('a row of another length is an error with its position and both lengths', () => {
  expect(refusal('a,b\n1,2\n3\n')).toMatchObject({
    code: 'E_FORMAT',
    line: 3,
    column: 2,
    offset: 9,
    cells: 1,
    expected: 2,
  });
  expect(refusal('a,b\n"1\n1",é,x\n')).toMatchObject({ line: 3, column: 6, offset: 13, cells: 3, expected: 2 });
});

test('a quote that never closes is an error where it opened', () => {
  expect(refusal('a,b\né,"x\ny')).toMatchObject({ code: 'E_FORMAT', line: 2, column: 3, offset: 7 });
});

test('text after a closing quote is an error, blanks are dropped', () => {
  expect(refusal('a\n"x"y\n')).toMatchObject({ code: 'E_FORMAT', line: 2, column: 4, offset: 5 });
  expect(refusal('a\n"x" "\n')).toMatchObject({ code: 'E_FORMAT', line: 2, column: 5 });
  expect(rowsOf(parseCsv('a,b\n"x"\t ,"y"  '))).toEqual([['x', 'y']]);
});

test('a missing closing quote is reported where the quote opened, not at the next quote', () => {
  const text = 'id,kind,text\n89,spam,"WIN a prize\n90,ham,"see you"\n';
  expect(refusal(text)).toMatchObject({ code: 'E_FORMAT', line: 2, column: 9, offset: 21, nextLine: 3, nextColumn: 8 });
});

test('bad rows are skipped up to the quota, and reading continues after the bad line', () => {
  const text = 'a,b\n1,"x\n2,3\n4\n"5"x,6\n7,8\n9,"';
  const bad: BadRow[] = [];
  const read = parseCsv(text, { maxBadRows: 4, onBadRow: (row) => bad.push(row) });
  expect(rowsOf(read)).toEqual([
    ['2', '3'],
    ['7', '8'],
  ]);
  expect([...read.lines]).toEqual([3, 6]);
  const seen = bad.map(({ line, column, text }) => [line, column, text]);
  expect(seen).toEqual([
    [2, 3, '1,"x'],
    [4, 2, '4'],
    [5, 4, '"5"x,6'],
    [7, 3, '9,"'],
  ]);
  expect(refusal(text, { maxBadRows: 3 })).toMatchObject({ code: 'E_FORMAT', line: 7, badRows: 3 });
});

test('a bad header is an error whatever the quota', () => {
  expect(refusal('"a"b\n1\n', { maxBadRows: 9 })).toMatchObject({ code: 'E_FORMAT', line: 1 });
  expect(refusal(Uint8Array.of(0xe9, 10, 49), { maxBadRows: 9 })).toMatchObject({ code: 'E_ENCODING', offset: 0 });
});

test('invalid bytes are an error with their position', () => {
  expect(refusal(Uint8Array.of(97, 10, 0xc3, 0xa9, 0xe9, 10))).toMatchObject({
    code: 'E_ENCODING',
    line: 2,
    column: 2,
    offset: 4,
  });
  expect(refusal('a\n1\0\n')).toMatchObject({ code: 'E_ENCODING', line: 2, column: 2, offset: 3 });
  expect(refusal('a\n"\0"\n')).toMatchObject({ code: 'E_ENCODING', line: 2, column: 2, offset: 3 });
  expect(refusal('a\n""\0\n')).toMatchObject({ code: 'E_ENCODING', line: 2, column: 3, offset: 4 });
  for (const mark of [
    [0xff, 0xfe],
    [0xfe, 0xff],
  ]) {
    expect(refusal(Uint8Array.from([...mark, 97, 0]))).toMatchObject({ code: 'E_ENCODING', offset: 0 });
  }
  expect(refusal('a\n\ud800')).toEqual({ code: 'E_UNICODE', offset: 2 });
});

test('a cell of 10 MB is read, with quotes and wide characters in it', () => {
  const long = `${'é'.repeat(2_500_000)}"${'a'.repeat(5_000_000)}`;
  expect(
    rowsOf(
      parseCsv(
        formatCsv([
          ['x', 'y'],
          ['1', long],
        ]),
      ),
    ),
  ).toEqual([['1', long]]);
});

test('a hundred thousand columns are read', () => {
  const names = Array.from({ length: 100_000 }, (_, j) => `f${j}`);
  const read = parseCsv(formatCsv([names, names, names]));
  expect(read.columns).toEqual(names);
  expect(read.cells).toEqual([...names, ...names]);
});

test('limits: cell, row and width give E_LIMIT, an open quote gives E_FORMAT', () => {
  const options = { maxCellBytes: 4, maxRowBytes: 6, maxColumns: 3, header: false };
  expect(rowsOf(parseCsv('abcd,e\n"ab"\t,', { ...options, maxRowBytes: 7, maxCellBytes: 5 }))).toEqual([
    ['abcd', 'e'],
    ['ab', ''],
  ]);
  expect(refusal('a,bcdef\n', options)).toMatchObject({ code: 'E_LIMIT', limit: 4, column: 3 });
  expect(refusal('a,"cde"\n', options)).toMatchObject({ code: 'E_FORMAT', limit: 4, column: 3 });
  expect(refusal('abc,def\n', options)).toMatchObject({ code: 'E_LIMIT', limit: 6, column: 1 });
  expect(refusal('a,b,c,d\n', { ...options, maxRowBytes: 9 })).toMatchObject({ code: 'E_LIMIT', limit: 3, column: 7 });
});

test('an endless quote is an error at the limit, and with a quota only its line is skipped', async () => {
  const block = encode('more text, no quote\n'.repeat(5000));
  const endless = function* (blocks: number) {
    yield 'a,b\n1,2\n3,"4\n';
    for (let i = 0; i < blocks; i++) yield block;
  };
  expect(await outcome(endless(1e9), {})).toMatchObject({
    refusal: { code: 'E_FORMAT', details: { line: 3, column: 3, offset: 10, limit: 1 << 24 } },
  });
  const quota = { maxBadRows: 1, maxCellBytes: 1 << 18 };
  expect(await outcome(endless(4), quota)).toMatchObject({ bad: [{ line: 3, column: 3, text: '3,"4' }] });
});

test('options outside their range are errors', () => {
  const wrong: CsvOptions[] = [{ maxBadRows: -1 }, { maxColumns: 0 }, { maxRowBytes: 2 ** 40 }, { maxCellBytes: 1.5 }];
  for (const options of wrong) expect(refusal('', options)).toMatchObject({ code: 'E_PARAM' });
  for (const delimiter of ['', ',,', '"', '\n', '\0', 'é'])
    expect(refusal('', { delimiter })).toMatchObject({ code: 'E_PARAM' });
});

test('an aborted signal cancels between chunks', async () => {
  const controller = new AbortController();
  const pieces = async function* () {
    yield 'a\n1\n';
    controller.abort();
    yield '2\n';
  };
  expect(await outcome(pieces(), { signal: controller.signal })).toMatchObject({ refusal: { code: 'E_CANCELLED' } });
});

test('memory stays bounded over 30 MB', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const used = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const block = encode('1,"said ""so"" he",plain words,é\n'.repeat(3000));
  const pieces = function* () {
    yield 'a,b,c,d\n';
    for (let made = 0; made < 30e6; made += block.length) yield block;
  };
  let rows = 0;
  let early = 0;
  for await (const chunk of readCsv(pieces())) {
    rows += chunk.rows;
    if (early === 0 && rows > 100_000) early = used();
  }
  expect(rows).toBeGreaterThan(850_000);
  expect(used() - early).toBeLessThan(8e6);
});
