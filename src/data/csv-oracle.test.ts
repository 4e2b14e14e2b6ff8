import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { hostileFiles } from '../../test/hostile.ts';
import { PolyaError } from '../errors.ts';
import { parseCsv } from './csv.ts';
import { formatCsv } from './csv-format.ts';
import { rowsOf } from './table.ts';

/** One file in the dialect that both readers define: the same line end everywhere outside quotes. */
interface Sample {
  readonly text: string;
  readonly delimiter: string;
  readonly newline: '\n' | '\r\n' | '\r';
}

type Answer = { rows: string[][] } | { refusal: PolyaError };

function polya({ text, delimiter }: Sample): Answer {
  try {
    return { rows: rowsOf(parseCsv(text, { delimiter, header: false })).filter(isNotBlank) };
  } catch (error) {
    if (error instanceof PolyaError) return { refusal: error };
    throw error;
  }
}

/** All rows of papaparse before its first error. */
function papa({ text, delimiter, newline }: Sample): { rows: string[][]; errors: Papa.ParseError[] } {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline, header: false });
  return { rows: data.slice(0, errors[0]?.row).filter(isNotBlank), errors };
}

const isNotBlank = (row: string[]) => row.length > 1 || row[0] !== '';

/** The offset in bytes of an index of papaparse, which does not count the byte-order mark. */
function offsetOf(text: string, index: number): number {
  const marked = text.startsWith('\ufeff') ? index + 1 : index;
  return new TextEncoder().encode(text.slice(0, marked)).length;
}

/**
 * Where the dialects differ: papaparse cannot distinguish a row of one empty quoted cell from a blank line, and it
 * drops every Unicode space after a closing quote, where Pólya drops blanks and tabs and rejects the rest.
 */
const isTwofold = (text: string) => /(?:^\ufeff?|[\r\n])""[ \t]*(?:$|[\r\n])|"\s*[^\S \t\r\n]/.test(text);

/** Where papaparse finds no error, Pólya returns the same rows, or an error for a row of another length. */
function compare(sample: Sample): 'equal' | 'ragged' | 'both refuse' | 'papaparse refuses' | 'aside' {
  const { text } = sample;
  if (isTwofold(text)) return 'aside';
  const { rows, errors } = papa(sample);
  const answer = polya(sample);
  const width = rows[0]?.length;
  const ragged = rows.find((row) => row.length !== width);
  if (ragged !== undefined) {
    const details = expect.objectContaining({ cells: ragged.length, expected: width });
    expect(answer).toEqual({ refusal: expect.objectContaining({ code: 'E_FORMAT', details }) });
    return 'ragged';
  }
  if (errors.length === 0) {
    expect(answer).toEqual({ rows });
    return 'equal';
  }
  if (/"[ \t]+$/.test(text)) return 'papaparse refuses'; // blanks between the last quote and the end of the file
  expect(answer).toEqual({ refusal: expect.objectContaining({ code: 'E_FORMAT' }) });
  if (errors.length === 1 && errors[0]!.code === 'MissingQuotes' && 'refusal' in answer) {
    expect(answer.refusal.details.offset).toBe(offsetOf(text, errors[0]!.index! - 1));
  }
  return 'both refuse';
}

const delimiter = fc.constantFrom(',', '\t', ';', '|');
const newline = fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const);

/** Random sequences of the special characters, mostly not a table. */
const chaos: fc.Arbitrary<Sample> = fc
  .record({
    mark: fc.constantFrom('', '', '', '\ufeff'),
    parts: fc.array(
      fc.constantFrom('D', 'D', 'N', '"', '""', '"D"', 'a', 'bc', ' ', 'é', '😀', '\ufffd', '__proto__', '0'),
      { maxLength: 24 },
    ),
    delimiter,
    newline,
  })
  .map(({ mark, parts, delimiter, newline }) => {
    const text = parts.map((part) => part.replaceAll('D', delimiter).replaceAll('N', newline)).join('');
    return { text: mark + text, delimiter, newline };
  });

const cell = fc
  .array(fc.constantFrom('a', '1', ' ', '"', ',', ';', '\n', '\r', '\r\n', 'é', '😀', 'constructor', '='), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''));

/** Well-formed tables that occasionally lost or gained a character. */
const nearly: fc.Arbitrary<Sample> = fc
  .record({
    rows: fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 })),
    delimiter,
    newline,
    harm: fc.option(fc.record({ at: fc.nat(), lost: fc.nat(1), gained: fc.constantFrom('', '"', ' ', 'D') })),
  })
  .map(({ rows, delimiter, newline, harm }) => {
    const text = formatCsv(rows, delimiter, newline);
    // A lost quote or character may leave a different line end outside quotes, which the readers define differently.
    const even = harm === null ? text : text.replaceAll(/\r\n|\r|\n/g, newline);
    const at = harm === null ? 0 : harm.at % (even.length + 1);
    const safe = harm !== null && !/[\r\n\ud800-\udfff]/.test(even.slice(Math.max(0, at - 1), at + 2));
    const harmed = safe ? even.slice(0, at) + harm.gained.replace('D', delimiter) + even.slice(at + harm.lost) : text;
    return { text: harmed, delimiter, newline };
  });

test('ten thousand files are read as by papaparse, where papaparse finds no error', () => {
  const seen = new Map<string, number>();
  const property = (sample: Sample) => {
    const kind = compare(sample);
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  };
  fc.assert(fc.property(chaos, property), { seed: 7, numRuns: 6000 });
  fc.assert(fc.property(nearly, property), { seed: 8, numRuns: 6000 });
  expect(seen.get('equal')).toBeGreaterThan(8000);
  expect(seen.get('both refuse')).toBeGreaterThan(2000);
  expect(seen.get('ragged')).toBeGreaterThan(500);
  expect(12_000 - seen.get('aside')!).toBeGreaterThan(10_000);
});

test('malformed files are read as by papaparse', () => {
  for (const [name, text] of hostileFiles) {
    const kind = compare({ text, delimiter: ',', newline: '\n' });
    expect([name, kind]).toEqual([name, expect.not.stringMatching(/aside|papaparse refuses|ragged/)]);
  }
  expect(compare({ text: 'a,b\r1,"2\r"\r\r3,4', delimiter: ',', newline: '\r' })).toBe('equal');
});

test('NUL and lone surrogates are errors, unlike in papaparse', () => {
  const text = fc.tuple(chaos, fc.nat(), fc.constantFrom('\0', '\ud800', '\udc00'));
  fc.assert(
    fc.property(text, ([sample, where, intruder]) => {
      const points = [...sample.text];
      points.splice(where % (points.length + 1), 0, intruder);
      const answer = polya({ ...sample, text: points.join('') });
      const code = intruder === '\0' ? 'E_ENCODING' : 'E_UNICODE';
      const refusal = 'refusal' in answer ? answer.refusal.code : undefined;
      expect([code, 'E_FORMAT']).toContain(refusal); // whichever error comes first
    }),
    { seed: 9, numRuns: 2000 },
  );
});

test('mixed line ends read like one kind of line end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1 }), (ends) => {
      const file = (end: (i: number) => string) => ends.map((_, i) => `${i},"b\n"${end(i)}`).join('');
      const mixed = parseCsv(
        file((i) => ends[i]!),
        { header: false },
      );
      const plain = parseCsv(
        file(() => '\n'),
        { header: false },
      );
      expect(mixed).toEqual(plain);
    }),
    { seed: 10 },
  );
});
