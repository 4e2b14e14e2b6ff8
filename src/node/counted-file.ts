import { open } from 'node:fs/promises';
import type { DataRow } from '../auto/cells.ts';
import { parseJsonLines } from '../data/jsonl.ts';
import type { TidyMatrix } from '../data/tidy.ts';
import { refuse } from '../errors.ts';
import { HASH_WORDS, type NotedRows } from '../text/corpus-rows.ts';
import { chosenEntries, type Entries, sortedRows, withoutRows } from '../text/kept-rows.ts';
import { grown } from '../text/lexicon.ts';
import { type CountedWords, mergeWordCounts } from '../text/word-counts.ts';
import { type CountWordsOptions, countParts } from './count-words.ts';

/** Words of some rows, and the others in their columns. */
export interface Parted {
  readonly words: CountedWords;
  readonly others: TidyMatrix;
}

/** A file of labelled texts whose words are counted, and whose rows are known but for the texts themselves. */
export interface CountedFile {
  readonly words: CountedWords;
  /** The rows; what stands for a text is the same where texts are the same, and the first texts are as they are. */
  readonly rows: readonly DataRow[];
  /**
   * The words without those of some rows, and these rows as counts in the columns of the words that are left. It can be asked once: the
   * words of single rows are let go then, a third of the size of the texts.
   */
  without(rows: readonly number[]): Parted;
}

const HEAD_BYTES = 1 << 20;

/** The first rows of a file, some at a time; `last` where there are no more. */
export async function* headOf(path: string, most: number): AsyncGenerator<{ rows: DataRow[]; last: boolean }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (let at = 0; at < Math.min(size, most); ) {
      const chunk = new Uint8Array(Math.min(HEAD_BYTES, size - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      const last = at + bytesRead === size;
      const end = last ? bytesRead : chunk.subarray(0, bytesRead).lastIndexOf(10) + 1;
      if (end === 0) refuse('E_LIMIT', 'a line is longer than is usual for lines', { limit: HEAD_BYTES });
      yield { rows: parseJsonLines(chunk.subarray(0, end)).values as DataRow[], last };
      at += end;
    }
  } finally {
    await file.close();
  }
}

/** Counts the words of a file whose lines begin with these rows; every line has the columns of the first. */
export async function countFile(
  path: string,
  head: readonly DataRow[],
  options: Omit<CountWordsOptions, 'rows'> & { readonly keep: boolean },
): Promise<CountedFile> {
  const columns = Object.keys(head[0]);
  const { parts, rows } = await countParts(path, { ...options, rows: { columns, keep: options.keep } });
  const { words, places } = mergeWordCounts(parts);
  const noted = rows.map(({ thread, answer }) => ({ thread, noted: answer as NotedRows, places: places[thread] }));
  const cells = parts.map((part) => part.cells.map((column) => column.map(readCell)));
  const text = columns.indexOf(options.text);
  const shape = { cells: columns.length, text };
  const standing = noted.map(({ thread, noted: own }) => ({ noted: own, cells: cells[thread] }));
  const all = standIns(standing, columns, text, head);
  return {
    words,
    rows: all,
    without: (own) => {
      const entries = chosenEntries(noted.splice(0), shape, own);
      const labels = own.map((i) => all[i][options.label]);
      return partedBy(words, entries, labels, options.presence);
    },
  };
}

function partedBy(all: CountedWords, rows: Entries, labels: readonly unknown[], presence: boolean): Parted {
  const places = new Map(all.labels.map((label, c) => [label, c]));
  const codes = Int32Array.from(labels, (label) => places.get(JSON.stringify(label))!);
  const { words, moves } = withoutRows(all, rows, codes, presence);
  return { words, others: sortedRows(rows, moves, words.ends.length) };
}

function readCell(cell: string): unknown {
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'string' && !value.isWellFormed() ? refuse('E_UNICODE', 'a cell holds half a pair') : value;
  } catch (cause) {
    return refuse('E_FORMAT', 'a cell is no value of JSON', {}, cause);
  }
}

/** Rows with all cells but the text, for which something stands that is the same where the text is. */
function standIns(
  parts: readonly { readonly noted: NotedRows; readonly cells: readonly (readonly unknown[])[] }[],
  columns: readonly string[],
  text: number,
  head: readonly DataRow[],
): DataRow[] {
  const rows: DataRow[] = [];
  const texts = new TextNumbers();
  const known: string[] = [];
  for (const { noted, cells } of parts) {
    const stride = HASH_WORDS + columns.length;
    for (let at = 0; at < noted.records.length; at += stride) {
      const number = texts.numberOf(noted.records, at);
      if (number >= 0 && known[number] === undefined) {
        known[number] =
          rows.length < head.length ? String(head[rows.length][columns[text]]) : `the text number ${number}`;
      }
      const row: Record<string, unknown> = {};
      for (let k = 0; k < columns.length; k++) {
        row[columns[k]] = k === text ? (known[number] ?? null) : cells[k][noted.records[at + HASH_WORDS + k]];
      }
      rows.push(row);
    }
  }
  return rows;
}

/** Numbers texts by their hashes, in order of arrival; −1 for blank ones. */
class TextNumbers {
  private readonly places = new Map<number, number>();
  private hashes = new Uint32Array(HASH_WORDS * 1024);
  private size = 0;

  numberOf(records: Uint32Array, at: number): number {
    if (records[at] === 0 && records[at + 1] === 0) return -1;
    for (let key = records[at] * 2 ** 21 + (records[at + 2] >>> 11); ; key++) {
      const number = this.places.get(key);
      if (number === undefined) {
        this.places.set(key, this.size);
        return this.add(records.subarray(at, at + HASH_WORDS));
      }
      if (this.isSame(number, records, at)) return number;
    }
  }

  private isSame(number: number, records: Uint32Array, at: number): boolean {
    for (let k = 0; k < HASH_WORDS; k++) if (this.hashes[number * HASH_WORDS + k] !== records[at + k]) return false;
    return true;
  }

  private add(hash: Uint32Array): number {
    this.hashes = grown(this.hashes, (this.size + 1) * HASH_WORDS);
    this.hashes.set(hash, this.size * HASH_WORDS);
    return this.size++;
  }
}
