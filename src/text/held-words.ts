import type { TidyMatrix } from '../data/tidy.ts';
import { type Entries, withoutRows } from './kept-rows.ts';
import { type OtherWords, otherWords } from './other-words.ts';
import { sortedRows } from './sorted-rows.ts';
import type { CountedWords } from './word-counts.ts';

/** Words of some rows, and the others in their columns. */
export interface Parted {
  readonly words: CountedWords;
  readonly others: TidyMatrix;
}

/** Rows that are set aside from counted words: what the words of the others are, and these rows in their columns. */
export interface HeldWords {
  /** As far as the rows ask for them; nothing where presence counts, which takes all of them. */
  part(): OtherWords | undefined;
  /** All of them. */
  whole(): Parted;
}

/** Sets rows aside, of which the cells and the labels as JSON are told. */
export function holdWords(
  all: CountedWords,
  rows: Entries,
  labels: readonly string[],
  { presence }: { readonly presence: boolean },
): HeldWords {
  const places = new Map(all.labels.map((label, c) => [label, c]));
  const codes = Int32Array.from(labels, (label) => places.get(label)!);
  return {
    part: () => (presence ? undefined : otherWords(all, rows, codes)),
    whole: () => {
      const { words, moves } = withoutRows(all, rows, codes, presence);
      return { words, others: sortedRows(rows, moves, words.ends.length) };
    },
  };
}
