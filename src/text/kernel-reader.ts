import type { Bags } from './bag.ts';
import { WHITE_SPACE } from './characters.ts';
import type { Columns } from './columns.ts';
import { type Decode, type Document, refuseBytes, requireDocument, requireWhole, textOf } from './documents.ts';
import { type KernelExports, newKernels } from './kernel-exports.ts';
import type { Bag, EncodedTerms, Reader } from './reader.ts';
import { type TextFunction, WORD_CLASS } from './words.ts';

/** The analyzer settings for the kernels. */
export interface KernelOptions {
  readonly analyzer: 'word' | 'char' | 'char_wb';
  readonly lowercase: boolean;
  readonly stopWords: readonly string[];
  readonly ngramRange: readonly [lowest: number, highest: number];
  /** Applies normal form, lower case and accents, according to the options. */
  readonly clean: TextFunction;
  /** Whether `clean` does more than lower-case texts beyond ASCII. */
  readonly prepares: boolean;
  /** Splits a clean text that matches `where` into words; other texts are split by the default token pattern. */
  readonly tokenize: { readonly where: RegExp; words(text: string): readonly string[] } | undefined;
  /** Decodes documents; undefined for strict UTF-8, which the kernels check. */
  readonly decode: Decode | undefined;
}

const KINDS = { word: 0, char: 1, char_wb: 2 } as const;

// The status of `fold`; 3 is damaged UTF-8.
const FOLDED = 0;
const MISSING_PAGE = 1;
const SPECIAL = 2;

// The bits of a page entry; see kernels/fold.ts.
const IS_WORD = 1 << 24;
const IS_SPACE = 1 << 25;
const IS_SPECIAL = 1 << 26;

/** The lower case depends on whether a letter follows. */
const CAPITAL_SIGMA = 0x3a3;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const word = new RegExp(`[${WORD_CLASS}]`, 'u');
const space = new RegExp(`[${WHITE_SPACE}]`);

/** Documents are read in batches of about this size, which limits kernel calls and memory. */
const BATCH_BYTES = 1 << 18;
const BATCH_DOCUMENTS = 1024;

/** A region of the kernels' memory. */
class Region {
  at = 0;
  private size = 0;
  private readonly kernels: KernelExports;

  constructor(kernels: KernelExports) {
    this.kernels = kernels;
  }

  /** Reserves `size` bytes; the first `kept` are preserved. */
  reserve(size: number, kept: number): void {
    if (size <= this.size) return;
    const wanted = Math.max(size, 2 * this.size, 4096);
    const at = this.kernels.take(wanted);
    new Uint8Array(this.kernels.memory.buffer).copyWithin(at, this.at, this.at + kept);
    if (this.size > 0) this.kernels.give(this.at, this.size);
    this.at = at;
    this.size = wanted;
  }
}

/** Reads documents in WebAssembly, without creating a string per word. `TextReader` gives the same ids and counts. */
export class KernelReader implements Reader {
  readonly kernels: KernelExports;
  private readonly options: KernelOptions;
  private bytes: Uint8Array<ArrayBuffer>;
  /** One document. */
  private readonly input: Region;
  /** Concatenated documents, and the ends of each in the batch and in the bags. */
  private readonly batch: Region;
  private readonly spans: Region;
  private readonly ends: Uint32Array = new Uint32Array(BATCH_DOCUMENTS);
  private ordered: { readonly columns: Columns; readonly order: number } | undefined;

  private constructor(options: KernelOptions, kernels: KernelExports) {
    this.options = options;
    this.kernels = kernels;
    this.input = new Region(kernels);
    this.batch = new Region(kernels);
    this.spans = new Region(kernels);
    this.bytes = new Uint8Array(kernels.memory.buffer as ArrayBuffer);
    const [lowest, highest] = options.ngramRange;
    kernels.setLowercase(options.lowercase);
    kernels.setAnalyzer(KINDS[options.analyzer], Math.min(lowest, 2 ** 31 - 1), Math.min(highest, 2 ** 31 - 1));
    for (const stop of options.stopWords) this.wordId(stop, true);
    kernels.setStops();
  }

  /** A reader, or undefined if the kernels cannot run. */
  static of(options: KernelOptions): KernelReader | undefined {
    const kernels = newKernels();
    return kernels && new KernelReader(options, kernels);
  }

  get size(): number {
    return this.kernels.termsKnown();
  }

  read(document: Document, row: number, add: boolean): Bag {
    const { kernels } = this;
    this.find(document, row, add);
    const size = kernels.makeBag();
    const { buffer } = kernels.memory;
    const ids = new Int32Array(buffer, kernels.bagIds(), size);
    return { ids, counts: new Uint32Array(buffer, kernels.bagCounts(), size), unknown: kernels.bagUnknown() };
  }

  readColumns(document: Document, row: number, columns: Columns): Bag {
    const { kernels } = this;
    const order = this.orderOf(columns);
    this.find(document, row, false);
    kernels.clearBags();
    const size = kernels.keepBag(order);
    const { buffer } = kernels.memory;
    const ids = new Int32Array(buffer, kernels.bagsIds(), size);
    return { ids, counts: new Uint32Array(buffer, kernels.bagsCounts(), size), unknown: kernels.bagsUnknown() };
  }

  /** The kernels' order for these columns; the last one is cached. */
  private orderOf(columns: Columns): number {
    const { kernels } = this;
    if (this.ordered?.columns !== columns) {
      if (this.ordered) kernels.dropOrder(this.ordered.order);
      this.ordered = { columns, order: this.createOrder(columns) };
    }
    return this.ordered.order;
  }

  /** An order of the kernels, to be released with `dropOrder`. Bags in it contain column numbers. */
  createOrder({ ids }: Columns): number {
    const { kernels } = this;
    const at = kernels.take(4 * ids.length);
    new Uint32Array(kernels.memory.buffer, at, ids.length).set(ids);
    const order = kernels.createOrder(at, ids.length);
    kernels.give(at, 4 * ids.length);
    return order;
  }

  readMany(documents: readonly Document[], rows: ArrayLike<number>, add: boolean, bags: Bags): number {
    let unknown = 0;
    for (let from = 0, to = 0; from < rows.length; from = to) {
      to = this.fill(documents, rows, from);
      unknown += this.readBatch(documents, rows, from, to, add, bags);
    }
    return unknown;
  }

  /**
   * Stores the bags of documents, from index `from` of `rows` on, in the kernels' memory and in the given order, until
   * a batch is full. Returns the index after the last document, and the address of the ends of the bags.
   */
  keepMany(
    documents: readonly Document[],
    rows: ArrayLike<number>,
    from: number,
    order: number,
  ): { to: number; ends: number } {
    const to = this.fill(documents, rows, from);
    return { to, ends: this.keepBatch(documents, rows, from, to, false, order) };
  }

  /**
   * Counts documents rows[from … to) in columns of the kernels. `note` is called for each document with the number of
   * occurrences added to its class. Returns the number of new terms and of occurrences without an id.
   */
  countMany(
    documents: readonly Document[],
    { rows, weights, from, to }: { rows: Uint32Array; weights: Float64Array; from: number; to: number },
    { df, tf, own }: { df: number; tf: number; own(k: number): number },
    presence: boolean,
    add: boolean,
    note: (k: number, length: number) => void,
  ): { fresh: number; unknown: number } {
    const { kernels, options, batch, spans } = this;
    kernels.beginCounting();
    for (let first = from, next = from; first < to; first = next) {
      next = Math.min(to, this.fill(documents, rows.subarray(0, to), first));
      const count = next - first;
      spans.reserve(16 * BATCH_DOCUMENTS, 0);
      const places = [0, 1, 2, 3].map((part) => spans.at + 4 * BATCH_DOCUMENTS * part);
      const view = (part: number) => new Uint32Array(kernels.memory.buffer, places[part], count);
      view(0).set(this.ends.subarray(0, count));
      view(1).set(weights.subarray(first, next));
      view(2).set(Uint32Array.from({ length: count }, (_, k) => own(first + k)));
      let done = 0;
      const noteAll = (end: number) => {
        const lengths = view(3);
        for (; done < end; done++) note(first + done, lengths[done]);
      };
      for (let k = 0; k < count; ) {
        k = kernels.countDocuments(
          batch.at,
          places[0],
          places[1],
          places[2],
          places[3],
          k,
          count,
          df,
          tf,
          presence,
          add,
          options.prepares,
        );
        noteAll(k);
        if (k === count) break;
        if (kernels.countStatus() === MISSING_PAGE) {
          this.fillPage(kernels.stuckAt());
          continue;
        }
        const row = rows[first + k];
        this.find(documents[row], row, add);
        kernels.countDocument(df, tf, own(first + k), weights[first + k], presence);
        const length = kernels.countedLength();
        view(3)[k++] = length;
        noteAll(k);
      }
    }
    return { fresh: kernels.freshTerms(), unknown: kernels.unknownTerms() };
  }

  /**
   * Writes documents to the batch, from index `from` of `rows` on, until it is full; returns the index after the last.
   */
  private fill(documents: readonly Document[], rows: ArrayLike<number>, from: number): number {
    const { batch } = this;
    let used = 0;
    let to = from;
    for (; to < rows.length && to - from < BATCH_DOCUMENTS && used < BATCH_BYTES; to++) {
      const document = requireDocument(documents[rows[to]], rows[to]);
      used += this.write(document, rows[to], batch, used);
      this.ends[to - from] = used;
    }
    return to;
  }

  /** Reads the documents of the batch, which are `from` to `to` of `rows`. */
  private readBatch(
    documents: readonly Document[],
    rows: ArrayLike<number>,
    from: number,
    to: number,
    add: boolean,
    bags: Bags,
  ): number {
    const { kernels } = this;
    const rowsAt = this.keepBatch(documents, rows, from, to, add, 0);
    const { buffer } = kernels.memory;
    const ends = new Uint32Array(buffer, rowsAt, to - from);
    const size = ends[to - from - 1];
    const [ids, counts] = [
      new Int32Array(buffer, kernels.bagsIds(), size),
      new Uint32Array(buffer, kernels.bagsCounts(), size),
    ];
    bags.append(ids, counts, ends, kernels.bagsTotal());
    return kernels.bagsUnknown();
  }

  /**
   * Stores the bags of the batch in the kernels' memory, sorted by the order unless that is 0; returns the address of
   * their ends.
   */
  private keepBatch(
    documents: readonly Document[],
    rows: ArrayLike<number>,
    from: number,
    to: number,
    add: boolean,
    order: number,
  ): number {
    const { kernels, options, batch, spans } = this;
    const count = to - from;
    spans.reserve(8 * BATCH_DOCUMENTS, 0);
    const [endsAt, rowsAt] = [spans.at, spans.at + 4 * BATCH_DOCUMENTS];
    new Uint32Array(kernels.memory.buffer, endsAt, count).set(this.ends.subarray(0, count));
    kernels.clearBags();
    for (let k = 0; k < count; ) {
      k = kernels.readBags(batch.at, endsAt, rowsAt, k, count, add, options.prepares, order);
      if (k === count) break;
      const row = rows[from + k];
      if (kernels.bagsStatus() === MISSING_PAGE) this.fillPage(kernels.stuckAt());
      else {
        this.find(documents[row], row, add);
        const end = kernels.keepBag(order);
        new Uint32Array(kernels.memory.buffer, rowsAt, count)[k++] = end;
      }
    }
    return rowsAt;
  }

  /** Finds the terms of a document. */
  private find(document: Document, row: number, add: boolean): void {
    const { kernels, options } = this;
    if (!this.fold(document, row, add)) kernels.findTerms(add);
    else if (options.analyzer === 'word') kernels.joinWords(add);
  }

  idOf(term: string): number {
    const { kernels, options } = this;
    if (options.analyzer !== 'word' || options.ngramRange[1] === 1) return this.wordId(term, true);
    let node = -1;
    for (const word of term.split(' ')) node = kernels.child(node, this.wordId(word, true), true);
    return node;
  }

  idsOf({ bytes, ends }: EncodedTerms): Uint32Array {
    const { kernels } = this;
    const [from, at] = [kernels.take(bytes.length), kernels.take(ends.byteLength)];
    this.memory().set(bytes, from);
    new Uint32Array(kernels.memory.buffer, at, ends.length).set(ends);
    kernels.internTerms(from, at, ends.length);
    const ids = new Uint32Array(kernels.memory.buffer, at, ends.length).slice();
    kernels.give(from, bytes.length);
    kernels.give(at, ends.byteLength);
    return ids;
  }

  term(id: number): string {
    return decoder.decode(this.encode(Uint32Array.of(id)).bytes);
  }

  encode(ids: Uint32Array): EncodedTerms {
    const { kernels } = this;
    const list = kernels.take(ids.byteLength);
    new Uint32Array(kernels.memory.buffer, list, ids.length).set(ids);
    const at = kernels.writeTerms(list, ids.length);
    const ends = new Uint32Array(kernels.memory.buffer, kernels.termEnds(), ids.length).slice();
    const bytes = this.memory().slice(at, at + (ends.at(-1) ?? 0));
    kernels.giveTerms(at);
    kernels.give(list, ids.byteLength);
    return { bytes, ends };
  }

  order(): Uint32Array {
    const { kernels, size } = this;
    const at = kernels.orderTerms();
    const order = new Uint32Array(kernels.memory.buffer, at, size).slice();
    kernels.give(at, size * 4);
    return order;
  }

  /** The current memory: growing detaches earlier views. */
  memory(): Uint8Array<ArrayBuffer> {
    const { buffer } = this.kernels.memory;
    if (this.bytes.buffer !== buffer) this.bytes = new Uint8Array(buffer as ArrayBuffer);
    return this.bytes;
  }

  /**
   * Lower-cases a document and marks its words. The host prepares and splits texts beyond ASCII if the options need
   * more than the kernels support; returns whether it has set the words.
   */
  private fold(document: Document, row: number, add: boolean): boolean {
    const { kernels, options } = this;
    let length = this.write(document, row, this.input, 0);
    let raw = true;
    for (;;) {
      const status = kernels.fold(this.input.at, length, !raw);
      if (status > SPECIAL) refuseBytes(this.memory().slice(this.input.at, this.input.at + length), row, 0);
      const beyond = status === SPECIAL || options.prepares;
      if (raw && beyond && (status !== FOLDED || !kernels.isAscii())) {
        const text = options.clean((options.decode ?? textOf)(document, row));
        if (options.tokenize) return this.setWords(options.tokenize.words(text), add);
        length = this.write(text, row, this.input, 0);
        raw = false;
      } else if (status === FOLDED) return false;
      else this.fillPage(kernels.stuckAt());
    }
  }

  /** Writes the character properties of a page to the kernels. */
  private fillPage(page: number): void {
    const at = this.kernels.newPage(page);
    const entries = new Uint32Array(this.kernels.memory.buffer, at, 256);
    for (let k = 0; k < 256; k++) entries[k] = entryOf(page * 256 + k, this.options);
  }

  private setWords(words: readonly string[], add: boolean): true {
    const { kernels } = this;
    const ids = Int32Array.from(words, (word) => this.wordId(word, add));
    const at = kernels.reserveWords(ids.length);
    new Int32Array(kernels.memory.buffer, at, ids.length).set(ids);
    kernels.setWords(ids.length);
    return true;
  }

  private wordId(word: string, add: boolean): number {
    const { kernels } = this;
    const at = kernels.take(word.length * 3);
    const { written } = encoder.encodeInto(word, this.memory().subarray(at, at + word.length * 3));
    const id = kernels.intern(kernels.lexicon(), at, written, add);
    kernels.give(at, word.length * 3);
    return id;
  }

  /** Writes a document to a region after its `used` bytes, and returns its length in bytes. */
  private write(given: Document, row: number, region: Region, used: number): number {
    const document = this.options.decode?.(given, row) ?? given;
    const { length } = document;
    const most = typeof document === 'string' ? length * 3 : length;
    region.reserve(used + most, used);
    const at = region.at + used;
    if (typeof document !== 'string') {
      this.memory().set(document, at);
      return length;
    }
    const { written } = encoder.encodeInto(document, this.memory().subarray(at, at + most));
    // A lone surrogate is encoded as a replacement character of three bytes, so only a longer text can hold one.
    if (written !== length) requireWhole(document, row);
    return written;
  }
}

/**
 * The properties of a character for the kernels: its lower case and its class, or a flag that its lower case needs the
 * host.
 */
function entryOf(point: number, { lowercase, tokenize }: KernelOptions): number {
  if (point >= 0xd800 && point < 0xe000) return point;
  const character = String.fromCodePoint(point);
  const small = lowercase ? character.toLowerCase() : character;
  const lower = small.codePointAt(0) as number;
  const simple = small === String.fromCodePoint(lower) && !(lowercase && point === CAPITAL_SIGMA);
  const special = !simple || tokenize?.where.test(small);
  return (special ? point | IS_SPECIAL : lower) | (word.test(small) ? IS_WORD : 0) | (space.test(small) ? IS_SPACE : 0);
}
