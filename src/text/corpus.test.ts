import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { PolyaError } from '../errors.ts';
import { CorpusCounter, type CorpusOptions } from './corpus.ts';
import { ByteKernel } from './tokens.ts';
import type { WordCounts } from './word-counts.ts';
import { plainWords } from './words.ts';

const options: CorpusOptions = {
  text: 'text',
  label: 'label',
  stopWords: [],
  presence: false,
  lowercase: true,
  wholeDocuments: false,
  foreign: plainWords,
};

const encoder = new TextEncoder();

function counted(lines: string | Uint8Array, given: Partial<CorpusOptions> = {}, cut = Infinity): WordCounts {
  const counter = new CorpusCounter({ ...options, ...given });
  const bytes = typeof lines === 'string' ? encoder.encode(lines) : lines;
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(bytes.length, from + cut);
    while (to < bytes.length && bytes[to - 1] !== 10) to++;
    counter.reserve(to - from).set(bytes.subarray(from, to));
    counter.count(to - from);
    from = to;
  }
  return counter.counts();
}

/** Counts as words: class → word → count, and word → documents. */
function told({ labels, bytes, ends, documents, df, counts }: WordCounts) {
  const words = Array.from(ends, (end, k) => new TextDecoder().decode(bytes.subarray(k > 0 ? ends[k - 1] : 0, end)));
  const kept = words.map((word, k) => [word, k] as const).filter(([, k]) => df[k] > 0);
  return {
    documents: new Map(labels.map((label, c) => [label, documents[c]])),
    df: new Map(kept.map(([word, k]) => [word, df[k]])),
    counts: new Map(
      labels.flatMap((label, c) =>
        kept.flatMap(([word, k]) => {
          const count = counts[c * words.length + k];
          return count > 0 ? [[`${label} ${word}`, count] as const] : [];
        }),
      ),
    ),
  };
}

/** The same by objects, strings and maps. */
function plainly(
  records: readonly { label: unknown; text: string }[],
  stopWords: readonly string[],
  presence: boolean,
) {
  const [documents, df, counts] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (const { label, text } of records) {
    const kernel = new ByteKernel(options);
    const bytes = encoder.encode(text);
    const ids = kernel.scan(bytes, bytes.length, true, () => expect.unreachable());
    const words = Array.from(ids, (id) => kernel.word(id)).filter((word) => !stopWords.includes(word));
    add(documents, JSON.stringify(label));
    for (const word of new Set(words)) add(df, word);
    for (const word of presence ? new Set(words) : words) add(counts, `${JSON.stringify(label)} ${word}`);
  }
  return { documents, df, counts };
}

const letters = fc.constantFrom(
  '\x1b',
  '\0',
  '\x0ea',
  'a',
  'B',
  ' ',
  '\n',
  '"',
  '\\',
  '/',
  '\t',
  '\u0001',
  '\u2028',
  'é',
  'Σ',
  '北',
  '😀',
  'the ',
  'word',
);
const texts = fc.array(letters, { maxLength: 60 }).map((parts) => parts.join(''));
const labels = fc.constantFrom('spam', 'ham', '', 'é', '"', 7, -1, 0, true, false, '7');
const records = fc.array(
  fc.record({ label: labels, text: texts, id: fc.constantFrom(1, 2.5, 'x', null, true, [1], 'é') }),
  {
    maxLength: 12,
  },
);
const style = fc.constantFrom(
  (record: object) => JSON.stringify(record),
  (record: object) =>
    JSON.stringify(record).replaceAll(
      /[^\0-\x7f]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  (record: object) => ` ${JSON.stringify(record, null, 1).replaceAll('\n', ' ')}\t\r`,
  (record: object) => JSON.stringify(Object.fromEntries(Object.entries(record).reverse())),
  (record: object) => `\n\n${JSON.stringify({ other: { text: 'no' }, ...record })}`,
);

check.prop(
  [records, style, fc.boolean(), fc.constantFrom([], ['the', 'word', 'wordé']), fc.integer({ min: 1, max: 300 })],
  {
    numRuns: 300,
  },
)('counts lines as bytes as others count objects', (rows, write, presence, stopWords, cut) => {
  const lines = rows.map((row) => `${write(row)}\n`).join('');
  expect(told(counted(lines, { presence, stopWords }, cut))).toEqual(plainly(rows, stopWords, presence));
});

const escapes = fc.constantFrom(
  'a',
  'B_',
  ' ',
  '\n',
  '"',
  '\\',
  '\\\\',
  'n',
  'word',
  'u',
  '/',
  'longer than eight',
  '\x1f',
  '\x07',
);
check.prop([fc.array(escapes, { minLength: 40, maxLength: 200 }), fc.nat(70)], { numRuns: 300 })(
  'backslashes in a row mean the same wherever sixty-four bytes end',
  (parts, shift) => {
    const row = { label: 'a', text: `${' '.repeat(shift)}${parts.join('')}` };
    expect(told(counted(`${JSON.stringify(row)}\n`))).toEqual(plainly([row], [], false));
  },
);

test('the last line may lack its end, and a byte-order mark is nothing', () => {
  expect(told(counted('\ufeff{"label":"a","text":"one two"}\n{"text":"two","label":"b"}')).df).toEqual(
    new Map([
      ['one', 1],
      ['two', 2],
    ]),
  );
});

test('what an earlier chunk has left behind is no part of a last line', () => {
  const counter = new CorpusCounter(options);
  const feed = (text: string) => {
    counter.reserve(text.length).set(encoder.encode(text));
    counter.count(text.length);
  };
  feed('{"label":"a","text":"bb"}');
  for (const cut of [1, 9, 10, 11, 12, 20, 22, 23, 24]) {
    expect(() => feed('{"label":"a","text":"bb"}'.slice(0, cut)), String(cut)).toThrow(PolyaError);
    feed('{"label":"a","text":"bb"}');
  }
  expect(told(counter.counts()).df).toEqual(new Map([['bb', 10]]));
});

test.each([
  ['{"label":"a","text":"b"', 'E_FORMAT'],
  ['{"label":"a","text":"b"} x', 'E_FORMAT'],
  ['{"label":"a","text":"b",}', 'E_FORMAT'],
  ['{"label":"a","text":"\u0001"}', 'E_FORMAT'],
  ['{"label":"a","text":"\\x"}', 'E_FORMAT'],
  ['{"label":"a","text":"\\ud800"}', 'E_UNICODE'],
  ['{"label":01,"text":"b"}', 'E_FORMAT'],
  ['{"label":truth,"text":"b"}', 'E_FORMAT'],
  ['{"label":null,"text":"b"}', 'E_LABEL_MISSING'],
  ['{"text":"b"}', 'E_LABEL_MISSING'],
  ['{"label":"a","text":5}', 'E_TYPE'],
  ['[1]', 'E_LABEL_MISSING'],
  [Uint8Array.of(...encoder.encode('{"label":"a","text":"xx '), 0xff, ...encoder.encode('"}')), 'E_ENCODING'],
  [Uint8Array.of(...encoder.encode('{"id":"'), 0xff, ...encoder.encode('","label":"a","text":"b"}')), 'E_ENCODING'],
])('refuses %s with %s', (line, code) => {
  expect(() => counted(line)).toThrow(PolyaError);
  expect(() => counted(line)).toThrow(expect.objectContaining({ code }));
});
