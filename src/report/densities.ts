import * as Plot from '@observablehq/plot';
import { type Chart, colourOf } from './chart.ts';
import type { ReportTexts } from './texts.ts';

/** The numbers of one column, class by class. */
export interface ColumnValues {
  readonly name: string;
  readonly byClass: readonly { readonly label: string; readonly values: readonly number[] }[];
}

const POINTS = 96;
const RUG = 200; // ticks at most

/** p(x | c) of one column: a smooth curve over the numbers, and the numbers themselves as ticks. */
export function densityChart({ name, byClass }: ColumnValues, texts: ReportTexts): Chart {
  const all = byClass.flatMap(({ values }) => values).sort((a, b) => a - b);
  const [low, high] = [all[0], all[all.length - 1]];
  const pad = (high - low || 1) * 0.08;
  const grid = Array.from({ length: POINTS }, (_, k) => low - pad + (k * (high - low + 2 * pad)) / (POINTS - 1));
  const points = byClass.flatMap(({ values }, c) => {
    if (values.length === 0) return [];
    const density = smooth(values);
    return grid.map((x) => ({ x, p: density(x), c }));
  });
  const rug = byClass.flatMap(({ values }, c) => {
    const step = Math.ceil(values.length / RUG);
    return values.filter((_, k) => k % step === 0).map((x) => ({ x, c }));
  });
  const fill = ({ c }: { c: number }) => colourOf(c);
  return {
    title: name,
    reading: texts.densityReading,
    plot: {
      height: 220,
      x: { label: name },
      y: { label: texts.density, grid: true, ticks: 4 },
      marks: [
        Plot.areaY(points, { x: 'x', y1: 0, y2: 'p', z: 'c', fill, fillOpacity: 0.18 }),
        Plot.line(points, { x: 'x', y: 'p', z: 'c', stroke: fill, strokeWidth: 2 }),
        Plot.tickX(rug, { x: 'x', stroke: fill, strokeOpacity: 0.35, insetTop: 165 }),
        Plot.ruleY([0]),
      ],
    },
    keys: byClass.map(({ label }) => label),
    data: {
      heads: texts.densityHeads,
      rows: byClass.map(({ label, values }) => [label, values.length, meanOf(values), spreadOf(values)]),
    },
  };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length);
const spreadOf = (values: readonly number[]) => {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((x) => (x - mean) ** 2)));
};

/** A kernel density with the bandwidth of Silverman's rule, over at most a thousand of the numbers. */
function smooth(values: readonly number[]): (x: number) => number {
  const step = Math.ceil(values.length / 1000);
  const own = values.filter((_, k) => k % step === 0);
  const sorted = [...own].sort((a, b) => a - b);
  const quartiles = sorted[Math.floor(own.length * 0.75)] - sorted[Math.floor(own.length * 0.25)];
  const spread = Math.min(spreadOf(own), quartiles > 0 ? quartiles / 1.34 : Infinity);
  const width = Math.max(0.9 * spread * own.length ** -0.2, Math.abs(meanOf(own)) * 1e-6, 1e-9);
  const factor = 1 / (own.length * width * Math.sqrt(2 * Math.PI));
  return (x) => own.reduce((sum, value) => sum + Math.exp(-0.5 * ((x - value) / width) ** 2), 0) * factor;
}
