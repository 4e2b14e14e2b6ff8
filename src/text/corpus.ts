import { parseJsonLines } from '../data/jsonl.ts';
import { refuse, show } from '../errors.ts';
import { type NotedRows, RowNotes } from './corpus-rows.ts';
import type { KernelOptions } from './tokens.ts';
import { type Region, roomier, WasmKernel } from './wasm-kernel.ts';
import type { PlacedCounts, WordCounts } from './word-counts.ts';

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
  /** How many bytes there will be, as far as it is known. */
  readonly expected?: number;
}

/** Memory for what is expected: by byte of text as much as many different words take, up to what whole languages take. */
const [ROOM_BY_BYTE, MOST_ROOM] = [3, 60 << 20];
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
  readonly kernel: WasmKernel;
  private readonly labels: number;
  private readonly stops: number;
  private readonly notes: RowNotes | undefined;
  private chunk: Region = { at: 0, size: 0 };
  private bytesRead = 0;

  constructor(options: CorpusOptions) {
    this.options = options;
    this.kernel = new WasmKernel(options, Math.min(MOST_ROOM, ROOM_BY_BYTE * (options.expected ?? 0)));
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

  /** Counts a text in memory for the label with a number; false where it is no Unicode, or there is too much. */
  add(text: string, label: number): boolean {
    const size = this.kernel.scanText(text, true);
    this.bytesRead += size;
    if ((size !== text.length && !text.isWellFormed()) || this.bytesRead / 2 > MOST_TOKENS) return false;
    this.kernel.kernels.tally(this.kernel.lexicon, label, this.stops, this.options.presence);
    return true;
  }

  /** The number of a label, given as JSON. */
  labelOf(label: string): number {
    return this.kernel.idIn(this.labels, label, true);
  }

  /** Ends counting: what it gave away stays, but views of its tables do not. */
  release(): void {
    this.kernel.release();
  }

  /** The rows that were noted since the last time. */
  takeRows(): NotedRows | undefined {
    return this.notes?.take();
  }

  /** What has been counted so far, to be given away. */
  counts(): WordCounts {
    const { kernel } = this;
    const written = this.words();
    const { words, labels, documents, df, again, tables } = this.placed();
    const counts = new Uint32Array(words * labels.length);
    tables.forEach((at, c) => {
      counts.set(kernel.numbersAt(at, words), c * words);
    });
    return {
      ...{ labels, documents, ...written, counts, cells: this.cells() },
      ...{ df: kernel.numbersAt(df, words).slice(), again: kernel.numbersAt(again, words).slice() },
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

  /** Where all that has been counted stands in the memory. */
  placed(): PlacedCounts {
    const { kernels, lexicon, size } = this.kernel;
    const labels = this.labelTexts(kernels.size(this.labels));
    return {
      ...{ words: size, labels, documents: Uint32Array.from(labels, (_, c) => kernels.tallySize(c)) },
      ...{ df: kernels.tallyFrequencies(lexicon), again: kernels.tallyAgain(lexicon) },
      tables: labels.map((_, c) => kernels.tallyOf(lexicon, c)),
    };
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
      kernels.tally(lexicon, this.labelOf(label), this.stops, this.options.presence);
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
