import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileJsonLines } from '../../test/hostile.ts';
import { PolyaError } from '../errors.ts';
import type { BadRow } from './faults.ts';
import { findJsonFault } from './json-syntax.ts';
import { type JsonLinesOptions, parseJsonLines, readJsonLines } from './jsonl.ts';
import type { Source } from './source.ts';

const free = { maxDepth: Number.POSITIVE_INFINITY, uniqueKeys: false };

async function outcome(source: Source, options: JsonLinesOptions): Promise<unknown> {
  const chunks: unknown[] = [];
  const bad: BadRow[] = [];
  try {
    for await (const chunk of readJsonLines(source, { ...options, onBadRow: (row) => bad.push(row) }))
      chunks.push(chunk);
    return { chunks, bad };
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return { chunks, bad, refusal: error.toJSON() };
  }
}

function refusal(text: string | Uint8Array, options: JsonLinesOptions = {}): unknown {
  try {
    parseJsonLines(text, options);
  } catch (error) {
    if (error instanceof PolyaError) return { code: error.code, ...error.details };
    throw error;
  }
  return undefined;
}

test('written values are read back, with every line end', () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
  fc.assert(
    fc.property(fc.array(value), fc.constantFrom('\n', '\r\n', '\r', '\n\n', ' \n\t\n'), (values, end) => {
      const read = parseJsonLines(values.map((value) => JSON.stringify(value) + end).join(''));
      expect(read.values).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))));
      expect(read.lines.length).toBe(values.length);
    }),
    { seed: 11, numRuns: 1000 },
  );
});

test('values, bad lines and errors are the same wherever the bytes are split', async () => {
  const options = fc.record(
    {
      maxBadRows: fc.constantFrom(0, 1, 100),
      chunkRows: fc.constantFrom(1, 2, 100),
      maxLineBytes: fc.constantFrom(3, 8),
      maxDepth: fc.constantFrom(1, 2),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(hostileJsonLines, options, async (bytes, options) => {
      const whole = await outcome(bytes, options);
      for (let cut = 0; cut < bytes.length; cut++) {
        expect(await outcome([bytes.subarray(0, cut), bytes.subarray(cut)], options)).toEqual(whole);
      }
      expect(
        await outcome(
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
          options,
        ),
      ).toEqual(whole);
    }),
    { seed: 12, numRuns: 1500 },
  );
});

test('a line is invalid exactly when JSON.parse throws', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '"b":',
    '0',
    '-',
    '1',
    '.5',
    'e1',
    'E+',
    'true',
    'null',
    'nul',
    ' ',
    '\t',
    '\\',
    '\\n',
    '\\u0041',
    '\\u00',
    'é',
    '\u0001',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
  const harmed = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...pieces, ''), fc.nat(1))
    .map(([json, where, piece, lost]) => {
      const at = where % (json.length + 1);
      return json.slice(0, at) + piece + json.slice(at + lost);
    });
  fc.assert(
    fc.property(fc.oneof(text, harmed), (line) => {
      let parses = true;
      try {
        JSON.parse(line);
      } catch {
        parses = false;
      }
      const fault = findJsonFault(line, free);
      expect([line, fault?.code !== 'E_UNICODE' && fault !== undefined]).toEqual([line, !parses]);
    }),
    { seed: 13, numRuns: 10_000 },
  );
});

test('a key __proto__ is an ordinary own property', () => {
  const [value] = parseJsonLines('{"__proto__":{"x":1},"constructor":2}').values as [Record<string, unknown>];
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).x).toBe(undefined);
});

test('invalid JSON is an error with its line, its column in characters and its offset in bytes', () => {
  const places: [string, number, number][] = [
    ['{"a":é}', 6, 5],
    ['["é" 1]', 6, 6],
    ['{"é":1,}', 8, 8],
    ['{"é":1', 7, 7],
    ['"é', 1, 0],
    ['1 2', 3, 2],
    ['01', 2, 1],
    ['-', 1, 0],
    ['"a\\x"', 3, 2],
    ['{1:2}', 2, 1],
    ['{"a" 1}', 6, 5],
    ['[1}', 3, 2],
    ["'a'", 1, 0],
    ['NaN', 1, 0],
  ];
  for (const [line, column, offset] of places) {
    const excerpt = { line: 3, text: line, caret: column, before: { line: 2, text: '' } };
    const expected = { code: 'E_FORMAT', line: 3, column, offset: 6 + offset, badRows: 0, excerpt };
    expect([line, refusal(`"é"\n\n${line}\n`)]).toMatchObject([line, expected]);
  }
});

test('nesting is limited to 64, and a million brackets are an error', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(parseJsonLines(nested(64)).values.length).toBe(1);
  expect(refusal(nested(65))).toMatchObject({ code: 'E_LIMIT', line: 1, column: 65 });
  expect(refusal('['.repeat(1_000_000))).toMatchObject({ code: 'E_LIMIT', column: 65 });
  expect(refusal('{"a":'.repeat(1_000_000))).toMatchObject({ code: 'E_LIMIT', column: 321 });
  expect(refusal('[[0]]', { maxDepth: 1 })).toMatchObject({ code: 'E_LIMIT', column: 2 });
  expect(parseJsonLines(`[${'[],'.repeat(100)}"[[[["]`).values.length).toBe(1);
});

test('a lone surrogate is an error, escaped or not, and a pair is not', () => {
  expect(parseJsonLines('"\\ud83d\\ude00"').values).toEqual(['😀']);
  for (const half of ['\\ud83d', '\\ude00', '\\uD83Dx', '\\ud83d\\u0041', '\\ud83d\\ud83d\\ude00']) {
    expect(refusal(`["a","${half}"]`)).toMatchObject({ code: 'E_UNICODE', line: 1, column: 7 });
    expect(refusal(`{"${half}":1}`)).toMatchObject({ code: 'E_UNICODE', line: 1, column: 3 });
  }
  expect(refusal('"\ud83d"')).toMatchObject({ code: 'E_UNICODE', offset: 1 });
  expect(parseJsonLines('"\\\\ud83d"').values).toEqual(['\\ud83d']);
});

test('a duplicate key takes its last value, or is an error', () => {
  expect(parseJsonLines('{"a":1,"a":2}').values).toEqual([{ a: 2 }]);
  const strict = { duplicates: 'refuse' } as const;
  expect(refusal('{"a":1,"\\u0061":2}', strict)).toMatchObject({ code: 'E_FEATURE_DUPLICATE', column: 8 });
  expect(refusal('[{"a":{"a":[{"a":1}]}},{"a":1}]', strict)).toBe(undefined);
  expect(refusal('{"__proto__":1,"__proto__":2}', strict)).toMatchObject({ code: 'E_FEATURE_DUPLICATE' });
});

test('invalid bytes are an error with their position', () => {
  expect(refusal(Uint8Array.of(49, 10, 34, 0xe9, 34))).toMatchObject({
    code: 'E_ENCODING',
    line: 2,
    column: 2,
    offset: 3,
  });
  expect(refusal('1\n"\0"')).toMatchObject({ code: 'E_ENCODING', line: 2, column: 2, offset: 3 });
  expect(refusal(Uint8Array.of(0xff, 0xfe, 49, 0))).toMatchObject({ code: 'E_ENCODING', offset: 0 });
  expect(parseJsonLines('\ufeff1\n2').values).toEqual([1, 2]);
});

test('a line that is too long is an error, or skipped in bounded memory', () => {
  const text = `1\n"${'a'.repeat(200_000)}"\n2\n`;
  expect(refusal(text, { maxLineBytes: 1000 })).toMatchObject({ code: 'E_LIMIT', line: 2, column: 1, limit: 1000 });
  const bad: BadRow[] = [];
  const read = parseJsonLines(text, { maxLineBytes: 1000, maxBadRows: 1, onBadRow: (row) => bad.push(row) });
  expect(read.values).toEqual([1, 2]);
  expect([...read.lines]).toEqual([1, 3]);
  expect(bad.map(({ line, text }) => [line, text.length])).toEqual([[2, 65536]]);
});

test('empty input has no values', () => {
  expect(parseJsonLines('')).toEqual({ values: [], lines: new Float64Array() });
  expect(parseJsonLines(' \n\n')).toEqual({ values: [], lines: new Float64Array() });
});
