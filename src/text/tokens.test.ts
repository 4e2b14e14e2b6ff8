import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { atMost, processorTime } from '../../test/quiet.ts';
import { readOptions } from '../core/options.ts';
import { PolyaError } from '../errors.ts';
import { analyzerOf, readerOf } from './analyze.ts';
import { textOf } from './documents.ts';
import { KernelReader } from './kernel-reader.ts';
import { type AnalyzerOptions, analyzerSpec } from './options.ts';
import type { Bag, Reader } from './reader.ts';
import { TextReader } from './text-reader.ts';
import { longWords, plainWords } from './words.ts';

const textReader = (options: AnalyzerOptions) => {
  const analyze = analyzerOf(options);
  return new TextReader((document, row) => analyze(textOf(document, row)));
};

const optionsOf = (given: object) => readOptions('test', analyzerSpec, given) as AnalyzerOptions;

/** Letters of all kinds, including difficult ones for case, width and accents, and any other Unicode. */
const letters = fc.constantFrom(
  ...['a', 'B', 'z', '_', '7', ' ', '\n', '\t', '.', "'", '-', ':', '\0', '\x1f', '\x7f', '\xa0', '\u3000', '\ufeff'],
  ...[
    'é',
    'É',
    'e\u0301',
    '\u0301',
    '\u0345',
    'ß',
    'ẞ',
    'İ',
    'I',
    'ı',
    'Σ',
    'σ',
    'ς',
    'Α',
    'ŉ',
    'ﬁ',
    'Ａ',
    '１',
    '½',
    '²',
  ],
  ...[
    '北',
    '京',
    'の',
    'カ',
    'ก',
    'า',
    'ह',
    'ि',
    '्',
    '\u200d',
    'ﷺ',
    '𐐀',
    '𐐨',
    '𝒜',
    '😀',
    '\u{e0100}',
    'ꭰ',
    'Ꭰ',
    'Ω',
    'K',
  ],
);
const texts = fc
  .array(fc.oneof(letters, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 30 })
  .map((a) => a.join(''));
const choices = fc.record({
  lowercase: fc.boolean(),
  stripAccents: fc.constantFrom(null, 'ascii', 'unicode'),
  normalize: fc.constantFrom(null, 'NFC', 'NFKC'),
  tokenizer: fc.constantFrom('sklearn', 'auto'),
  ngramRange: fc.constantFrom([1, 1], [1, 2], [2, 3], [3, 3]),
  stopWords: fc.constantFrom(null, 'english', ['aa', '北京', 'ss']),
});

/** The terms of a bag, repeated by count; unknown ones as question marks. */
const listed = (reader: Reader, { ids, counts, unknown }: Bag): string[] => [
  ...Array.from(ids, (id, k) => new Array<string>(counts[k]).fill(`=${reader.term(id)}`)).flat(),
  ...new Array<string>(unknown).fill('?'),
];

/** How often each term occurs. */
function counted(terms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

describe('the byte path and the string path', () => {
  check.prop([fc.array(texts, { maxLength: 4 }), choices], { numRuns: 200 })(
    'give identical counts on any text, whether it comes as a string or as bytes',
    (documents, given) => {
      const options = optionsOf(given);
      const [fast, fromBytes, slow] = [readerOf(options), readerOf(options), textReader(options)];
      expect(fast).toBeInstanceOf(KernelReader);
      for (const document of documents) {
        const read = (reader: typeof fast, source: string | Uint8Array) =>
          counted(listed(reader, reader.read(source, 0, true)));
        expect(read(fast, document)).toEqual(read(slow, document));
        expect(read(fromBytes, new TextEncoder().encode(document))).toEqual(read(slow, document));
      }
    },
  );

  check.prop([fc.array(texts, { minLength: 2, maxLength: 5 }), choices], { numRuns: 200 })(
    'agree on what is unknown when nothing may be added',
    ([known, ...documents], given) => {
      const options = optionsOf(given);
      const [fast, slow] = [readerOf(options), textReader(options)];
      for (const reader of [fast, slow]) for (const term of analyzerOf(options)(known)) reader.idOf(term);
      for (const document of documents) {
        const read = (reader: typeof fast) => counted(listed(reader, reader.read(document, 0, false)));
        const before = [fast.size, slow.size];
        expect(read(fast)).toEqual(read(slow));
        expect([fast.size, slow.size]).toEqual(before);
      }
    },
  );

  test('a final sigma is lower-cased by its context within the piece, as in Python', () => {
    const reader = readerOf(optionsOf({}));
    const words = listed(reader, reader.read("ΟΔΟΣ A'ΟΣ. ΑΣ.Α", 0, true));
    expect(words).toEqual(['=οδος', '=ος', '=ασ']);
  });
});

test('long texts are read in pieces and give the same words', () => {
  const text = `${'ab '.repeat(3)}é ${'x'.repeat(9000)} 𝒜 𝒜b ${'𝒜'.repeat(5000)}_`;
  expect(longWords(text)).toEqual(plainWords(text));
  expect(plainWords('𝒜'.repeat(2 ** 22))).toEqual(['𝒜'.repeat(2 ** 22)]);
});

describe('invalid text', () => {
  const refusal = (source: string | Uint8Array, given: object = {}) => {
    try {
      readerOf(optionsOf(given)).read(source, 3, true);
    } catch (error) {
      if (error instanceof PolyaError) return { code: error.code, ...error.details };
    }
    return undefined;
  };

  test('a lone surrogate is E_UNICODE on both paths, with row and position', () => {
    for (const given of [{}, { analyzer: 'char' }]) {
      expect(refusal('good \ud83d bad', given)).toEqual({ code: 'E_UNICODE', row: 3, offset: 5 });
    }
  });

  test('invalid UTF-8 is E_ENCODING on both paths, with row and position', () => {
    const bytes = Uint8Array.of(0x61, 0x62, 0x20, 0x63, 0xc3, 0x28, 0x20, 0x64);
    for (const given of [{}, { analyzer: 'char' }, { tokenizer: 'auto' }]) {
      expect(refusal(bytes, given)).toEqual({ code: 'E_ENCODING', row: 3, offset: 4 });
    }
  });
});

describe('a reader', () => {
  check.prop([fc.array(fc.string({ unit: 'binary', maxLength: 6 }))])(
    'numbers terms in order of arrival, each once',
    (words) => {
      for (const reader of [readerOf(optionsOf({})), textReader(optionsOf({}))]) {
        const seen: string[] = [];
        for (const word of words) {
          const known = seen.indexOf(word);
          expect(reader.idOf(word)).toBe(known < 0 ? seen.push(word) - 1 : known);
        }
        expect(seen.map((_, id) => reader.term(id))).toEqual(seen);
        expect(reader.size).toBe(seen.length);
      }
    },
  );

  test('holds a hundred thousand terms', () => {
    const reader = readerOf(optionsOf({}));
    for (let i = 0; i < 100_000; i++) expect(reader.idOf(`w${i}`)).toBe(i);
    expect(reader.idOf('w99999')).toBe(99_999);
    expect(reader.term(54_321)).toBe('w54321');
  });
});

/** Texts on which careless patterns take quadratic time. */
const hostile = (n: number): Record<string, string> => ({
  spaces: ' '.repeat(n),
  oneWord: 'a'.repeat(n),
  wideWord: 'é'.repeat(n),
  lines: '\r\n'.repeat(n / 2),
  addresses: 'a@'.repeat(n / 2),
  brackets: '([{'.repeat(n / 3),
  quotes: '"\''.repeat(n / 2),
  marks: '\u0301'.repeat(n),
  marked: 'a\u0301'.repeat(n / 2),
  joiners: 'क\u200d'.repeat(n / 2),
  kana: 'ア'.repeat(n / 3),
  han: '一 '.repeat(n / 4),
  thaiAndLatin: 'กa'.repeat(n / 4),
  pairs: '𝒜'.repeat(n / 4),
  sigmas: 'Σ.'.repeat(n / 3),
});

/** Milliseconds of processor time, the minimum of several runs: other load only slows a run down. */
function cost(run: () => void, enough = 0): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12 && best >= enough; round++) best = Math.min(best, processorTime(run));
  return best;
}

describe('adversarial text is read in linear time', () => {
  const analyzers: Record<string, object> = {
    sklearn: {},
    auto: { tokenizer: 'auto' },
    pattern: { tokenPattern: '(?u)\\b\\w+\\b' },
    stripped: { stripAccents: 'unicode', ngramRange: [1, 2] },
    char: { analyzer: 'char', ngramRange: [2, 2] },
    char_wb: { analyzer: 'char_wb', ngramRange: [2, 2] },
  };

  for (const [name, given] of Object.entries(analyzers)) {
    test(`100 kB take less than 50 ms with ${name}`, () => {
      for (const [kind, text] of Object.entries(hostile(100_000))) {
        const best = cost(() => readerOf(optionsOf(given)).read(text, 0, true), atMost(50));
        expect.soft(best, kind).toBeLessThan(atMost(50));
      }
    });
  }

  test('ten times the text takes about ten times the time', () => {
    for (const given of [{}, { tokenizer: 'auto' }]) {
      const [small, large] = [hostile(30_000), hostile(300_000)];
      for (const kind of Object.keys(small)) {
        const [a, b] = [small, large].map((all) => cost(() => readerOf(optionsOf(given)).read(all[kind], 0, true), 3));
        expect.soft(b, kind).toBeLessThan(Math.max(atMost(15), 30 * a)); // quadratic time would be a factor of a hundred
      }
    }
  });
});
