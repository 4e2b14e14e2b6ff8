import { refuse, show } from '../../src/workbench.ts';
import { numberCells } from './number-cells.ts';
import type { Trained } from './training.ts';

/** The distribution of one column in one class. */
export interface ClassNumbers {
  readonly label: string;
  readonly rows: number;
  readonly mean: number;
  readonly deviation: number;
  /** A limited number of values, for the rug plot. */
  readonly rug: readonly number[];
  /** Bars of a histogram as densities. */
  readonly bars: readonly number[];
  /** A kernel density estimate, and the normal density with the same mean and variance. */
  readonly smooth: readonly number[];
  readonly normal: readonly number[];
}

/** p(x | c) of one column. */
export interface DensitiesResult {
  readonly column: string;
  readonly grid: readonly number[];
  readonly from: number;
  readonly width: number;
  readonly classes: readonly ClassNumbers[];
  /** ∫ min(p₁, p₂) of the two largest classes: 1 if they coincide, 0 if they are disjoint. */
  readonly overlap: number;
}

const POINTS = 120;
const BARS = 30;
const RUG = 150;

/** The numbers of a column, class by class. */
export function numbersByClass({ rows, labels, run, model }: Trained, column: string): Map<string, Float64Array> {
  const lists = new Map<string, number[]>(run.classes.map((label) => [label, []]));
  const read = numberCells(model, column);
  for (const [i, row] of rows.entries()) {
    const value = read(row);
    if (!Number.isNaN(value)) lists.get(labels[i])?.push(value);
  }
  return new Map([...lists].map(([label, values]) => [label, Float64Array.from(values).sort()]));
}

/** Histograms, smooth curves and fitted normal curves of a column of numbers. */
export function densitiesOf(trained: Trained, column: string, shown: readonly string[]): DensitiesResult {
  const byClass = [...numbersByClass(trained, column)]
    .filter(([label, values]) => values.length > 1 && shown.includes(label))
    .sort(([, a], [, b]) => b.length - a.length);
  if (byClass.length === 0) refuse('E_TYPE', `column ${show(column)} has no numbers`, { column });
  const low = Math.min(...byClass.map(([, values]) => values[0]));
  const high = Math.max(...byClass.map(([, values]) => values[values.length - 1]));
  const pad = (high - low || 1) * 0.08;
  const grid = Array.from({ length: POINTS }, (_, k) => low - pad + (k * (high - low + 2 * pad)) / (POINTS - 1));
  const width = (high - low || 1) / BARS;
  const classes = byClass.map(([label, values]) => classOf(label, values, grid, low, width));
  const [first, second] = classes;
  const step = grid[1] - grid[0];
  const overlap = second ? grid.reduce((sum, _, k) => sum + Math.min(first.smooth[k], second.smooth[k]) * step, 0) : 1;
  return { column, grid, from: low, width, classes, overlap: Math.min(1, overlap) };
}

function classOf(
  label: string,
  values: Float64Array,
  grid: readonly number[],
  from: number,
  width: number,
): ClassNumbers {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(variance);
  const bars = Array.from({ length: BARS }, () => 0);
  for (const x of values) bars[Math.min(BARS - 1, Math.floor((x - from) / width))] += 1 / (values.length * width);
  const floor = Math.max(deviation, width / 100);
  const normal = grid.map((x) => Math.exp(-0.5 * ((x - mean) / floor) ** 2) / (floor * Math.sqrt(2 * Math.PI)));
  const step = Math.ceil(values.length / RUG);
  const rug = Array.from(values).filter((_, k) => k % step === 0);
  return { label, rows: values.length, mean, deviation, rug, bars, smooth: smoothed(values, grid, floor), normal };
}

/** A kernel density with Silverman's bandwidth, over at most a thousand of the sorted numbers. */
function smoothed(values: Float64Array, grid: readonly number[], deviation: number): number[] {
  const step = Math.ceil(values.length / 1_000);
  const own = values.filter((_, k) => k % step === 0);
  const quartiles = values[Math.floor(values.length * 0.75)] - values[Math.floor(values.length * 0.25)];
  const spread = quartiles > 0 ? Math.min(deviation, quartiles / 1.34) : deviation;
  const width = 0.9 * spread * own.length ** -0.2;
  const factor = 1 / (own.length * width * Math.sqrt(2 * Math.PI));
  return grid.map((x) => own.reduce((sum, value) => sum + Math.exp(-0.5 * ((x - value) / width) ** 2), 0) * factor);
}
