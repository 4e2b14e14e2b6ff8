import { refuse } from '../errors.ts';
import { orderOfWords } from './byte-order.ts';
import type { CorpusCounter } from './corpus.ts';
import type { CountedWords, Tally, WordCounts } from './word-counts.ts';

/** The sum of several counters, and by number of the first of them the column of each word; −1 for a word that is left out. */
export interface MergedWords {
  readonly words: CountedWords;
  readonly columns: Int32Array;
  /** By counter of the others: the numbers that its words have in the first. */
  readonly numbers: readonly Uint32Array[];
}

/** The sum of what a counter has and what others gave away, for labels and words in order. The counter learns the words of the others. */
export function mergeWordCounts(counter: CorpusCounter, others: readonly WordCounts[] = []): MergedWords {
  const numbers = others.map((part) => counter.numbersOf(part));
  const own = counter.tables();
  const tally = tallyFor([own, ...others]);
  const [df, again] = (['df', 'again'] as const).map((name) => sumById(tally, own[name], others, name, numbers));
  const order = metWords(orderOfWords(own.bytes, own.ends), df);
  const columns = new Int32Array(df.length).fill(-1);
  for (let j = 0; j < order.length; j++) columns[order[j]] = j;
  const sums = new LabelSums(tally, order.length, [own, ...others]);
  own.tables.forEach((table, c) => {
    sums.add(own.labels[c], own.documents[c], table, columns);
  });
  others.forEach((part, p) => {
    const places = Int32Array.from(numbers[p]);
    for (let k = 0; k < places.length; k++) places[k] = columns[places[k]];
    const width = part.ends.length;
    part.labels.forEach((label, c) => {
      sums.add(label, part.documents[c], part.counts.subarray(c * width, (c + 1) * width), places);
    });
  });
  const ordered = { df: taken(df, order, tally), again: taken(again, order, tally) };
  const { labels, documents, totals, tf, counts, largest } = sums;
  return {
    words: { labels, ...counter.wordsAt(order), ...ordered, documents, totals, tf, counts, largest },
    columns,
    numbers,
  };
}

/** Makes arrays that can hold the sums of these parts. */
function tallyFor(parts: readonly Pick<WordCounts, 'read'>[]): (length: number) => Tally {
  const most = parts.reduce((sum, { read }) => sum + read, 0);
  return (length) => (most < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length));
}

/** By number the sum of what the first counter has of a word and the others have. */
function sumById(
  tally: (length: number) => Tally,
  own: Uint32Array,
  others: readonly WordCounts[],
  name: 'df' | 'again',
  numbers: readonly Uint32Array[],
): Tally {
  const sums = tally(own.length);
  sums.set(own);
  others.forEach((part, p) => {
    const ids = numbers[p];
    const counts = part[name];
    for (let k = 0; k < ids.length; k++) sums[ids[k]] += counts[k];
  });
  return sums;
}

/** Those of the words that occur in a document. */
function metWords(order: Uint32Array, df: Tally): Uint32Array {
  let size = 0;
  for (let k = 0; k < order.length; k++) if (df[order[k]] > 0) order[size++] = order[k];
  return order.subarray(0, size);
}

/** Counts by label in the order of the labels and columns, and over all labels. */
class LabelSums {
  readonly labels: readonly string[];
  readonly documents: Tally;
  readonly totals: Float64Array;
  readonly counts: Tally;
  readonly tf: Tally;
  largest = 0;
  private readonly rows = new Map<string, number>();

  constructor(tally: (length: number) => Tally, features: number, parts: readonly Pick<WordCounts, 'labels'>[]) {
    const written = new Set(parts.flatMap(({ labels }) => labels.map(asWritten)));
    this.labels = [...written].sort();
    for (const [c, label] of this.labels.entries()) this.rows.set(label, c);
    this.documents = tally(this.labels.length);
    this.totals = new Float64Array(this.labels.length);
    this.counts = tally(this.labels.length * features);
    this.tf = tally(features);
  }

  /** Adds the counts of a label, each at its place; zeros, which most are, without looking for it. */
  add(label: string, documents: number, from: Uint32Array, places: Int32Array): void {
    const { counts, tf } = this;
    const row = this.rows.get(asWritten(label))!;
    const to = row * tf.length;
    this.documents[row] += documents;
    let total = 0;
    let { largest } = this;
    for (let k = 0; k < from.length; k++) {
      const count = from[k];
      const place = places[k];
      if (count === 0 || place < 0) continue;
      const sum = counts[to + place] + count;
      counts[to + place] = sum;
      tf[place] += count;
      total += count;
      if (sum > largest) largest = sum;
    }
    this.totals[row] += total;
    this.largest = largest;
  }
}

/** A label in the one way in which JSON writes it here. */
function asWritten(label: string): string {
  try {
    return JSON.stringify(JSON.parse(label));
  } catch (cause) {
    return refuse('E_FORMAT', 'a label is no value of JSON', {}, cause);
  }
}

/** Some values in another order. */
function taken(values: Tally, order: Uint32Array, tally: (length: number) => Tally): Tally {
  const own = tally(order.length);
  for (let j = 0; j < order.length; j++) own[j] = values[order[j]];
  return own;
}
