import type { Line } from '../plan.ts';
import { type Cell, greatestOf, type Sheet, sumOf } from './sheet.ts';

/** Below this, PostgreSQL calls exp an underflow; what is lost is less than 1e-304. */
const LEAST_EXPONENT = -700;

/** exp of a number that is not above zero by much; what underflows is 0. */
export function expOf(sheet: Sheet, x: Cell): Cell {
  return sheet.cell`CASE WHEN ${x} > ${LEAST_EXPONENT} THEN exp(${x}) ELSE ${0} END`;
}

/** ln of a number that is not negative; engines refuse the logarithm of 0. */
export function logOf(sheet: Sheet, x: Cell): Cell {
  return sheet.cell`CASE WHEN ${x} > ${0} THEN ln(LEAST(${x}, ${1})) ELSE ${-Infinity} END`;
}

/** 1 / (1 + exp t) without overflow. */
export function logistic(sheet: Sheet, t: Cell): Cell {
  const small = sheet.keep(expOf(sheet, sheet.cell`-abs(${t})`));
  return sheet.cell`CASE WHEN ${t} > ${0} THEN ${small} / (${1} + ${small}) ELSE ${1} / (${1} + ${small}) END`;
}

/** −ln(1 + exp t) without overflow. */
export function minusSoftplus(sheet: Sheet, t: Cell): Cell {
  return sheet.keep(sheet.cell`-(GREATEST(${t}, ${0}) + ln(${1} + ${expOf(sheet, sheet.cell`-abs(${t})`)}))`);
}

/**
 * ln Σ exp S of scores of which the greatest is `top`, less that. The greatest adds 1 to the sum, which is less only in rows that
 * are not answered, whose scores are NULL.
 */
function logSumBelow(sheet: Sheet, apart: readonly Cell[]): Cell {
  const exponentials = apart.map((cell) => expOf(sheet, cell));
  return sheet.keep(sheet.cell`ln(GREATEST(${1}, ${sumOf(sheet, exponentials)}))`);
}

/** S − top, where a score of Infinity is as far from itself as any other: not at all. */
function below(sheet: Sheet, scores: readonly Cell[], top: Cell): Cell[] {
  return scores.map((score) =>
    sheet.keep(sheet.cell`CASE WHEN ${score} = ${top} THEN ${0} ELSE ${score} - ${top} END`),
  );
}

/** S − ln Σ exp S. Scores of Infinity share all alike. */
export function logShares(sheet: Sheet, scores: readonly Cell[], greatest?: Cell): Cell[] {
  const apart = below(sheet, scores, greatest ?? sheet.keep(greatestOf(sheet, scores)));
  const log = logSumBelow(sheet, apart);
  return apart.map((cell) => sheet.keep(sheet.cell`${cell} - ${log}`));
}

/** ln Σ exp S. */
export function logTotal(sheet: Sheet, scores: readonly Cell[]): Cell {
  const top = sheet.keep(greatestOf(sheet, scores));
  return sheet.keep(sheet.cell`${top} + ${logSumBelow(sheet, below(sheet, scores, top))}`);
}

/** S[c] − ln Σ{d ≠ c} exp S[d]: the log-odds of each class against all others; with one class they are infinite. */
export function logOdds(sheet: Sheet, scores: readonly Cell[]): Cell[] {
  return scores.map((own, c) => {
    const others = scores.filter((_, d) => d !== c);
    if (others.length === 0) return sheet.cell`${Infinity}`;
    const rest = logTotal(sheet, others);
    return sheet.keep(sheet.cell`CASE WHEN ${own} = ${rest} THEN ${0} ELSE ${own} - ${rest} END`);
  });
}

/** The height of a rising line. */
export function heightOf(sheet: Sheet, { x, y }: Line, at: Cell): Cell {
  const cases: string[] = [];
  for (let k = 0; k < x.length; k++) {
    const flat = k === 0 || y[k] === y[k - 1];
    const height = flat
      ? sheet.cell`${y[k]}`
      : sheet.cell`LEAST(${y[k]}, ${y[k - 1]} + ${(y[k] - y[k - 1]) / (x[k] - x[k - 1])} * (${at} - ${x[k - 1]}))`;
    cases.push(sheet.cell`WHEN ${at} <= ${x[k]} THEN ${height}`.text);
  }
  return sheet.cell`CASE ${{ ...at, simple: false, text: cases.join(' ') }} ELSE ${y[y.length - 1]} END`;
}

export function logSoftmax(scores: Float64Array): Float64Array {
  const top = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const log = Math.log(scores.reduce((sum, score) => sum + Math.exp(score - top), 0));
  return scores.map((score) => score - top - log);
}
