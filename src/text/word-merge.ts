import { refuse } from '../errors.ts';
import type { CorpusCounter } from './corpus.ts';
import type { WasmKernel } from './wasm-kernel.ts';
import type { CountedWords, WordCounts } from './word-counts.ts';

/** The sum of several counters, and by number of the first of them the column of each word; −1 for a word that is left out. */
export interface MergedWords {
  readonly words: CountedWords;
  readonly columns: Int32Array;
  /** By counter of the others: the numbers that its words have in the first. */
  readonly numbers: readonly Uint32Array[];
}

/** What one counter has, where the kernels can read it. */
interface Part {
  readonly words: number;
  readonly labels: readonly string[];
  readonly documents: ArrayLike<number>;
  /** By word the number it has in the first counter; 0 for that itself. */
  readonly numbers: number;
  readonly df: number;
  readonly again: number;
  /** The counts of a label, until other ones are asked for. */
  table(label: number): number;
}

/** The sum of what a counter has and what others gave away, for labels and words in order. The counter learns the words of the others. */
export function mergeWordCounts(counter: CorpusCounter, others: readonly WordCounts[] = []): MergedWords {
  const { kernel } = counter;
  const placed = others.map((part) => kernel.placeIds(part));
  const numbers = others.map(({ ends }, p) => kernel.numbersAt(placed[p], ends.length).slice());
  const scratch = kernel.zeros(Math.max(0, ...others.map(({ ends }) => ends.length)));
  const own = counter.placed();
  const parts = [
    { ...own, numbers: 0, table: (c: number) => own.tables[c] },
    ...others.map((part, p) => partOf(kernel, part, placed[p], scratch)),
  ];
  const { order, met, places } = orderOf(kernel, parts, own.words);
  const columns = Int32Array.from(kernel.numbersAt(places, own.words));
  for (const part of parts) if (part.numbers !== 0) kernel.kernels.follow(places, part.numbers, part.words);
  const sums = new ColumnSums(kernel, met, places);
  return { words: { ...kernel.written(order, met), ...sums.of(parts) }, columns, numbers };
}

/** Puts what another counter gave away into the memory, its counts label by label when they are asked for. */
function partOf(kernel: WasmKernel, part: WordCounts, numbers: number, scratch: number): Part {
  const { labels, documents, counts } = part;
  const words = part.ends.length;
  return {
    ...{ words, labels, documents, numbers, df: kernel.place(part.df), again: kernel.place(part.again) },
    table: (c) => {
      kernel.numbersAt(scratch, words).set(counts.subarray(c * words, (c + 1) * words));
      return scratch;
    },
  };
}

/** The words that occur in a document in their order, and by number where each has its place. */
function orderOf(kernel: WasmKernel, parts: readonly Part[], words: number) {
  const { kernels, lexicon } = kernel;
  const marks = kernel.zeros(words);
  for (const part of parts) kernels.markMet(part.numbers, part.df, part.words, marks);
  const order = kernels.orderWords(lexicon);
  const met = kernels.keepMet(order, marks, words);
  return { order, met, places: kernels.placesIn(order, met, words) };
}

/** Adds up the counts of parts in columns, in the memory of the kernels. */
class ColumnSums {
  private readonly kernel: WasmKernel;
  private readonly met: number;
  private readonly places: number;
  private readonly row: number;
  private readonly overall: number;

  constructor(kernel: WasmKernel, met: number, places: number) {
    this.kernel = kernel;
    this.met = met;
    this.places = places;
    this.row = kernel.zeros(met);
    this.overall = kernel.zeros(met);
  }

  /** All sums of some parts. */
  of(parts: readonly Part[]): Omit<CountedWords, 'bytes' | 'ends'> {
    const { df, again } = { df: this.alone(parts, 'df'), again: this.alone(parts, 'again') };
    const rows = labelRows(parts);
    const labels = [...rows.keys()].sort();
    const [documents, totals] = [new Uint32Array(labels.length), new Float64Array(labels.length)];
    let counts: Uint16Array | Uint32Array = new Uint16Array(labels.length * this.met);
    let largest = 0;
    for (const [r, label] of labels.entries()) {
      for (const { part, c } of rows.get(label)!) {
        documents[r] += part.documents[c];
        const added = this.add(part, part.table(c));
        totals[r] += added.total;
        largest = Math.max(largest, added.largest);
      }
      if (largest >= 2 ** 16 && counts instanceof Uint16Array) counts = new Uint32Array(counts);
      this.drain(this.row, counts.subarray(r * this.met));
    }
    const tf = this.drain(this.overall, new Uint32Array(this.met));
    return { labels, documents, totals, df, again, tf, counts, largest };
  }

  private alone(parts: readonly Part[], name: 'df' | 'again'): Uint32Array {
    for (const part of parts) this.add(part, part[name]);
    this.kernel.numbersAt(this.overall, this.met).fill(0);
    return this.drain(this.row, new Uint32Array(this.met));
  }

  private add({ numbers, words }: Part, counts: number): { total: number; largest: number } {
    const { kernels } = this.kernel;
    const largest = kernels.pour(counts, numbers || this.places, words, this.row, this.overall);
    const total = kernels.poured();
    if (total < 0) refuse('E_LIMIT', 'a word occurs more often than can be counted', { limit: 2 ** 32 - 1 });
    return { total, largest };
  }

  private drain<T extends Uint16Array | Uint32Array>(from: number, to: T): T {
    const sums = this.kernel.numbersAt(from, this.met);
    to.set(sums);
    sums.fill(0);
    return to;
  }
}

/** By label, as it is written here, where parts have it. */
function labelRows(parts: readonly Part[]): Map<string, { part: Part; c: number }[]> {
  const rows = new Map<string, { part: Part; c: number }[]>();
  for (const part of parts) {
    for (const [c, label] of part.labels.entries()) {
      const written = asWritten(label);
      const found = rows.get(written) ?? [];
      found.push({ part, c });
      rows.set(written, found);
    }
  }
  return rows;
}

/** A label in the one way in which JSON writes it here. */
function asWritten(label: string): string {
  try {
    return JSON.stringify(JSON.parse(label));
  } catch (cause) {
    return refuse('E_FORMAT', 'a label is no value of JSON', {}, cause);
  }
}
