import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { compileKernels, kernelModule } from '../../scripts/kernels.ts';
import { hostileCsv, hostileFiles, hostileJsonLines } from '../../test/hostile.ts';
import { BlockReader } from '../data/block-reader.ts';
import type { Block } from '../data/blocks.ts';
import { numberOf } from '../data/cells.ts';
import { type BlockTable, type Document, numberColumns, RecordTable } from '../data/column-table.ts';
import { parseCsv } from '../data/csv.ts';
import { parseFastText } from '../data/fasttext.ts';
import { flattenRow } from '../data/flatten.ts';
import { parseJsonLines } from '../data/jsonl.ts';
import { recordsOf } from '../data/table.ts';
import { PolyaError } from '../errors.ts';
import { type OpenTableOptions, openTable } from '../node.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decode = (document: Document) => (typeof document === 'string' ? document : decoder.decode(document));

/** Above this size, comparing cell by cell takes too long. */
const LARGE = 100_000;

interface Reading {
  readonly rows: [name: string, cell: unknown][][];
  readonly lines: number[];
}

/** The outcome of reading: rows with their lines, or an error. */
async function outcome(read: (reading: Reading) => Promise<void>): Promise<unknown> {
  const reading: Reading = { rows: [], lines: [] };
  try {
    await read(reading);
    return reading;
  } catch (error) {
    if (error instanceof PolyaError) return error.toJSON();
    throw error;
  }
}

const throughChunks = (bytes: Uint8Array, options: OpenTableOptions) =>
  outcome(async ({ rows, lines }) => {
    for await (const chunk of (await openTable([bytes], options)).chunks()) {
      for (const row of chunk.rows) rows.push(Object.entries(row));
      lines.push(...chunk.lines);
    }
  });

const throughTables = (bytes: Uint8Array, options: OpenTableOptions) =>
  outcome(async ({ rows, lines }) => {
    for await (const table of (await openTable([bytes], options)).tables()) {
      for (let i = 0; i < table.length; i++) {
        rows.push(Object.entries(table.record(i)));
        lines.push(table.line(i));
      }
      if (bytes.length < LARGE) checkViews(table);
    }
  });

/** Reading several columns of numbers equals reading each. */
function checkNumbers(table: BlockTable, names: readonly string[]): void {
  for (const [j, { values, odd }] of numberColumns(table, names).entries()) {
    const alone = table.column(names[j]).numbers();
    expect(Array.from({ length: values.length }, (_, i) => values.at(i))).toEqual([...alone.values]);
    expect([...Array.from(odd)]).toEqual([...Array.from(alone.odd)]);
    const { largest } = values.matrix;
    if (largest !== undefined) expect(largest).toBeGreaterThanOrEqual(largestOf(alone.values));
  }
}

const largestOf = (values: Float64Array) =>
  values.reduce((most, value) => (value < most ? Math.max(most, -value) : value > most ? value : most), 0);

/** Every view of a table agrees with its records. */
function checkViews(table: BlockTable): void {
  const rows = Array.from({ length: table.length }, (_, i) => table.record(i));
  const plain = new RecordTable(rows);
  expect(table.records().map(Object.entries)).toEqual(rows.map(Object.entries));
  for (const name of [...table.names.slice(0, 20), 'no such column']) {
    expect(table.column(name).cells()).toEqual(plain.column(name).cells());
    expect(rows.map((_, i) => table.column(name).cell(i))).toEqual(plain.column(name).cells());
    expect(table.column(name).documents().map(decode)).toEqual(plain.column(name).documents());
    const { values, odd } = table.column(name).numbers();
    const wanted = rows.map((row) => numberOf(row[name]));
    for (let k = 0; k < odd.length; k++) wanted[odd[k]] = Number.NaN;
    expect([...values]).toEqual(wanted);
    const cells = plain.column(name).cells();
    expect(table.column(name).codes().toArray()).toEqual(cells.map((cell) => (cell === 0 ? 0 : cell))); // no −0
  }
  const names = table.names.slice(0, 20);
  checkNumbers(table, names);
  checkNumbers(table, [...names.toReversed(), 'no such column']);
  checkNumbers(table.take([...rows.keys()].filter((i) => i % 2 === 0)), names);
  expect(table.hash(names, 7)).toEqual(plain.hash(names, 7));
  const some = Array.from(rows.keys()).filter((i) => i % 3 !== 1);
  expect(table.take(some).hash(names, 1)).toEqual(plain.take(some).hash(names, 1));
  expect(table.take(some).records()).toEqual(plain.take(some).records());
  for (const name of names) {
    expect(table.take(some).column(name).cells()).toEqual(plain.take(some).column(name).cells());
  }
}

/**
 * Tables and chunks made from them equal the output of the strict reader for the same bytes; that reader is used for
 * live input.
 */
async function expectStrict(bytes: Uint8Array, options: OpenTableOptions): Promise<unknown> {
  const expected = await throughChunks(bytes, { ...options, live: true });
  for (const read of [throughTables, throughChunks]) {
    const found = await read(bytes, options);
    if (bytes.length < LARGE) expect(found).toEqual(expected);
    else expect(JSON.stringify(found) === JSON.stringify(expected)).toBe(true);
  }
  return expected;
}

const blockBytes = fc.constantFrom(1, 7, 64, 100, 1000, 4096);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\n\n');

test('the compiled kernels match kernels/tables.ts', async () => {
  const shipped = readFileSync(new URL('../data/table-bytes.ts', import.meta.url), 'utf8');
  expect(kernelModule(await compileKernels('tables'), 'tables')).toBe(shipped);
});

test('malformed CSV among valid rows gives the rows, lines or error of the strict reader', async () => {
  const settings = fc.record(
    {
      header: fc.constantFrom(true, false, ['a', 'b']),
      maxRowBytes: fc.constantFrom(4, 9, 40),
      columns: fc.constantFrom(['a'], ['b', 'a']),
    },
    { requiredKeys: ['header'] },
  );
  const good = fc.array(fc.constantFrom('a,b\n', '1,"x\n""y"\r\n', '\n', 'é,"" \r', '", ",2\n'), { maxLength: 30 });
  const seen = { rows: 0, refusals: 0 };
  await fc.assert(
    fc.asyncProperty(hostileCsv, good, good, settings, blockBytes, async (bytes, before, after, settings, size) => {
      const text = Buffer.concat([encode(before.join('')), bytes, encode(after.join(''))]);
      const found = await expectStrict(text, { format: 'csv', delimiter: ',', ...settings, blockBytes: size });
      if ((found as Reading).rows) seen.rows++;
      else seen.refusals++;
    }),
    { seed: 21, numRuns: 150 },
  );
  expect(Math.min(seen.rows, seen.refusals)).toBeGreaterThan(5);
});

test.each(hostileFiles)('a malformed file is read as by the strict reader: %s', async (_, text) => {
  for (const header of [true, false]) {
    for (const blockBytes of text.length > LARGE ? [4096] : [64, 4096, 1 << 20]) {
      await expectStrict(encode(text), { format: 'csv', delimiter: ',', header, blockBytes });
    }
  }
});

const cell = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        ',',
        '\n',
        '\r',
        '\r\n',
        ' ',
        '\t',
        'é',
        '😀',
        '\u00a0',
        '\ufeff',
        '""',
        '0',
        '-1.50',
        '1e5',
        '',
      ),
      fc.constantFrom(
        '12345678901234567890',
        '.5',
        '5.',
        '+3',
        '1e400',
        '1e-7',
        'inf',
        'NaN',
        '0x10',
        '9007199254740993',
      ),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

test('any cells, quoted or not, with any line ends, are read as by parseCsv', async () => {
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 30 }),
    );
  const delimiter = fc.constantFrom(',', '\t', ';', '|', ' ');
  const written = (rows: string[][], delimiter: string, ends: string[], quotes: number[]) => {
    const quoted = (cell: string, k: number) =>
      quotes[k % quotes.length] === 0 || cell.includes(delimiter) || /["\r\n]/.test(cell) || cell === ''
        ? `"${cell.replaceAll('"', '""')}"${quotes[k % quotes.length] === 1 && delimiter !== ' ' ? ' ' : ''}`
        : cell;
    return rows
      .map((row, i) => row.map((cell, j) => quoted(cell, i + j)).join(delimiter) + ends[i % ends.length])
      .join('');
  };
  const list = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      table,
      delimiter,
      list(lineEnd),
      list(fc.nat(3)),
      blockBytes,
      async (rows, delimiter, ends, quotes, size) => {
        const text = written(rows, delimiter, ends, quotes);
        const read = parseCsv(text, { delimiter, header: false });
        const options = { format: 'csv', delimiter, header: false, blockBytes: size } as const;
        expect(await throughTables(encode(text), options)).toEqual({
          rows: recordsOf(read).map(Object.entries),
          lines: [...read.lines],
        });
      },
    ),
    { seed: 22, numRuns: 150 },
  );
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(-0, 0.5, 1e21, 1e-7, 0.000001, 123456.789),
);
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
  fc.constantFrom(
    '',
    ' ',
    '12',
    'a\nb',
    '"\\/\b\f\n\r\t',
    '\u2028',
    'é😀',
    'x'.repeat(200),
    ' 1.5 ',
    '\u0000',
    '\u00a0',
  ),
  number,
  fc.constantFrom(true, false, null),
  fc.jsonValue({ maxDepth: 2 }),
);
const key = fc.constantFrom(
  'a',
  'b',
  'text',
  'label',
  'a.b',
  '__proto__',
  '',
  'é',
  'a "quoted" key',
  '7',
  'longer than eight',
);
const lineOf = fc.tuple(fc.dictionary(key, value, { maxKeys: 6 }), fc.nat(3)).map(([row, style]) => {
  const text = JSON.stringify(row);
  if (style === 1)
    return text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return style === 2 ? ` \t${JSON.stringify(row, null, '\t').replaceAll('\n', ' ')} ` : text;
});

test('JSON Lines with any values are read as by parseJsonLines', async () => {
  const numbers = fc.constantFrom(
    '1.50',
    '-0',
    '1E5',
    '0.10',
    '1e-7',
    '12345678901234567890',
    '1e308',
    '100',
    '0.000001',
    '-0.0',
  );
  const raw = numbers.map((text) => `{"a":${text},"b":${text}}`);
  const twice = fc.constantFrom('{"a":{"b":1},"a.b":2}', '{}', '{"u":{"x":1,"y":{"z":"w"}}}', '{"a":[1,{"b":2}]}');
  const lines = fc.array(fc.tuple(fc.oneof({ weight: 4, arbitrary: lineOf }, raw, twice), lineEnd), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(lines, blockBytes, async (lines, blockBytes) => {
      const bytes = encode(lines.map(([line, end]) => line + end).join(''));
      const read = parseJsonLines(bytes);
      const rows = read.values.map((row) => Object.entries(flattenRow(row as Record<string, unknown>)));
      expect(await throughTables(bytes, { format: 'jsonl', blockBytes })).toEqual({ rows, lines: [...read.lines] });
      await expectStrict(bytes, { format: 'jsonl', blockBytes, columns: ['text', 'u.x', 'a'] });
    }),
    { seed: 23, numRuns: 150 },
  );
});

test('a duplicate key and an out-of-range number are rejected with their position, in blocks and live', async () => {
  const faults = [
    ['{"a":1,"b":2,"a":3}', 'E_FEATURE_DUPLICATE', 14],
    ['{"b":{"c":1,"\\u0063":2}}', 'E_FEATURE_DUPLICATE', 13],
    ['{"a":1e999}', 'E_NOT_FINITE', 6],
    [`{"b":[-1${'0'.repeat(309)}]}`, 'E_NOT_FINITE', 7],
  ] as const;
  for (const [line, code, column] of faults) {
    const bytes = encode(`{"a":1e308,"b":-2.5e-300}\n${line}\n{"a":2}\n`);
    for (const options of [{}, { blockBytes: 1 }, { live: true }]) {
      const read = await throughTables(bytes, { format: 'jsonl', ...options });
      const message = expect.stringContaining(`line 2, column ${column}: `);
      expect(read).toMatchObject({ code, message, details: { line: 2 } });
    }
  }
});

test('malformed JSON Lines among valid ones give the rows, lines or error of the strict reader', async () => {
  const piece = fc.constantFrom(
    ...[
      '{"a":"\\u00e9\\ud83d\\ude00"}',
      '{"a":"\\ud800"}',
      '{"a":"\\udc00\\ud800"}',
      '{"a":"\\x"}',
      '{"a":"\t"}',
      '{"a":01}',
    ],
    ...[
      '{"a":1,}',
      '{"a" 1}',
      '{"a":tru}',
      '{"a":"x}',
      '{"a":1} 2',
      '{"a":.5}',
      '{"a":1.}',
      '{"a":1e}',
      '{"a":-}',
      '{"\\u0061":1}',
    ],
    ...['{"a":1,"a":"2"}', '{"a":1,"\\u0061":2}', '{"u":{"b":1,"b":2}}', '{"a":1e999}', '{"a":[-1e400]}'],
    ...[`${'['.repeat(70)}`, '{"a":nul', '{"a":"\\u12', '{', '{"', '{"a', '{"a"', '{"a":', '{"a":"\\', "{'a':1}"],
  );
  const good = fc.array(fc.tuple(lineOf, lineEnd), { maxLength: 8 }).map((lines) => lines.flat().join(''));
  const bad = fc.oneof(hostileJsonLines, piece.map(encode));
  const settings = fc.record({ maxRowBytes: fc.constantFrom(3, 30, 300) }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(bad, good, good, settings, blockBytes, async (bytes, before, after, settings, blockBytes) => {
      const text = Buffer.concat([encode(before), bytes, encode(`\n${after}`)]);
      await expectStrict(text, { format: 'jsonl', ...settings, blockBytes });
    }),
    { seed: 24, numRuns: 150 },
  );
});

test('fastText and plain text are read as by the strict reader', async () => {
  const word = fc.constantFrom(
    '__label__x',
    '__label__',
    'one',
    'two',
    ' ',
    '\t',
    '\v',
    '\u00a0',
    '\u3000',
    'é',
    '\u001f',
    '__label',
    '\ufeff',
  );
  const line = fc.tuple(fc.array(word, { maxLength: 6 }), fc.constantFrom(' ', '  ', '\t'), lineEnd);
  const format = fc.constantFrom('fasttext', 'text');
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), format, blockBytes, async (lines, format, blockBytes) => {
      const text = lines.map(([words, space, end]) => words.join(space) + end).join('');
      await expectStrict(encode(text), { format: format as 'text', blockBytes, empty: 'allow' });
    }),
    { seed: 25, numRuns: 150 },
  );
  const labels = parseFastText('__label__a  one \t two\n three __label__b\n');
  const table = await openTable([encode('__label__a  one \t two\n three __label__b\n')], { format: 'fasttext' });
  for await (const part of table.tables()) {
    expect(part.column('label').cells()).toEqual(labels.rows.map((row) => row.labels[0]));
    expect(part.column('text').documents().map(decode)).toEqual(labels.rows.map((row) => row.text));
  }
});

test('decimal numbers are parsed as by JavaScript, to the last bit', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 11 });
  const decimal = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      digits,
      fc.constantFrom('', '.'),
      digits,
      fc.constantFrom('', 'e5', 'E-22', 'e+23', 'e-300'),
    )
    .map((parts) => parts.join(''));
  const cells = fc.array(fc.oneof(decimal, fc.double({ noNaN: true }).map(String)), { minLength: 30, maxLength: 60 });
  let exact = 0;
  await fc.assert(
    fc.asyncProperty(cells, async (cells) => {
      const text = `x\n${cells.map((cell) => cell || '""').join('\n')}\n`;
      const table = await openTable([encode(text)], { format: 'csv', header: true, delimiter: ',' });
      for await (const part of table.tables()) {
        const { values, odd } = part.column('x').numbers();
        const isOdd = new Set(Array.from(odd));
        for (const [i, cell] of cells.entries()) {
          expect(values[i]).toBe(isOdd.has(i) ? Number.NaN : numberOf(cell));
          if (!Number.isNaN(values[i])) exact++;
        }
      }
    }),
    { seed: 26, numRuns: 60 },
  );
  expect(exact).toBeGreaterThan(1000);
});

const doubleOf = (bits: bigint) => new Float64Array(BigUint64Array.of(bits).buffer)[0];

/** Halfway between a positive double and the next one: the decimal in full, then its first `count` digits, rounded down and up. */
function halfwayAbove(bits: bigint, count: number): string[] {
  const [exponent, fraction] = [bits >> 52n, bits & 0xfffffffffffffn];
  const odd = 2n * (exponent > 0n ? fraction + (1n << 52n) : fraction) + 1n;
  const power = (exponent > 0n ? exponent : 1n) - 1076n; // it is odd · 2^power
  const digits = String(power < 0n ? odd * 5n ** -power : odd << power);
  const scale = power < 0n ? Number(power) : 0;
  const first = digits.slice(0, count);
  const rest = scale + digits.length - first.length;
  return [`${digits}e${scale}`, `${first}e${rest}`, `${BigInt(first) + 1n}e${rest}`];
}

test('long decimals become the nearest double, ties to even, whether the kernels or the host parse them', async () => {
  const uniform = (min: bigint, max: bigint) => fc.noBias(fc.bigInt({ min, max }));
  const digits = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
  const zeros = fc.string({ unit: fc.constant('0'), maxLength: 22 });
  const finite = uniform(0n, (0x7ffn << 52n) - 1n); // the bits of any positive double
  const denormal = uniform(1n, (1n << 53n) - 1n); // up to the first normal ones
  const pointed = fc.tuple(digits(15, 25), fc.nat(14)).map(([text, k]) => `${text.slice(0, k)}.${text.slice(k)}`);
  const decimals = {
    printed: finite.map((bits) => String(doubleOf(bits))),
    whole: uniform(1n << 53n, 10n ** 19n - 1n).map(String),
    denormal: denormal.map((bits) => String(doubleOf(bits))),
    extreme: fc.double({ min: 0, noNaN: true }).map((value) => value.toExponential(18).replace('Infinity', '1e309')),
    pointed,
    scaled: fc.tuple(pointed, fc.integer({ min: -330, max: 330 })).map(([text, scale]) => `${text}e${scale}`),
    padded: fc.tuple(zeros, zeros, digits(1, 19), zeros).map(([a, b, text, c]) => `${a}.${b}${text}${c}`),
    halfway: fc
      .tuple(fc.oneof(finite, denormal), fc.integer({ min: 16, max: 20 }), fc.nat(2))
      .map(([bits, count, k]) => halfwayAbove(bits, count)[k]),
    short: fc
      .tuple(uniform(1n << 52n, (1n << 53n) - 1n), uniform(0n, 4n), uniform(-1n, 1n)) // ties of few digits, and their neighbours
      .map(([value, k, more]) => `${(2n * value + 1n) * 5n ** k + more}e-${k}`),
  };
  for (const [name, decimal] of Object.entries(decimals)) {
    const cells = fc.sample(
      fc.tuple(fc.constantFrom('', '-', '+'), decimal).map(([sign, text]) => sign + text),
      { seed: 27, numRuns: 1000 },
    );
    const want = cells.map((cell) => (Number.isFinite(Number(cell)) ? Number(cell) : Number.NaN));
    const csv = await openTable([encode(`x\n${cells.join('\n')}\n`)], { format: 'csv', header: true, delimiter: ',' });
    const values: number[] = [];
    let left = 0;
    for await (const part of csv.tables()) {
      const column = part.column('x');
      const numbers = column.numbers();
      for (const i of Array.from(numbers.odd)) numbers.values[i] = numberOf(column.cell(i));
      left += numbers.odd.length;
      values.push(...numbers.values);
    }
    expect(differences(cells, values, want), name).toEqual([]);
    if (name === 'printed' || name === 'whole') expect(left / cells.length, name).toBeLessThan(0.01);

    // JSON has no plus sign, no leading zero, no decimal point without a digit before it, and no number beyond the
    // doubles
    const kept = cells.filter((cell) => Number.isFinite(Number(cell)));
    const json = kept.map(
      (cell) =>
        `{"x":${cell
          .replace(/^\+/, '')
          .replace(/^(-?)0*(?=\.|\d)/, '$1')
          .replace(/^(-?)\./, '$10.')}}\n`,
    );
    const read: number[] = [];
    for await (const part of (await openTable([encode(json.join(''))], { format: 'jsonl' })).tables()) {
      read.push(...part.column('x').numbers().values);
    }
    expect(differences(kept, read, kept.map(Number)), name).toEqual([]);
  }
});

const differences = (cells: readonly string[], values: readonly number[], want: readonly number[]) =>
  cells.map((cell, i) => [cell, values[i], want[i]]).filter(([, a, b]) => !Object.is(a, b));

async function allBlocks(bytes: Uint8Array, options: OpenTableOptions) {
  const table = await openTable([bytes], options);
  const blocks: Block[] = [];
  for await (const block of table.blocks()) blocks.push(block);
  return { table, layout: table.layout!, blocks };
}

test('blocks are the text after the header, split at record ends, with their lines and offsets', async () => {
  const text = `\ufeffid,"na\nme"\r\n${Array.from({ length: 500 }, (_, i) => `${i},"line\n""${i}""\r\n"\r\n\n`).join('')}`;
  const { layout, blocks } = await allBlocks(encode(text), { format: 'csv', blockBytes: 200 });
  expect(layout).toMatchObject({ format: 'csv', columns: ['id', 'na\nme'], delimiter: ',' });
  expect(structuredClone(layout)).toEqual(layout);
  expect(blocks.length).toBeGreaterThan(40);
  const joined = Buffer.concat(blocks.map(({ bytes }) => bytes)).toString();
  expect(joined).toBe(text.slice(text.indexOf('0,"line')));
  for (const { bytes, index, line, offset, before } of blocks) {
    expect(blocks[index]?.bytes).toBe(bytes);
    const start = encode(text).subarray(0, offset);
    expect(line).toBe(decode(start).split(/\r\n|\r|\n/).length);
    expect(Buffer.from(before)).toEqual(Buffer.from(start.subarray(-1024)));
    expect(decode(bytes)).toMatch(/^(\d+,"|\n)[\s\S]*\n$/);
  }
});

test('each block can be read alone, in any order, by any reader', async () => {
  const text = `label,text\n${Array.from({ length: 400 }, (_, i) => `${'abc'[i % 3]},"text ${i}, ""quoted"""\n`).join('')}`;
  const { layout, blocks } = await allBlocks(encode(text), { format: 'csv', blockBytes: 500 });
  const readers = [new BlockReader(structuredClone(layout)), new BlockReader(layout)];
  const found: unknown[][] = [];
  for (const block of [...blocks].reverse()) {
    const moved = structuredClone(block, { transfer: [block.bytes.buffer] });
    expect(block.bytes.length).toBe(0);
    for (const table of readers[block.index % 2].read(moved)) {
      const texts = table.column('text').documents().map(decode);
      found[block.index] = table
        .column('label')
        .cells()
        .map((label, i) => [label, texts[i], table.line(i)]);
    }
  }
  expect(found.flat()).toEqual(Array.from({ length: 400 }, (_, i) => ['abc'[i % 3], `text ${i}, "quoted"`, i + 2]));
});

test('equal cells share one string, and the cache of a reader is bounded', async () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => `${'abcd'[i % 4]}level,${i}\n`);
  const { layout, blocks } = await allBlocks(encode(`c,x\n${rows.join('')}`), { format: 'csv', blockBytes: 1 << 18 });
  const reader = new BlockReader(layout);
  let i = 0;
  for (const block of blocks) {
    for (const table of reader.read(block)) {
      expect(
        table
          .column('x')
          .cells()
          .every((cell) => cell === String(i++)),
      ).toBe(true);
      expect(new Set(table.column('c').cells())).toEqual(new Set(['alevel', 'blevel', 'clevel', 'dlevel']));
    }
  }
  expect(i).toBe(200_000);
});

test('very many JSON keys are read block after block, with a bounded cache', async () => {
  const lines = Array.from({ length: 150_000 }, (_, i) => `{"id":${i},"key ${i % 140_000}":"v${i}"}\n`);
  const { layout, blocks } = await allBlocks(encode(lines.join('')), {
    format: 'jsonl',
    blockBytes: 1 << 18,
    batchRows: 2,
  });
  expect(layout.columns.slice(0, 3)).toEqual(['id', 'key 0', 'key 1']);
  const reader = new BlockReader(layout);
  let i = 0;
  for (const block of blocks) {
    for (const table of reader.read(block)) {
      const own = i === 0 ? undefined : `key ${Math.max(i % 140_000, layout.columns.length - 1)}`; // the keys of the first block are the expected ones
      expect(table.names.slice(0, layout.columns.length)).toEqual(layout.columns);
      expect(table.names[layout.columns.length]).toBe(own);
      for (const row of table.records()) {
        if (row.id !== i || row[`key ${i % 140_000}`] !== `v${i}`) expect(row).toBe(i);
        i++;
      }
    }
  }
  expect(i).toBe(150_000);
});

test('a table of a block is invalid once the next block was read', async () => {
  const { layout, blocks } = await allBlocks(encode(`a\n${'1\n'.repeat(100)}`), {
    format: 'csv',
    header: true,
    blockBytes: 64,
  });
  const reader = new BlockReader(layout);
  const [first] = [...reader.read(blocks[0])];
  expect(first.column('a').numbers().values[0]).toBe(1);
  expect([...reader.read(blocks[1])].length).toBe(1);
  expect(() => first.column('a')).toThrow(expect.objectContaining({ code: 'E_CONFLICT' }));
});

test('an error deep in a file, in gzip or in another encoding, has the position and excerpt of sequential reading', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `${i},"café\n${i}"\n`).join('');
  const faults = ['1\n', '1,2,3\n', '1,"x"y\n', '1,\0\n', '1,"x', `1,"${'z'.repeat(3000)}"t${'z'.repeat(3000)}\n`];
  for (const fault of faults) {
    const text = `a,b\n${rows(1000)}${fault}${rows(50)}`;
    for (const blockBytes of [300, 1 << 20]) {
      const options = { format: 'csv', delimiter: ',', header: true, blockBytes } as const;
      expect(await expectStrict(encode(text), options)).toMatchObject({ code: expect.stringMatching(/^E_/) });
      await expectStrict(gzipSync(text), options);
      await expectStrict(Buffer.from(text, 'latin1'), { ...options, encoding: 'latin1' });
    }
  }
});

test('rows before gzip damage are read, and their errors are reported first', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `${i},${(i * 7919) % 10_007}\n`);
  const cut = (rows: readonly string[]) => gzipSync(`a,b\n${rows.join('')}`).subarray(0, -5000);
  const options = { format: 'csv', delimiter: ',', header: true, blockBytes: 1 << 22 } as const;
  expect(await throughTables(cut(rows), options)).toMatchObject({
    code: 'E_FORMAT',
    message: expect.stringContaining('gzip'),
  });
  const ragged = rows.with(50, '1,2,3\n');
  expect(await throughTables(cut(ragged), options)).toMatchObject({ code: 'E_FORMAT', details: { line: 52 } });
});

test('a record longer than the limit is rejected in bounded memory', async () => {
  const endless = async function* () {
    yield 'a,b\n1,2\n3,"4\n';
    for (;;) yield 'more text, no quote\n'.repeat(5000);
  };
  const table = await openTable(endless(), { format: 'csv', maxRowBytes: 1 << 20 });
  const reading = (async () => {
    for await (const part of table.tables()) expect(part.length).toBe(1);
  })();
  await expect(reading).rejects.toMatchObject({
    code: 'E_LIMIT',
    details: { line: 3, column: 1, offset: 8, limit: 1 << 20 },
  });
});

test('every other format gives tables, but no blocks', async () => {
  const mail = encode('From a@example.org Tue Jan  1 10:00:00 2019\nFrom: a\nSubject: hi\n\nbody\n');
  const table = await openTable([mail]);
  expect(table.layout).toBeUndefined();
  const found: unknown[] = [];
  for await (const part of table.tables()) found.push(part.column('subject').cells(), part.line(0));
  expect(found).toEqual([['hi'], 1]);
  await expect((await openTable([mail])).blocks().next()).rejects.toMatchObject({ code: 'E_CONFLICT' });
  expect((await openTable([encode('a\n1\n')], { format: 'csv', maxBadRows: 1 })).layout).toBeUndefined();
});

test('empty input is the same error for blocks as for tables', async () => {
  for (const text of ['a,b\n', 'a,b\n\n\r\n']) {
    const open = (empty: 'refuse' | 'allow') => openTable([encode(text)], { format: 'csv', name: 'none.csv', empty });
    const drain = async (items: AsyncIterable<unknown>) => {
      for await (const _ of items);
    };
    const refusal = { code: 'E_EMPTY_INPUT', message: 'none.csv has no rows' };
    await expect(drain((await open('refuse')).blocks())).rejects.toMatchObject(refusal);
    await expect(drain((await open('refuse')).tables())).rejects.toMatchObject(refusal);
    await drain((await open('allow')).blocks());
  }
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('without WebAssembly there are no blocks, and the strict reader reads tables and blocks', async () => {
  const text = encode('a,b\n1,"x\ny"\n2,\n3,z\n');
  const { layout, blocks } = await allBlocks(text, { format: 'csv' });
  const expected = await throughTables(text, { format: 'csv' });
  vi.stubGlobal('WebAssembly', undefined);
  vi.resetModules();
  const strict = await import('../data/block-reader.ts');
  const [table] = [...new strict.BlockReader(layout).read(blocks[0])];
  expect({ rows: table.records().map(Object.entries), lines: [2, 4, 5] }).toEqual(expected);
  expect([0, 1, 2].map((i) => table.line(i))).toEqual([2, 4, 5]);
  const { openTable } = await import('./table.ts');
  const opened = await openTable([text], { format: 'csv' });
  expect(opened.layout).toBeUndefined();
  for await (const part of opened.tables()) expect(part.column('b').cells()).toEqual(['x\ny', '', 'z']);
});
