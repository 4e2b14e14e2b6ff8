import { cellOf, compareCodePoints, type DataRow, guessesOf, isBlank, numberOf, wordOf } from '../../src/workbench.ts';
import type { ColumnCard } from '../protocol.ts';
import type { ColumnFilter } from '../rows/filter.ts';
import { cellTest } from './number-cells.ts';
import type { Reading } from './reading.ts';
import type { Trained } from './training.ts';

/** The filters and the sort order of the rows. */
export interface Browse {
  /** Rows with these words in any cell. */
  readonly search: string;
  /** Rows with this label; ' ' stands for those without one. */
  readonly label: string;
  /** Held-out rows that the model got right or wrong. */
  readonly answers: '' | 'right' | 'wrong';
  /** Rows that match all of these column filters. */
  readonly where: readonly ColumnFilter[];
  readonly sort: string;
  readonly descending: boolean;
  readonly from: number;
  readonly count: number;
}

/** One page of rows. */
export interface Browsed {
  readonly total: number;
  readonly rows: readonly {
    readonly place: number;
    readonly cells: readonly string[];
    /** The prediction, if the row was held out. */
    readonly answer?: string;
  }[];
  /** The labels of the matching rows, ignoring the label filter. */
  readonly labels: readonly { readonly label: string; readonly rows: number }[];
  /** How many matching held-out rows were predicted correctly and wrongly. */
  readonly answers: { readonly right: number; readonly wrong: number };
}

const LONGEST_CELL = 5_000;
const MOST_LABELS = 100;

/** Filters, sorts and counts the rows. */
export function browse(
  { rows, columns }: Reading,
  trained: Trained | undefined,
  { target, columns: cards }: { readonly target: string; readonly columns: readonly ColumnCard[] },
  asked: Browse,
): Browsed {
  const answers = answersOf(trained);
  const labelOf = (place: number) => {
    const cell = cellOf(rows[place], target);
    return isBlank(cell) ? ' ' : String(cell);
  };
  const outcome = (place: number) => {
    const answer = answers.get(place);
    return answer === undefined ? '' : answer === labelOf(place) ? 'right' : 'wrong';
  };
  const styleOf = (column: string) => cards.find(({ name }) => name === column)?.histogram?.style;
  const tests = [finder(asked.search, columns), ...asked.where.map((own) => cellTest(own, styleOf(own.column)))];
  const found = [...rows.keys()].filter((place) => tests.every((test) => test(rows[place])));
  const byLabel = (place: number) => asked.label === '' || labelOf(place) === asked.label;
  const byAnswer = (place: number) => asked.answers === '' || outcome(place) === asked.answers;
  const shown = found.filter((place) => byLabel(place) && byAnswer(place));
  const sorted = asked.sort === '' ? shown : sortedBy(rows, shown, asked.sort, asked.descending);
  return {
    total: shown.length,
    rows: sorted.slice(asked.from, asked.from + asked.count).map((place) => ({
      place,
      cells: columns.map((name) => wordOf(cellOf(rows[place], name) ?? '').slice(0, LONGEST_CELL)),
      ...(answers.has(place) && { answer: answers.get(place)! }),
    })),
    labels: countsOf(found.filter(byAnswer).map(labelOf)),
    answers: {
      right: found.filter((place) => byLabel(place) && outcome(place) === 'right').length,
      wrong: found.filter((place) => byLabel(place) && outcome(place) === 'wrong').length,
    },
  };
}

function answersOf(trained: Trained | undefined): Map<number, string> {
  if (!trained?.scored) return new Map();
  const { test, places, scored } = trained;
  return new Map(guessesOf(scored).map((answer, k) => [places[test[k]], answer]));
}

/** Whether a row contains all words of a search, in any cells. */
function finder(search: string, columns: readonly string[]): (row: DataRow) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (row) => {
    const text = columns.map((name) => wordOf(cellOf(row, name) ?? '').toLowerCase()).join('\n');
    return words.every((word) => text.includes(word));
  };
}

/** Compares cells: numbers by value and before all else, blanks last. */
function sortedBy(rows: readonly DataRow[], places: readonly number[], column: string, descending: boolean): number[] {
  const keys = new Map(
    places.map((place) => {
      const cell = cellOf(rows[place], column);
      return [place, { blank: isBlank(cell), number: numberOf(cell), word: wordOf(cell ?? '') }] as const;
    }),
  );
  const sign = descending ? -1 : 1;
  return [...places].sort((a, b) => {
    const [one, other] = [keys.get(a)!, keys.get(b)!];
    if (one.blank !== other.blank) return one.blank ? 1 : -1;
    const [m, n] = [Number.isNaN(one.number), Number.isNaN(other.number)];
    if (m !== n) return m ? sign : -sign;
    return sign * (m ? compareCodePoints(one.word, other.word) : one.number - other.number) || a - b;
  });
}

function countsOf(labels: readonly string[]): Browsed['labels'] {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, rows]) => ({ label, rows }))
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MOST_LABELS);
}
