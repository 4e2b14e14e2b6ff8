import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { TidyMatrix } from '../data/tidy.ts';
import { CorpusCounter, type CorpusOptions } from './corpus.ts';
import { HASH_WORDS, type NotedRows } from './corpus-rows.ts';
import { entriesOf, withoutRows } from './kept-rows.ts';
import { otherWords } from './other-words.ts';
import { sortedRows } from './sorted-rows.ts';
import type { CountedWords } from './word-counts.ts';
import { mergeWordCounts } from './word-merge.ts';
import { plainWords } from './words.ts';

const foreign = (piece: string) => plainWords(piece.toLowerCase());
const columns = ['id', 'label', 'text', 'né'];
const options: CorpusOptions = {
  ...{ text: 'text', label: 'label', stopWords: ['the'], presence: false },
  ...{ lowercase: true, wholeDocuments: false, foreign, rows: { columns } },
};

interface Row {
  readonly id: unknown;
  readonly label: unknown;
  readonly text: string | null;
  readonly né: unknown;
}

function counterOf(lines: string, given: Partial<CorpusOptions>, keep = false): CorpusCounter {
  const counter = new CorpusCounter({ ...options, ...given });
  if (keep) counter.keepWords();
  const bytes = new TextEncoder().encode(lines);
  counter.reserve(bytes.length).set(bytes);
  if (bytes.length > 0) counter.count(bytes.length);
  return counter;
}

/** Counts parts of lines with a counter each, and then some lines again. */
function counted(parts: readonly string[], given: Partial<CorpusOptions> = {}, again = '') {
  const counters = parts.map((lines) => counterOf(lines, given));
  const [first, ...others] = counters.map((counter) => ({
    ...{ counter, noted: counter.takeRows() as NotedRows, counts: counter.counts() },
  }));
  const { words, columns: places } = mergeWordCounts(
    first.counter,
    others.map(({ counts }) => counts),
  );
  const second = counterOf(again, given, true);
  const own = Int32Array.from(first.counter.kernel.idsOf(second.words()), (id) => places[id]);
  const entries = entriesOf([{ noted: second.takeRows() as NotedRows, places: own }], { cells: 4, text: 2 });
  return { words, counters: [first, ...others], entries };
}

/** The words with their counts by label, in letters. */
function told({ labels, bytes, ends, documents, df, tf, again, counts }: CountedWords) {
  const words = Array.from(ends, (end, k) => new TextDecoder().decode(bytes.subarray(k > 0 ? ends[k - 1] : 0, end)));
  const byLabel = labels.map((_, c) => Array.from(counts.subarray(c * words.length, (c + 1) * words.length)));
  return { labels, words, byLabel, ...{ documents, df, tf, again } };
}

const spaces = fc.constantFrom(' ', '\n', '\t', '\r', '\f', '\v', '\u00a0', '\u3000', '\ufeff', '\u2028', '\u2003');
const letters = fc.constantFrom(
  'aa',
  'bb ',
  'Cc',
  'the ',
  '/',
  '\\',
  '\\n',
  '"',
  ' ',
  'é',
  '北京',
  '。',
  '\b',
  'n',
  '\x1b',
  '\0',
  '\x0e1',
  '\v',
);
const texts = fc
  .tuple(fc.array(spaces, { maxLength: 3 }), fc.array(letters, { maxLength: 8 }), fc.array(spaces, { maxLength: 3 }))
  .map((parts) => parts.flat().join(''));
const cells = fc.constantFrom(1, 2.5, -3, 1e21, 'x', 'é', '"', '\n', null, true, '');
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({ id: cells, label: fc.constantFrom('s', 'é', '"', 'h'), text: fc.option(texts), né: cells }),
  { maxLength: 12 },
);
const plain = (row: Row) => JSON.stringify(row);
const escaped = (row: Row) =>
  plain(row).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const slashed = (row: Row) => ` ${plain(row).replaceAll('/', '\\/')} \r`;
const lines = (list: readonly Row[], write: (row: Row) => string) => list.map((row) => `${write(row)}\n`).join('');

check.prop([rows, rows, fc.constantFrom(plain, escaped, slashed)], { numRuns: 100 })(
  'texts are alike when they are without the spaces around them, and cells are what they are, however they are written',
  (left, right, write) => {
    const { counters } = counted([lines(left, plain), lines(right, write)]);
    const seen = new Map<string, string>();
    counters.forEach(({ noted, counts }, p) => {
      [left, right][p].forEach((row, i) => {
        const record = noted.records.subarray(i * (HASH_WORDS + 4), (i + 1) * (HASH_WORDS + 4));
        const hash = record.subarray(0, HASH_WORDS).join();
        const text = (row.text ?? '').trim();
        expect(hash === '0,0,0,0').toBe(text === '');
        expect(seen.get(text) ?? hash).toBe(hash);
        seen.set(text, hash);
        for (const k of [0, 1, 3]) {
          expect(JSON.parse(counts.cells[k][record[HASH_WORDS + k]])).toEqual(row[columns[k] as keyof Row]);
        }
      });
    });
    expect(new Set(seen.values()).size).toBe(seen.size);
  },
);

check.prop([rows, rows, fc.boolean(), fc.infiniteStream(fc.boolean())], { numRuns: 100 })(
  'words without those of some rows are the words of the others, and the rows come back in their columns',
  (left, right, presence, coins) => {
    const all = [...left, ...right];
    const held = all.flatMap((_, i) => (coins.next().value ? [i] : []));
    const rest = all.filter((_, i) => !held.includes(i));
    const again = held.map((i) => all[i]);
    const { words, entries } = counted([lines(left, plain), lines(right, plain)], { presence }, lines(again, plain));
    const codes = Int32Array.from(held, (i) => words.labels.indexOf(JSON.stringify(all[i].label)));
    const parted = withoutRows(words, entries, codes, presence);
    expect(told(parted.words)).toEqual(told(counted([lines(rest, plain)], { presence }).words));
    const X = sortedRows(entries, parted.moves, parted.words.ends.length);
    const names = told(parted.words).words;
    held.forEach((i, at) => {
      const own = plainWords((all[i].text ?? '').toLowerCase()).filter((word) => names.includes(word));
      expect(Array.from(X.row(at).indices, (j) => names[j])).toEqual([...new Set(own)].sort());
      expect(X.row(at).values.reduce((sum, n) => sum + n, 0)).toBe(own.length);
    });
    if (presence) return;
    const part = otherWords(words, entries, codes);
    expect([part.labels, part.features, part.rows]).toEqual([parted.words.labels, names.length, held.length]);
    expect(Array.from(part.documents)).toEqual(Array.from(parted.words.documents));
    const asked = names.flatMap((_, j) => (X.indices.includes(j) ? [j] : []));
    const { byLabel } = told(parted.words);
    expect(Array.from(part.counts())).toEqual(byLabel.flatMap((row) => asked.map((j) => row[j])));
    expect(Array.from(part.totals)).toEqual(byLabel.map((row) => row.reduce((sum, n) => sum + n, 0)));
    const [block = new TidyMatrix(0, 0, Uint32Array.of(0), new Uint32Array(0), new Float64Array(0))] = part.blocks();
    expect(Array.from(block.indices, (k) => asked[k])).toEqual(Array.from(X.indices));
    expect([block.indptr, block.data]).toEqual([X.indptr, X.data]);
  },
);

test('a word may occur a thousand times in a row', () => {
  const row = { id: 1, label: 's', text: 'aa '.repeat(1000), né: 2 };
  const { words, entries } = counted([lines([row, { ...row, text: 'aa bb' }], plain)], {}, lines([row], plain));
  const { words: others, moves } = withoutRows(words, entries, Int32Array.of(0), false);
  expect(told(others)).toMatchObject({ words: ['aa', 'bb'], byLabel: [[1, 1]] });
  expect(Array.from(others.df)).toEqual([1, 1]);
  expect(sortedRows(entries, moves, 2).toArray()).toEqual([[1000, 0]]);
});

test('counts that two bytes do not hold are counted in full, whichever label has them', () => {
  const row = (label: string, times: number) => ({ id: 1, label, text: 'aa '.repeat(times), né: 2 });
  const rest = [lines([row('b', 40_000)], plain), lines([row('b', 40_000), row('c', 7)], plain)];
  const { words, entries } = counted([lines([row('a', 3)], plain), ...rest], {}, lines([row('c', 7)], plain));
  expect(told(words)).toMatchObject({ labels: ['"a"', '"b"', '"c"'], byLabel: [[3], [80_000], [7]] });
  expect([Array.from(words.tf), words.largest, Array.from(words.totals)]).toEqual([[80_010], 80_000, [3, 80_000, 7]]);
  expect(Array.from(withoutRows(words, entries, Int32Array.of(2), false).words.tf)).toEqual([80_003]);
});

test.each([
  ['{"id":1,"label":"a","text":"b"}', 'E_FORMAT'],
  ['{"label":"a","id":1,"text":"b","né":1}', 'E_FORMAT'],
  ['{"id":1,"label":"a","text":"b","né":1,"more":1}', 'E_FORMAT'],
  ['{"id":[1],"label":"a","text":"b","né":1}', 'E_TYPE'],
  ['{"id":1,"label":nul,"text":"b","né":1}', 'E_FORMAT'],
])('refuses to note %s: %s', (line, code) => {
  expect(() => counted([line])).toThrow(expect.objectContaining({ code }));
});
