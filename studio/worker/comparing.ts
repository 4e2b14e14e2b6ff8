import { CountVectorizer, formatCsv, mcnemarTest, wilsonInterval } from '../../src/index.ts';
import { cellOf, guessesOf, refuse, type ScoredRows, wordOf } from '../../src/workbench.ts';
import type { ThresholdRule } from '../protocol.ts';
import type { RowFilter } from '../rows/filter.ts';
import { rowsInRegion } from './boundary.ts';
import { withThreshold } from './evaluating.ts';
import { cellTest, numberStyle } from './number-cells.ts';
import type { Trained } from './training.ts';

/** Two runs on the same held-out rows. */
export interface Comparison {
  readonly rows: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly p: number;
  /** Accuracy of the second run minus that of the first, with its 95 % interval. */
  readonly difference: { readonly value: number; readonly low: number; readonly high: number };
  readonly disagreements: readonly {
    readonly truth: string;
    readonly first: string;
    readonly second: string;
    readonly content: string;
  }[];
}

/** A row with its prediction. */
export interface ScoredRow {
  readonly row: number;
  readonly truth: string;
  readonly answer: string;
  /** The probability of the answer. */
  readonly sure: number;
  readonly content: string;
  /** The cells of the row, for the form on Try. */
  readonly cells: Readonly<Record<string, string>>;
}

/** The held-out rows of a part of a picture: their number, and the first of them. */
export interface RowsResult {
  readonly rows: readonly ScoredRow[];
  readonly all: number;
  readonly heldOut: number;
}

/** The accuracy of one part of the rows. */
export interface Slice {
  readonly value: string;
  readonly rows: number;
  readonly accuracy: { readonly value: number; readonly low: number; readonly high: number };
}

const MOST_SHOWN = 200;
const MOST_CONTENT = 400;
const MOST_SLICES = 40;
const NORMAL_95 = 1.959963984540054;

/** The predictions for the held-out rows. */
export const heldOutScores = ({ scored }: Trained) =>
  scored ?? refuse('E_CONFLICT', 'no rows were held out, so there is nothing to compare by');

function contentOf({ rows, test, run }: Trained, i: number): string {
  const row = rows[test[i]];
  const cells = Object.keys(row)
    .filter((name) => name !== run.settings.target)
    .map((name) => wordOf(row[name] ?? ''))
    .join(' · ');
  return cells.length > MOST_CONTENT ? `${cells.slice(0, MOST_CONTENT)}…` : cells;
}

/** Compares two runs row by row: McNemar's test and the rows on which only one is right. */
export function compare(first: Trained, second: Trained): Comparison {
  const [a, b] = [heldOutScores(first), heldOutScores(second)];
  if (a.truth.length !== b.truth.length || a.truth.some((label, i) => label !== b.truth[i])) {
    refuse(
      'E_CONFLICT',
      'the two runs hold out different rows; train both with the same target, held-out share and seed',
    );
  }
  const [left, right] = [guessesOf(a), guessesOf(b)];
  const { truth } = a;
  const onlyFirst = truth.filter((label, i) => left[i] === label && right[i] !== label).length;
  const onlySecond = truth.filter((label, i) => right[i] === label && left[i] !== label).length;
  const { pValue } = mcnemarTest([...truth], left, right);
  const n = truth.length;
  const value = (onlySecond - onlyFirst) / n;
  const error = Math.sqrt(Math.max(0, (onlyFirst + onlySecond) / n - value ** 2) / n);
  const apart = [...truth.keys()].filter((i) => left[i] !== right[i]).slice(0, MOST_SHOWN);
  return {
    ...{ rows: n, onlyFirst, onlySecond, p: pValue },
    difference: { value, low: value - NORMAL_95 * error, high: value + NORMAL_95 * error },
    disagreements: apart.map((i) => ({
      truth: truth[i],
      first: left[i],
      second: right[i],
      content: contentOf(first, i),
    })),
  };
}

/** The held-out rows of one cell of the confusion matrix, by decreasing probability. */
export function rowsOfCell(trained: Trained, truth: string, answer: string, at?: ThresholdRule): ScoredRow[] {
  const scored = withThreshold(heldOutScores(trained), at);
  const guesses = guessesOf(scored);
  const c = scored.classes.indexOf(answer);
  return [...guesses.keys()]
    .filter((i) => scored.truth[i] === truth && guesses[i] === answer)
    .map((i) => ({ i, sure: Math.exp(scored.logProba.at(i, c)) }))
    .sort((a, b) => b.sure - a.sure)
    .slice(0, MOST_SHOWN)
    .map(({ i, sure }) => scoredRow(trained, i, answer, sure));
}

function scoredRow(trained: Trained, i: number, answer: string, sure: number): ScoredRow {
  const place = trained.test[i];
  return {
    ...{ row: place + 1, truth: trained.labels[place], answer, sure, content: contentOf(trained, i) },
    cells: formOf(trained, place),
  };
}

/** The cells of a row, for the form on Try. */
const formOf = ({ rows, model }: Trained, place: number): Record<string, string> =>
  Object.fromEntries(model.columns.map(({ name }) => [name, wordOf(cellOf(rows[place], name) ?? '')]));

/** The held-out rows that match a filter, by increasing probability; or a single row or the rows of a region, held out or not. */
export function selectRows(trained: Trained, filter: RowFilter, at?: ThresholdRule): RowsResult {
  const { test } = trained;
  if (filter.kind === 'row') return { rows: [anyRow(trained, filter.row)], all: 1, heldOut: test.length };
  if (filter.kind === 'region') {
    const found = rowsInRegion(trained, filter);
    const shown = found.rows.slice(0, MOST_SHOWN).map((place) => anyRow(trained, place));
    return { rows: shown, all: found.rows.length, heldOut: found.all };
  }
  const scored = withThreshold(heldOutScores(trained), at);
  const guesses = guessesOf(scored);
  const isTaken = takerOf(trained, scored, filter);
  const found = [...test.keys()]
    .filter((i) => isTaken(i))
    .map((i) => ({ i, sure: Math.exp(scored.logProba.at(i, scored.classes.indexOf(guesses[i]))) }))
    .sort((a, b) => a.sure - b.sure);
  const shown = found.slice(0, MOST_SHOWN).map(({ i, sure }) => scoredRow(trained, i, guesses[i], sure));
  return { rows: shown, all: found.length, heldOut: test.length };
}

/** A row that may have been learned, with the prediction of the evaluated model. */
function anyRow(trained: Trained, place: number): ScoredRow {
  const { rows, labels, evaluatedModel } = trained;
  if (rows[place] === undefined) refuse('E_NOT_FOUND', `there is no row ${place + 1}`);
  const { label, probability } = evaluatedModel.classify(rows[place], { strict: false });
  const cells = formOf(trained, place);
  const content = Object.values(cells).join(' · ').slice(0, MOST_CONTENT);
  return { row: place + 1, truth: labels[place], answer: String(label), sure: probability, content, cells };
}

/** The predicate of a filter on held-out rows. */
function takerOf(
  trained: Trained,
  scored: ScoredRows,
  filter: Exclude<RowFilter, { kind: 'row' | 'region' }>,
): (i: number) => boolean {
  const { rows, test, model } = trained;
  if (filter.kind === 'score') {
    const c = scored.classes.indexOf(filter.label);
    return (i) => {
      const p = Math.exp(scored.logProba.at(i, c));
      return (p > filter.from || (filter.from <= 0 && p <= 0)) && p <= filter.to;
    };
  }
  if (filter.kind === 'word') {
    const words = new CountVectorizer({ tokenizer: 'auto' }).buildAnalyzer();
    return (i) => words(wordOf(cellOf(rows[test[i]], filter.column) ?? '')).includes(filter.word);
  }
  const isFound = cellTest(filter, numberStyle(model, filter.column));
  return (i) => isFound(rows[test[i]]);
}

/** The held-out rows with all their columns as CSV. */
export function heldOutRows({ rows, test }: Trained, columns: readonly string[]): string {
  return formatCsv([[...columns], ...test.map((i) => columns.map((name) => wordOf(cellOf(rows[i], name) ?? '')))]);
}

/** Accuracy by the values of a column. */
export function slicesOf(trained: Trained, column: string, at?: ThresholdRule): Slice[] {
  const scored = withThreshold(heldOutScores(trained), at);
  const guesses = guessesOf(scored);
  const parts = new Map<string, { rows: number; right: number }>();
  for (const [i, guess] of guesses.entries()) {
    const value = wordOf(trained.rows[trained.test[i]][column] ?? '');
    const part = parts.get(value) ?? { rows: 0, right: 0 };
    parts.set(value, { rows: part.rows + 1, right: part.right + Number(guess === scored.truth[i]) });
  }
  return [...parts]
    .sort(([, a], [, b]) => b.rows - a.rows)
    .slice(0, MOST_SLICES)
    .map(([value, { rows, right }]) => {
      const { value: share, low, high } = wilsonInterval(right, rows);
      return { value, rows, accuracy: { value: share, low, high } };
    });
}
