import { betaPosterior, cellOf, lgamma, wordOf } from '../../src/workbench.ts';
import { numberCells } from './number-cells.ts';
import { placesOf, shuffled } from './sample.ts';
import type { Trained } from './training.ts';

/** The Beta posterior of p(event | class) after `rows` rows of the class. */
export interface Belief {
  readonly rows: number;
  readonly a: number;
  readonly b: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly density: readonly (readonly [x: number, y: number])[];
}

/** The log-likelihood of (μ, σ²) for the numbers of a column in one class. */
export interface Surface {
  readonly column: string;
  readonly label: string;
  readonly rows: number;
  readonly mean: number;
  readonly variance: number;
  readonly size: number;
  readonly from: readonly [mean: number, variance: number];
  readonly to: readonly [mean: number, variance: number];
  /** ln L(μ, σ²) − ln L(μ̂, σ̂²), row by row of the grid. */
  readonly fall: Float32Array;
}

const POINTS = 161;
const SIZE = 90;

/** The Beta posteriors of one probability as rows of a class are counted. */
export function beliefsOf(
  { rows, labels }: Trained,
  column: string,
  event: string,
  label: string,
  a: number,
): Belief[] {
  const own = shuffled(placesOf(rows), labels)
    .filter((i) => labels[i] === label)
    .map((i) => hasEvent(cellOf(rows[i], column), event));
  const stops = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000].filter((n) => n < own.length);
  return [...stops, own.length].map((n) => {
    const heads = own.slice(0, n).filter(Boolean).length;
    return beliefOf(n, heads + a, n - heads + a);
  });
}

/** Whether a cell equals the value, or is a text that contains the word. */
function hasEvent(cell: unknown, event: string): boolean {
  const word = wordOf(cell ?? '').toLowerCase();
  const wanted = event.toLowerCase();
  return word === wanted || word.split(/[^\p{L}\p{N}_]+/u).includes(wanted);
}

function beliefOf(rows: number, a: number, b: number): Belief {
  const posterior = betaPosterior(a, b);
  const [low, high] = posterior.interval();
  const norm = lgamma(a + b) - lgamma(a) - lgamma(b);
  const spread = Math.sqrt((a * b) / ((a + b) ** 2 * (a + b + 1)));
  const [from, to] = [Math.max(0, posterior.mean - 6 * spread), Math.min(1, posterior.mean + 6 * spread)];
  const density = Array.from({ length: POINTS }, (_, k) => {
    const x = Math.min(1 - 1e-6, Math.max(1e-6, from + (k * (to - from)) / (POINTS - 1)));
    return [x, Math.exp(norm + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x))] as const;
  });
  return { rows, a, b, mean: posterior.mean, low, high, density };
}

/** ln L(μ, σ²) = −n/2 (ln 2πσ² + (σ̂² + (μ̂ − μ)²) / σ²) for the first rows of a class, on axes that fit all its rows. */
export function surfaceOf(trained: Trained, column: string, label: string, most: number): Surface {
  const read = numberCells(trained.model, column);
  const all = shuffled(placesOf(trained.rows), trained.labels)
    .filter((i) => trained.labels[i] === label)
    .map((i) => read(trained.rows[i]))
    .filter((value) => !Number.isNaN(value));
  const { mean, variance, rows } = momentsOf(all.slice(0, Math.max(2, most)));
  const { from, to } = frameOf(momentsOf(all));
  const fall = Float32Array.from({ length: SIZE * SIZE }, (_, k) => {
    const mu = from[0] + ((k % SIZE) * (to[0] - from[0])) / (SIZE - 1);
    const v = from[1] + (Math.floor(k / SIZE) * (to[1] - from[1])) / (SIZE - 1);
    return (-rows / 2) * (Math.log(v / variance) + (variance + (mean - mu) ** 2) / v - 1);
  });
  return { column, label, rows, mean, variance, size: SIZE, from, to, fall };
}

function momentsOf(values: readonly number[]) {
  const rows = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / rows;
  const spread = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / rows;
  return { rows, mean, variance: spread > 0 ? spread : 1e-6 };
}

/** The range of the axes: it shows the contours of a few rows without shrinking those of all rows to a point. */
function frameOf({ rows, mean, variance }: ReturnType<typeof momentsOf>): Pick<Surface, 'from' | 'to'> {
  const reach = Math.min(1, 12 / Math.sqrt(rows));
  const side = 1.6 * reach * Math.sqrt(variance);
  return { from: [mean - side, variance * (1 - 0.85 * reach)], to: [mean + side, variance * (1 + 2 * reach)] };
}
