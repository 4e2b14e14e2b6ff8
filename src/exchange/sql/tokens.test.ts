import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckdb } from '../../../test/duckdb.ts';
import { quoteString } from '../../engines/sql/dialect.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { segmentWords } from '../../text/segment.ts';
import { plainWords } from '../../text/words.ts';
import { holdsUnspaced, lowerSteps, wordPattern } from './tokens.ts';

type Connection = Awaited<ReturnType<typeof duckdb>>;
let connection: Connection;
beforeAll(async () => void (connection = await duckdb()));
afterAll(() => connection.closeSync());

const lower = (text: string) => lowerSteps('duckdb').reduce((sql, step) => step(sql), text);

/** Asks about texts in one query; the first character of an answer keeps a byte-order mark from being taken for one. */
async function ask(texts: readonly string[], expression: string): Promise<unknown[]> {
  const values = texts.map((text, i) => `(${i}, ${quoteString('duckdb', text)})`).join(', ');
  const result = await connection.runAndReadAll(`SELECT ${expression} FROM (VALUES ${values}) AS v(i, t) ORDER BY i`);
  return result.getRowsJson().map(([answer]) => answer);
}

test('every character of Unicode is as small, and as much of a word, as in JavaScript', async () => {
  const result = await connection.runAndReadAll(`
    SELECT i::INTEGER, '|' || ${lower('c')}, regexp_full_match(c || c, ${wordPattern('duckdb', 'long')})
    FROM (SELECT i, chr(i::INTEGER) AS c FROM range(1, 1114112) AS r(i) WHERE i NOT BETWEEN 55296 AND 57343)`);
  const wrong: string[] = [];
  for (const [point, small, isWord] of result.getRows() as [number, string, boolean][]) {
    const letter = String.fromCodePoint(point);
    const fine = small === `|${letter.toLowerCase()}` && isWord === plainWords(letter + letter).length > 0;
    if (!fine) wrong.push(`${point.toString(16)}: ${small} ${isWord}`);
  }
  expect(wrong).toEqual([]);
});

const signs = [
  'Σ',
  'σ',
  'ς',
  'İ',
  'I',
  'ı',
  'i',
  '\u0307',
  'A',
  'ß',
  'ẞ',
  '1',
  '_',
  ' ',
  '.',
  '\u00ad',
  '’',
  ':',
  'Ǆ',
  'ǅ',
  'ʰ',
  'ͅ',
  '日',
  'é',
  '\u0301',
  '🎉',
  '𝒳',
  'Ა',
  '\n',
  '\u200d',
  "'",
];
const texts = fc.array(fc.oneof(fc.constantFrom(...signs), fc.string({ unit: 'grapheme', maxLength: 3 })), {
  maxLength: 12,
});

test('texts of all scripts become small as in JavaScript, Σ at the end of words among them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 30, maxLength: 30 }), async (many) => {
      const own = many.map((parts) => parts.join('').replaceAll('\0', ''));
      expect(await ask(own, `'|' || ${lower('t')}`)).toEqual(own.map((text) => `|${text.toLowerCase()}`));
    }),
    { numRuns: 40 },
  );
});

test('words of texts of all scripts are those of the library', async () => {
  const analyze = (text: string) => {
    const vectorizer = new CountVectorizer();
    try {
      return vectorizer.fit([text]).getFeatureNamesOut();
    } catch {
      return []; // a text without words has no vocabulary
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 20, maxLength: 20 }), async (many) => {
      const own = many.map((parts) => parts.join('').replaceAll('\0', ''));
      const found = await ask(
        own,
        `list_sort(list_distinct(regexp_extract_all(${lower('t')}, ${wordPattern('duckdb', 'long')})))`,
      );
      expect(found.map((list) => new Set(list as string[]))).toEqual(own.map((text) => new Set(analyze(text))));
    }),
    { numRuns: 25 },
  );
});

test('by hand: İ is two letters, the last Σ of a word is ς, and one letter is no word', async () => {
  const [first] = await ask(
    ['ΟΔΥΣΣΕΥΣ Σ ΑΣ. İSTANBUL a bc'],
    `regexp_extract_all(${lower('t')}, ${wordPattern('duckdb', 'long')})`,
  );
  expect(first).toEqual(['οδυσσευς', 'ας', 'stanbul', 'bc']);
});

test("where words have spaces between them, the words of the tokenizer 'auto' are found too, and other texts are known", async () => {
  const many = fc.array(texts, { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(many, async (parts) => {
      const own = parts.map((part) => part.join('').replaceAll('\0', ''));
      const packed = await ask(own, `${holdsUnspaced('duckdb', 't')}`);
      const found = await ask(own, `regexp_extract_all(${lower('t')}, ${wordPattern('duckdb', 'spaced')})`);
      own.forEach((text, i) => {
        expect(packed[i]).toBe(
          /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u.test(
            text.replace(/[^\p{L}\p{M}\p{N}]/gu, ''),
          ),
        );
        if (!packed[i]) expect(found[i]).toEqual(segmentWords(text.toLowerCase()));
      });
    }),
    { numRuns: 25 },
  );
});
