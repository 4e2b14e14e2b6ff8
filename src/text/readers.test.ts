import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzerOf, readerOf } from './analyze.ts';
import { textOf } from './documents.ts';
import { KernelReader } from './kernel-reader.ts';
import { type AnalyzerOptions, analyzerSpec } from './options.ts';
import type { Reader } from './reader.ts';
import { TextReader } from './text-reader.ts';

const base: AnalyzerOptions = {
  encoding: 'utf-8',
  decodeError: 'strict',
  analyzer: 'word',
  tokenizer: 'sklearn',
  tokenPattern: analyzerSpec.tokenPattern.default as string,
  preprocessor: null,
  normalize: null,
  lowercase: true,
  stripAccents: null,
  stopWords: null,
  stemmer: null,
  ngramRange: [1, 1],
};

const variants: Record<string, Partial<AnalyzerOptions>> = {
  words: {},
  'words as written': { lowercase: false },
  pairs: { ngramRange: [1, 2] },
  'pairs to fours': { ngramRange: [2, 4] },
  'without stop words': { stopWords: ['the', 'and', 'größe'], ngramRange: [1, 2] },
  'without accents': { stripAccents: 'unicode' },
  'in ASCII': { stripAccents: 'ascii' },
  'in normal form': { normalize: 'NFKC' },
  segments: { tokenizer: 'auto' },
  characters: { analyzer: 'char', ngramRange: [1, 3] },
  'characters of words': { analyzer: 'char_wb', ngramRange: [2, 4] },
  'long characters of words': { analyzer: 'char_wb', ngramRange: [5, 7] },
};

const pieces = fc.oneof(
  fc.constantFrom(
    'the',
    'The',
    'AND',
    'and',
    'a',
    'I',
    'x1',
    'über',
    'ÜBER',
    'Größe',
    'naïve',
    'Straße',
    'ΣΑΣ',
    'όσος',
    'İstanbul',
  ),
  fc.constantFrom(
    ' ',
    '  ',
    '\n',
    '\t ',
    '\u00a0',
    '\u2003\u2003',
    '\u3000',
    '-',
    '_',
    '.',
    ', ',
    '\u0085',
    '\x1c\x1d',
    '\u200d',
    '\u0301',
  ),
  fc.constantFrom('東京に行く', 'ไทยแลนด์', '한국어', 'Ⅷ', '٣٤', '𝒳𝒴', '🙂🙂', 'Ⱥ', 'ǅ', 'ﬁn', '²³', 'é', 'ﷺ'),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed()),
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'Z', '9'), maxLength: 200 }),
);
const texts = fc.array(
  fc.array(pieces, { maxLength: 25 }).map((all) => all.join('')),
  { minLength: 1, maxLength: 6 },
);

/** The terms of documents with their counts, in order of first occurrence. */
function read(reader: Reader, documents: readonly (string | Uint8Array)[], add: boolean) {
  return documents.map((document, row) => {
    const { ids, counts, unknown } = reader.read(document, row, add);
    const found = Array.from(ids, (id, k): [number, number] => [id, counts[k]]);
    return { found: found.map(([id, n]) => [reader.term(id), n]), unknown };
  });
}

const sorted = ({ found, unknown }: ReturnType<typeof read>[number]) => ({
  found: found.map(([term, n]) => `${term}\0${n}`).sort(),
  unknown,
});

for (const [name, options] of Object.entries(variants)) {
  const all = { ...base, ...options };
  const byStrings = () => new TextReader((document, row) => analyzerOf(all)(textOf(document, row)));

  test(`the kernels read ${name} as the analyzer does`, () => {
    expect(readerOf(all)).toBeInstanceOf(KernelReader);
    fc.assert(
      fc.property(texts, texts, (first, second) => {
        const [kernel, plain] = [readerOf(all), byStrings()];
        expect(read(kernel, first, true).map(sorted)).toEqual(read(plain, first, true).map(sorted));
        expect(read(kernel, second, false).map(sorted)).toEqual(read(plain, second, false).map(sorted));
        const bytes = second.map((text) => new TextEncoder().encode(text));
        expect(read(kernel, bytes, true).map(sorted)).toEqual(read(plain, second, true).map(sorted));
        expect(
          Array.from(kernel.order(), (id) => kernel.term(id)).filter((term) => plain.terms.includes(term)),
        ).toEqual(Array.from(plain.order(), (id) => plain.term(id)));
      }),
    );
  });

  test(`a document of one long word is read as ${name}, as by the analyzer`, () => {
    const documents = [4093, 4094, 4095, 4096, 10_000].map(
      (length) => 'ab'.repeat(length / 2) + 'c'.repeat(length % 2),
    );
    const [kernel, plain] = [readerOf(all), byStrings()];
    expect(read(kernel, documents, true).map(sorted)).toEqual(read(plain, documents, true).map(sorted));
  });

  test(`terms of ${name} round-trip through UTF-8`, () => {
    fc.assert(
      fc.property(texts, (documents) => {
        const reader = readerOf(all);
        read(reader, documents, true);
        const ids = reader.order();
        const encoded = reader.encode(ids);
        const fresh = readerOf(all);
        const own = fresh.idsOf(encoded);
        expect(Array.from(own, (id) => fresh.term(id))).toEqual(Array.from(ids, (id) => reader.term(id)));
      }),
    );
  });
}
