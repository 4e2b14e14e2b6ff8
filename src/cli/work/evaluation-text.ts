import { type Evaluation, guessesOf, type ScoredRows } from '../../evaluate/evaluation.ts';
import { classificationReport } from '../../evaluate/report.ts';
import { count, interval, score } from '../numbers.ts';
import type { Printer } from '../print.ts';
import { bar, pad, type Screen, safe, width } from '../terminal.ts';

/** With more classes, or on a narrow screen, the worst confusions are listed instead of a matrix. */
const MOST_MATRIX = 12;

/** Prints an evaluation: scikit-learn's table, then interval, losses and confusion. */
export async function printEvaluation(
  print: Printer,
  scoredRows: ScoredRows,
  evaluation: Evaluation,
  digits = 3,
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
  const matrix = matrixLines(evaluation.confusion, print.screen);
  if (!matrix) return printWorst(print, evaluation.confusion);
  for (const line of matrix) await print.line(line);
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

/** The confusion matrix; undefined if it is too large for the screen. */
function matrixLines({ labels, matrix }: Evaluation['confusion'], { columns, paint }: Screen): string[] | undefined {
  const names = labels.map((label) => safe(label, 16));
  const cells = matrix.map((row) => row.map(count));
  const wide = Math.max(...names.map(width), ...cells.flat().map(width));
  const left = Math.max(...names.map(width), width('true'));
  if (labels.length > MOST_MATRIX || left + labels.length * (wide + 2) > columns) return undefined;
  const rows = cells.map((row, r) => {
    const shown = row.map((cell) => pad(cell, wide, 'right'));
    shown[r] = paint.bold(shown[r]);
    return `${pad(names[r], left)}  ${shown.join('  ')}`;
  });
  const heads = names.map((name) => pad(name, wide, 'right')).join('  ');
  return [`\n${pad('true', left)}  predicted`, `${pad('', left)}  ${heads}`, ...rows];
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
