import { numberLiteral } from './dialect.ts';
import { ask, column, type Frame, rowsOf } from './frame.ts';
import { type ByClass, badWeights, refuseLabel, refuseWeights, weightOf } from './grouped.ts';
import type { LevelCount } from './groups.ts';
import { wordsOf } from './words.ts';

/**
 * Sums by class and histograms by class in one scan: a grouping set for the classes alone and one for each column of
 * levels. The bits of `grouping` identify the set of a row; NULL would not, because a missing cell is NULL too.
 */
export async function countTogether(
  frame: Frame,
  cells: readonly string[],
  aggregates: readonly string[],
  levels: readonly string[],
): Promise<{ base: ByClass; histograms: LevelCount[][] }> {
  const all = [weightOf(frame), ...badWeights(frame), ...aggregates];
  const labels: string[] = [];
  const values = all.map((): number[] => []);
  const histograms: LevelCount[][] = levels.map(() => []);
  const sql = query(frame, cells, all, levels);
  for await (const { rows, columns } of ask(frame, sql)) {
    const [place, label, level, ...numbers] = columns as [Float64Array, string[], (string | null)[], ...Float64Array[]];
    for (let i = 0; i < rows; i++) {
      if (typeof label[i] !== 'string') refuseLabel(numbers[0][i]);
      if (place[i] >= 0) histograms[place[i]].push({ label: label[i], level: level[i], weight: numbers[0][i] });
      else {
        labels.push(label[i]);
        for (let k = 0; k < all.length; k++) values[k].push(numbers[k][i]);
      }
    }
  }
  const bad = badWeights(frame).length > 0 ? values.splice(1, 1)[0] : [];
  for (const rows of bad) if (rows > 0) refuseWeights(rows);
  return { base: { labels, values: values.map((list) => Float64Array.from(list)) }, histograms };
}

function query(
  frame: Frame,
  cells: readonly string[],
  aggregates: readonly string[],
  levels: readonly string[],
): string {
  const { dialect } = frame.engine;
  const q = (name: string) => column(frame, name);
  const y = q('y');
  const xs = levels.map((_, k) => q(`x${cells.length + k}`));
  const whole = 2 ** xs.length - 1;
  const setOf = (k: number) => whole - 2 ** (xs.length - 1 - k);
  const choose = (value: (k: number) => string, rest: string) =>
    `CASE ${q('g')} ${xs.map((_, k) => `WHEN ${setOf(k)} THEN ${value(k)}`).join(' ')} ELSE ${rest} END`;
  const named = aggregates.map((aggregate, k) => `${aggregate} AS ${q(`a${k}`)}`);
  const sets = ['', ...xs.map((x) => `, ${x}`)].map((rest) => `(${y}${rest})`);
  const grouping = `grouping(${xs.join(', ')}) AS ${q('g')}`;
  const inner = `SELECT ${[grouping, y, ...xs, ...named].join(', ')} FROM ${rowsOf(frame, [...cells, ...levels])} GROUP BY GROUPING SETS (${sets.join(', ')})`;
  const place = wordsOf(dialect).double(choose((k) => numberLiteral(dialect, k), numberLiteral(dialect, -1)));
  const numbers = aggregates.map((_, k) => q(`a${k}`));
  return `SELECT ${[place, y, choose((k) => xs[k], 'NULL'), ...numbers].join(', ')} FROM (${inner}) AS s`;
}
