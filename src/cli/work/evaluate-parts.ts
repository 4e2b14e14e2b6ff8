import type { DataRow } from '../../data/cells.ts';
import { guessesOf, type Judged, type Judgement, shareOf } from '../../server/insight/judge.ts';
import type { Evaluate } from '../commands/evaluate.ts';
import { count, score } from '../numbers.ts';
import { pad, safe, shorten, width } from '../terminal.ts';
import { texts } from '../texts/index.ts';

/** The rows with one value of a column, and how many of them are told right. */
export interface Slice {
  readonly value: string;
  readonly rows: number;
  readonly accuracy: Judgement['accuracy'];
}

/** A judgement of each value of a column, the most frequent first. */
export function slicesOf(judged: Judged, cells: readonly string[]): Slice[] {
  const places = new Map<string, number[]>();
  for (const [i, value] of cells.entries()) {
    const own = places.get(value);
    if (own) own.push(i);
    else places.set(value, [i]);
  }
  const guesses = guessesOf(judged);
  const slices = [...places].map(([value, own]) => {
    const right = own.filter((i) => judged.truth[i] === guesses[i]).length;
    return { value, rows: own.length, accuracy: shareOf(right, own.length) };
  });
  return slices.sort((a, b) => b.rows - a.rows);
}

/** Prints the twenty largest slices. */
export async function printSlices({ print, options }: Evaluate, slices: readonly Slice[]): Promise<void> {
  if (slices.length === 0) return;
  const shown = slices.slice(0, 20);
  const wide = Math.max(...shown.map(({ value }) => Math.min(30, width(safe(value)))), 8);
  await print.line();
  await print.line(texts.evaluate.slice(safe(options.by ?? '')));
  for (const { value, rows, accuracy } of shown) {
    await print.line(
      `  ${pad(shorten(safe(value), 30), wide)}  ${pad(count(rows), 8, 'right')}  accuracy ${score(accuracy.value)} (${score(accuracy.low)}–${score(accuracy.high)})`,
    );
  }
}

/** How the rows of mistakes are found and shown. */
export interface MistakenRows {
  readonly target: string;
  /** The columns of text, which are shown alone where there are any. */
  readonly texts: readonly string[];
  rowsAt(numbers: readonly number[]): Promise<DataRow[]>;
}

/** The rows of which a model was surest, and wrong, the surest first. */
export function mistakesIn(judged: Judged, most: number | undefined): { i: number; guess: string; sure: number }[] {
  const wrong = guessesOf(judged).flatMap((guess, i) => {
    if (guess === judged.truth[i]) return [];
    return [{ i, guess, sure: Math.exp(judged.logProba.at(i, judged.classes.indexOf(guess))) }];
  });
  return wrong.sort((a, b) => b.sure - a.sure).slice(0, most);
}

/** Prints the mistakes of which a model was surest. */
export async function printMistakes(
  { print, options }: Evaluate,
  { target, texts: textNames, rowsAt }: MistakenRows,
  judged: Judged,
): Promise<void> {
  const worst = mistakesIn(judged, options.mistakes);
  await print.line();
  await print.line(texts.evaluate.mistakes());
  if (worst.length === 0) await print.line(texts.evaluate.none());
  const numbers = worst.map(({ i }) => i).sort((a, b) => a - b);
  const rows = new Map((await rowsAt(numbers)).map((row, k) => [numbers[k], row]));
  for (const { i, guess, sure } of worst) {
    const row = rows.get(i) ?? {};
    const cells = Object.keys(row).filter((name) =>
      textNames.length > 0 ? textNames.includes(name) : name !== target,
    );
    const content = cells.map((name) => String(row[name])).join(' · ');
    await print.line(
      `  ${score(sure)}  ${safe(judged.truth[i], 20)} → ${safe(guess, 20)}  ${safe(content, Math.max(20, print.screen.columns - 60))}`,
    );
  }
}
