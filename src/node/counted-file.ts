import { open } from 'node:fs/promises';
import { type DataRow, wordOf } from '../auto/cells.ts';
import { tellTallies } from '../auto/schema.ts';
import { parseJsonLines } from '../data/jsonl.ts';
import type { Crew } from '../engines/workers.ts';
import { refuse } from '../errors.ts';
import { HASH_WORDS, type NotedRows } from '../text/corpus-rows.ts';
import { type HeldWords, holdWords } from '../text/held-words.ts';
import { entriesOf } from '../text/kept-rows.ts';
import type { CountedWords } from '../text/word-counts.ts';
import { type CountedRanges, type CountWordsOptions, countRanges } from './count-words.ts';
import { FileHash } from './file-hash.ts';
import { secondReading } from './second-reading.ts';
import { TextNumbers } from './text-numbers.ts';
import type { WordQuestion } from './word-tasks.ts';

/** A file of labelled texts whose words are counted, and whose rows are known but for the texts themselves. */
export interface CountedFile {
  /** They may still be added up while rows are looked at. */
  readonly words: Promise<CountedWords>;
  /** The rows; what stands for a text is the same where texts are the same, and the first texts are as they are. */
  readonly rows: readonly DataRow[];
  /** For each row a number that all rows share whose cells but the label are alike. */
  readonly copies: Int32Array;
  /** The SHA-256 of the file, which a thread works at meanwhile. */
  hash(): Promise<string>;
  /**
   * Sets rows aside, ascending, once: their lines are read a second time, on the threads at once and on this one when it is asked for the
   * words, so that nobody has to keep the words of all rows.
   */
  hold(rows: readonly number[]): { words(): Promise<HeldWords> };
}

const HEAD_BYTES = 1 << 20;
const FEW_BYTES = 1 << 14;

/** The first rows of a file, some at a time, few first where few are wanted; `last` where there are no more. */
export async function* headOf(
  path: string,
  most: number,
  few = false,
): AsyncGenerator<{ rows: DataRow[]; last: boolean }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (let at = 0, wanted = few ? FEW_BYTES : HEAD_BYTES; at < Math.min(size, most); ) {
      const chunk = new Uint8Array(Math.min(wanted, size - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      const last = at + bytesRead === size;
      const end = last ? bytesRead : chunk.subarray(0, bytesRead).lastIndexOf(10) + 1;
      const short = end === 0 && wanted < HEAD_BYTES;
      wanted = HEAD_BYTES;
      if (short) continue;
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
  options: Omit<CountWordsOptions, 'rows' | 'threads'>,
  crew: Crew,
): Promise<CountedFile> {
  const columns = Object.keys(head[0]);
  const counted = await countRanges(path, { ...options, rows: { columns } }, crew);
  const hash = hashOf(path, crew);
  const text = columns.indexOf(options.text);
  const parts = partsOf(counted);
  const { rows, copies } = readRows(parts, columns, { text, label: columns.indexOf(options.label) }, head);
  const words = counted.sum.merged.then((merged) => merged.words);
  words.catch(() => undefined); // told to who waits for it
  return {
    ...{ words, rows, copies, hash: async () => hash ?? new FileHash(path).finish() },
    hold: (own) => {
      const held = secondReading(counted, parts, own, crew);
      const labels = own.map((i) => JSON.stringify(rows[i][options.label]));
      const shape = { cells: columns.length, text };
      return { words: async () => holdWords(await words, entriesOf(await held(), shape), labels, options) };
    },
  };
}

/** What the first of the threads will say, where there is one. */
function hashOf(path: string, crew: Crew): Promise<string> | undefined {
  if (crew.size === 0) return undefined;
  const hash = crew.askFirst<WordQuestion, string>({ sha256: path });
  hash.catch(() => undefined); // told to who waits for it
  return hash;
}

/** Rows of a range with the cells that their numbers mean. */
interface Part {
  readonly noted: NotedRows;
  readonly cells: readonly (readonly unknown[])[];
}

/** The rows of all ranges in the order of the file. */
function partsOf({ tasks, threads }: CountedRanges): Part[] {
  const parts = new Array<Part>(tasks.borders.length - 1);
  for (const { rows, cells } of threads) {
    const read = cells.map((column) => column.map(readCell));
    for (const { range, noted } of rows) parts[range] = { noted, cells: read };
  }
  return parts;
}

function readCell(cell: string): unknown {
  try {
    const value: unknown = JSON.parse(cell);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return refuse('E_TYPE', 'a cell is an object, which becomes columns of its own');
    return typeof value === 'string' && !value.isWellFormed() ? refuse('E_UNICODE', 'a cell holds half a pair') : value;
  } catch (cause) {
    return refuse('E_FORMAT', 'a cell is no value of JSON', {}, cause);
  }
}

/** Rows with all cells but the text, for which something stands that is the same where the text is, and which of them are alike. */
function readRows(
  parts: readonly Part[],
  columns: readonly string[],
  { text, label }: { readonly text: number; readonly label: number },
  head: readonly DataRow[],
): { rows: DataRow[]; copies: Int32Array } {
  const rows: DataRow[] = [];
  const copies: number[] = [];
  const texts = new TextNumbers();
  const alike = new Alike();
  const known: string[] = [];
  const tallies = columns.map(() => new Map<unknown, number>());
  const stride = HASH_WORDS + columns.length;
  for (const { noted, cells } of parts) {
    const words = cells.map((column) => column.map((cell) => wordOf(cell ?? '')));
    for (let at = 0; at < noted.records.length; at += stride) {
      const number = texts.numberOf(noted.records, at);
      if (number >= 0 && known[number] === undefined) {
        known[number] =
          rows.length < head.length ? String(head[rows.length][columns[text]]) : `the text number ${number}`;
      }
      const row: Record<string, unknown> = {};
      let group = number + 1;
      for (let k = 0; k < columns.length; k++) {
        const cell = noted.records[at + HASH_WORDS + k];
        const value = k === text ? (known[number] ?? null) : cells[k][cell];
        row[columns[k]] = value;
        tallies[k].set(value, (tallies[k].get(value) ?? 0) + 1);
        if (k !== text && k !== label) group = alike.with(group, words[k][cell]);
      }
      rows.push(row);
      copies.push(group);
    }
  }
  tellTallies(rows, new Map(columns.map((name, k) => [name, tallies[k]])));
  return { rows, copies: Int32Array.from(copies) };
}

/** Numbers pairs of a number and a word. */
class Alike {
  private readonly known = new Map<string, number>();

  with(number: number, word: string): number {
    const key = `${number} ${word}`;
    const found = this.known.get(key) ?? this.known.size;
    this.known.set(key, found);
    return found;
  }
}
