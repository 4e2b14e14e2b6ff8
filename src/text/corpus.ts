import { parseJsonLines } from '../data/jsonl.ts';
import { refuse, show } from '../errors.ts';
import { type NotedRows, RowNotes } from './corpus-rows.ts';
import type { KernelOptions } from './tokens.ts';
import { type Region, roomier, WasmKernel } from './wasm-kernel.ts';
import type { CountTables, WordCounts } from './word-counts.ts';

/** What of a line is counted, and how. */
export interface CorpusOptions extends KernelOptions {
  /** The names of the text and of the label. */
  readonly text: string;
  readonly label: string;
  /** Words to leave out. */
  readonly stopWords: readonly string[];
  /** Count a word once a document. */
  readonly presence: boolean;
  /** The columns that every line has, in their order, where rows are to be noted. */
  readonly rows?: { readonly columns: readonly string[] } | undefined;
}

const [DONE, STRANGE_LINE] = [0, 1];
const NEWLINE = 10;
const MOST_TOKENS = 2 ** 31; // of one counter, whose counts are u32
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Counts the words of labelled documents in JSON Lines, as bytes: no line becomes an object and no word a string unless it is
 * out of the ordinary.
 */
export class CorpusCounter {
  private readonly options: CorpusOptions;
  private readonly kernel: WasmKernel;
  private readonly labels: number;
  private readonly stops: number;
  private readonly notes: RowNotes | undefined;
  private chunk: Region = { at: 0, size: 0 };
  private bytesRead = 0;

  constructor(options: CorpusOptions) {
    this.options = options;
    this.kernel = new WasmKernel(options);
    const { kernels } = this.kernel;
    this.labels = kernels.createLexicon();
    for (const word of options.stopWords) this.kernel.idOf(word, true);
    this.stops = this.kernel.size;
    const [text, label] = [this.keep(options.text), this.keep(options.label)];
    kernels.ask(text.at, text.size, label.at, label.size);
    const { rows } = options;
    this.notes = rows && new RowNotes(this.kernel, rows.columns, options.text);
  }

  /** A place for that many bytes of lines, to be filled before `count`; what it holds stays if it has to move. */
  reserve(size: number): Uint8Array {
    const before = this.chunk;
    this.chunk = roomier(this.kernel.kernels, before, size);
    const memory = this.kernel.memory();
    if (this.chunk !== before) memory.copyWithin(this.chunk.at, before.at, before.at + before.size);
    return memory.subarray(this.chunk.at, this.chunk.at + size);
  }

  /** Counts the first bytes of the reserved place, which are whole lines. A line that cannot be read is refused with its place. */
  count(length: number): void {
    const { kernels, lexicon } = this.kernel;
    this.bytesRead += length;
    if (this.bytesRead / 2 > MOST_TOKENS)
      refuse('E_LIMIT', 'one counter takes no more than 4 GB of text', { limit: 2 ** 32 });
    const end = this.chunk.at + length;
    const memory = this.kernel.memory();
    if (memory[end - 1] !== NEWLINE) memory[end] = NEWLINE; // nothing behind the last line may be taken for a part of it
    kernels.goToLine(this.chunk.at);
    const { presence } = this.options;
    for (;;) {
      const state = kernels.countLines(lexicon, this.labels, end, this.stops, presence);
      if (state === DONE) return;
      if (state === STRANGE_LINE) this.readStrange(kernels.lineStart(), end);
      else this.readForeign();
    }
  }

  /** The rows that were noted since the last time. */
  takeRows(): NotedRows | undefined {
    return this.notes?.take();
  }

  /** What has been counted so far, to be given away. */
  counts(): WordCounts {
    const { words, labels, documents, tables, df, again, bytes, ends } = this.tables();
    const counts = new Uint32Array(words * labels.length);
    tables.forEach((table, c) => {
      counts.set(table, c * words);
    });
    return {
      ...{ labels, documents, bytes, ends, counts, df, again: again.slice() },
      ...{ cells: this.cells(), read: this.bytesRead },
    };
  }

  /** By column the different cells that were noted, as JSON. */
  cells(): string[][] {
    return this.notes?.cells() ?? [];
  }

  /** How many words have a number. */
  get size(): number {
    return this.kernel.size;
  }

  /** From now on rows are noted with their words. */
  keepWords(): void {
    this.kernel.kernels.keepWords();
  }

  /** The words in the order of their numbers, from one of them on, one after another. */
  words(from = 0): Pick<WordCounts, 'bytes' | 'ends'> {
    const ids = new Uint32Array(this.kernel.size - from);
    for (let k = 0; k < ids.length; k++) ids[k] = from + k;
    return this.wordsAt(ids);
  }

  /** The words with these numbers, one after another. */
  wordsAt(ids: Uint32Array): Pick<WordCounts, 'bytes' | 'ends'> {
    return this.kernel.written(this.kernel.place(ids), ids.length);
  }

  /** What has been counted, counts by label as views of where they lie: nothing may be read before they are used. */
  tables(): CountTables {
    const { kernels, lexicon } = this.kernel;
    const [words, labels] = [this.kernel.size, kernels.size(this.labels)];
    const written = this.words();
    const tables = Array.from({ length: labels }, (_, c) => kernels.tallyOf(lexicon, c)); // all of them, before any view
    const [places, more] = [kernels.tallyDocuments(lexicon), kernels.tallyAgain(lexicon)];
    const { buffer } = kernels.memory;
    const pairs = new Uint32Array(buffer, places, words * 2);
    const df = new Uint32Array(words);
    for (let id = 0; id < words; id++) df[id] = pairs[2 * id];
    return {
      ...{ words, read: this.bytesRead, labels: this.labelTexts(labels), ...written, df },
      documents: Uint32Array.from({ length: labels }, (_, c) => kernels.tallySize(c)),
      again: new Uint32Array(buffer, more, words),
      tables: tables.map((at) => new Uint32Array(buffer, at, words)),
    };
  }

  /** The numbers that words have here, which lie one after another; unknown ones get one. */
  numbersOf({ bytes, ends }: Pick<WordCounts, 'bytes' | 'ends'>): Uint32Array {
    const { kernels, lexicon } = this.kernel;
    const [from, at] = [this.kernel.place(bytes), this.kernel.place(ends)];
    kernels.internAll(lexicon, from, at, ends.length);
    return new Uint32Array(kernels.memory.buffer, at, ends.length).slice();
  }

  private labelTexts(labels: number): string[] {
    const { kernels } = this.kernel;
    const memory = this.kernel.memory();
    return Array.from({ length: labels }, (_, c) => {
      const start = kernels.wordStart(this.labels, c);
      return decoder.decode(memory.subarray(start, start + kernels.wordLength(this.labels, c)));
    });
  }

  /** Reads a line the long way; it may turn out to be several, or none. */
  private readStrange(start: number, end: number): void {
    const { kernels, lexicon } = this.kernel;
    const memory = this.kernel.memory();
    const newline = memory.subarray(start, end).indexOf(NEWLINE);
    const next = newline < 0 ? end : start + newline + 1;
    const { values } = parseJsonLines(memory.slice(start, next));
    if (this.notes && values.length !== 1 && !(values.length === 0 && isRowless(memory.subarray(start, next)))) {
      refuse('E_FORMAT', 'a line holds several values');
    }
    for (const value of values) {
      const { text, label } = this.fieldsOf(value);
      const bytes = encoder.encode(text);
      this.kernel.scan(bytes, bytes.length, true, neverDamaged);
      kernels.tally(lexicon, this.kernel.idIn(this.labels, label, true), this.stops, this.options.presence);
      this.notes?.note(value as object);
    }
    kernels.goToLine(next);
  }

  private fieldsOf(value: unknown): { text: string; label: string } {
    const record = typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map();
    const [text, label] = [record.get(this.options.text) ?? '', record.get(this.options.label)];
    if (typeof text !== 'string') {
      refuse('E_TYPE', `column ${show(this.options.text)} holds ${show(text)}, which is no text`, {
        column: this.options.text,
      });
    }
    if (label === undefined || label === null) refuse('E_LABEL_MISSING', `a line has no ${show(this.options.label)}`);
    return { text, label: JSON.stringify(label) };
  }

  private readForeign(): void {
    const { kernels } = this.kernel;
    const at = kernels.lineText();
    kernels.goToText(this.kernel.readForeign(at, kernels.textPlace(), kernels.lineTextLength(), true, damagedText));
  }

  /** Puts a text where the kernels can read it, for good. */
  private keep(text: string): Region {
    const bytes = encoder.encode(text);
    return { at: this.kernel.place(bytes), size: bytes.length };
  }
}

/** Whether a line holds nothing but blanks, and so no row. */
export function isRowless(line: Uint8Array): boolean {
  for (let k = 0; k < line.length; k++) {
    if (line[k] !== 0x20 && line[k] !== 0x09 && line[k] !== 0x0d && line[k] !== NEWLINE) return false;
  }
  return true;
}

const damagedText = (): never => refuse('E_ENCODING', 'a text holds bytes that are not UTF-8');
const neverDamaged = (): never => refuse('E_UNICODE', 'a text holds half a surrogate pair');
