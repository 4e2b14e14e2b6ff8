import { cellOf, isBlank, wordOf } from '../../src/workbench.ts';
import { placesOf, shuffled } from './sample.ts';
import type { Trained } from './training.ts';

/** The Dirichlet posterior of three probabilities after `rows` rows. */
export interface Dirichlet {
  readonly rows: number;
  readonly alpha: readonly [number, number, number];
  readonly mean: readonly [number, number, number];
  /** The region with most of the probability, and ln density minus its maximum there, row by row. */
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly fall: Float32Array;
}

/** Three shares of a whole and their posteriors as rows are counted. */
export interface SimplexResult {
  /** Two values and, if there are more than three, all others as the third. */
  readonly parts: readonly [string, string, string];
  /** The number of values merged into the third. */
  readonly merged: number;
  /** Grid points along a side. */
  readonly size: number;
  readonly beliefs: readonly Dirichlet[];
}

const SIZE = 90;
const HEIGHT = Math.sqrt(0.75);
/** Shares are clamped to this value, so that the density extends beyond the edges of the triangle. */
const LEAST = 1e-4;
const STOPS = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];

/**
 * The posterior of the class shares, or of the values of a column within a class. With more than three values the rarer ones are merged:
 * merging parts of a Dirichlet distribution gives a Dirichlet distribution with summed parameters.
 */
export function simplexOf(trained: Trained, column: string, label: string, a: number): SimplexResult | null {
  const values = valuesOf(trained, column, label);
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size < 3) return null;
  const [first, second, ...others] = [...counts].sort(([, m], [, n]) => n - m).map(([value]) => value);
  const prior = [a, a, a * others.length] as const;
  const partOf = (value: string) => (value === first ? 0 : value === second ? 1 : 2);
  const stops = [...STOPS.filter((rows) => rows < values.length), values.length];
  const beliefs = stops.map((rows) => {
    const alpha: [number, number, number] = [...prior];
    for (const value of values.slice(0, rows)) alpha[partOf(value)]++;
    return beliefIn(alpha, rows);
  });
  return {
    parts: [first, second, others.length === 1 ? others[0] : ''],
    ...{ merged: others.length, size: SIZE, beliefs },
  };
}

/** The labels of all rows, or the cells of a column in the rows of a class, in random order. */
function valuesOf({ rows, labels }: Trained, column: string, label: string): string[] {
  const order = shuffled(placesOf(rows), labels);
  if (column === '') return order.map((i) => labels[i]);
  return order.flatMap((i) => {
    const cell = cellOf(rows[i], column);
    return labels[i] === label && !isBlank(cell) ? [wordOf(cell)] : [];
  });
}

function beliefIn(alpha: readonly [number, number, number], rows: number): Dirichlet {
  const total = alpha[0] + alpha[1] + alpha[2];
  const mean = alpha.map((own) => own / total) as [number, number, number];
  const { from, to } = frameOf(mean, total);
  const logs = Float64Array.from({ length: SIZE * SIZE }, (_, k) => {
    const x = from[0] + ((k % SIZE) * (to[0] - from[0])) / (SIZE - 1);
    const y = from[1] + (Math.floor(k / SIZE) * (to[1] - from[1])) / (SIZE - 1);
    return sharesAt(x, y).reduce((sum, share, part) => sum + (alpha[part] - 1) * Math.log(Math.max(LEAST, share)), 0);
  });
  const most = logs.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  return { rows, alpha, mean, from, to, fall: Float32Array.from(logs, (value) => value - most) };
}

/** The shares at a point of the picture; the corners are (0, 0), (1, 0) and (½, √¾). */
function sharesAt(x: number, y: number): [number, number, number] {
  const third = y / HEIGHT;
  const second = x - third / 2;
  return [1 - second - third, second, third];
}

/** Five standard deviations around the mean, clipped slightly beyond the triangle. */
function frameOf([, q, r]: readonly [number, number, number], total: number): Pick<Dirichlet, 'from' | 'to'> {
  const [vq, vr, both] = [q * (1 - q), r * (1 - r), -q * r].map((part) => part / (total + 1));
  const [sx, sy] = [Math.sqrt(vq + vr / 4 + both), HEIGHT * Math.sqrt(vr)];
  const [x, y] = [q + r / 2, r * HEIGHT];
  return {
    from: [Math.max(-0.02, x - 5 * sx), Math.max(-0.02, y - 5 * sy)],
    to: [Math.min(1.02, x + 5 * sx), Math.min(HEIGHT + 0.02, y + 5 * sy)],
  };
}
