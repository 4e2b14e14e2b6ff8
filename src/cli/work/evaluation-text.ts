import { type Evaluation, guessesOf, type ScoredRows } from '../../evaluate/evaluation.ts';
import { classificationReport } from '../../evaluate/report.ts';
import { count, interval, score } from '../numbers.ts';
import type { Printer } from '../print.ts';
import { bar, pad, safe, width } from '../terminal.ts';

/** With more classes, the worst confusions are listed instead of a matrix. */
const MOST_MATRIX = 12;

/** Prints an evaluation: scikit-learn's table, then interval, losses and confusion. */
export async function printEvaluation(
  print: Printer,
  scoredRows: ScoredRows,
  evaluation: Evaluation,
  { digits = 3, confusion = false } = {},
): Promise<void> {
  const { accuracy, rows, on, logLoss, brier, calibrationError } = evaluation;
  await print.line(on);
  await print.raw(reportText(scoredRows, digits));
  await print.line(
    `accuracy ${score(accuracy.value)}, 95 % interval ${interval(accuracy.low, accuracy.high)} (Wilson, n = ${count(rows)})`,
  );
  if (logLoss !== null)
    await print.line(
      `log-loss ${score(logLoss)} · Brier ${score(brier)} · calibration error ${score(calibrationError)}`,
    );
  const { length } = evaluation.confusion.labels;
  const asMatrix = length <= 3 || (confusion && length <= MOST_MATRIX);
  await (asMatrix ? printMatrix : printWorst)(print, evaluation.confusion);
}

/** scikit-learn's table, with labels that are safe to print on a terminal. */
export function reportText(scoredRows: ScoredRows, digits: number): string {
  const guesses = guessesOf(scoredRows);
  const labels = [...new Set([...scoredRows.truth, ...guesses])];
  const shown = new Map(labels.map((label) => [label, safe(label, 40)]));
  if (new Set(shown.values()).size < labels.length) for (const label of labels) shown.set(label, safe(label));
  const word = (label: string) => shown.get(label) ?? label;
  return classificationReport(scoredRows.truth.map(word), guesses.map(word), { digits });
}

async function printMatrix(print: Printer, { labels, matrix }: Evaluation['confusion']): Promise<void> {
  const names = labels.map((label) => safe(label, 16));
  const cells = matrix.map((row) => row.map(count));
  const wide = Math.max(...names.map(width), ...cells.flat().map(width));
  const left = Math.max(...names.map(width), width('true'));
  await print.line(`\n${pad('true', left)}  predicted`);
  await print.line(`${pad('', left)}  ${names.map((name) => pad(name, wide, 'right')).join('  ')}`);
  for (const [r, row] of cells.entries()) {
    const shown = row.map((cell) => pad(cell, wide, 'right'));
    shown[r] = print.screen.paint.bold(shown[r]);
    await print.line(`${pad(names[r], left)}  ${shown.join('  ')}`);
  }
}

/** The most frequent confusions, where a matrix would be too wide. */
async function printWorst(print: Printer, { labels, matrix }: Evaluation['confusion']): Promise<void> {
  const wrong = matrix.flatMap((row, t) =>
    row.map((n, g) => ({ n, t, g })).filter(({ n, t: own, g }) => n > 0 && own !== g),
  );
  const worst = wrong.sort((a, b) => b.n - a.n).slice(0, 5);
  if (worst.length === 0) return;
  await print.line('\nmost frequent confusions (true → predicted)');
  for (const { n, t, g } of worst) {
    const share = n / matrix[t].reduce((sum, value) => sum + value, 0);
    const [truth, guess] = [t, g].map((k) => safe(labels[k], 30));
    await print.line(`  ${pad(count(n), 6, 'right')}  ${truth} → ${guess}  ${bar(share, 10)}`);
  }
}

/** What a model was evaluated on. */
export const evaluatedOn = (file: string, rows: string, learned: boolean): string =>
  `${file}: ${rows}${learned ? ' that the model was trained on' : ''}`;

/** The warning about rows whose label the model does not know. */
export const unknownLabels = (rows: number): string =>
  rows === 1
    ? 'one row has a label unknown to the model: it counts as an error, and is left out of log-loss'
    : `${count(rows)} rows have a label unknown to the model: they count as errors, and are left out of log-loss`;
