import { type Chart, colourOf } from './chart.ts';
import { area, line, roundTicks, stems } from './plot.ts';
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
  const curves = byClass.map(({ values }) => {
    if (values.length === 0) return [];
    const density = smooth(values);
    return grid.map((x) => ({ x, y: density(x) }));
  });
  const most = Math.max(...curves.flat().map(({ y }) => y));
  const range = [0, most] as const;
  const rug = byClass.map(({ values }) => {
    const step = Math.ceil(values.length / RUG);
    return values.filter((_, k) => k % step === 0).map((x) => ({ x, y: most * 0.08 }));
  });
  const [first, last] = [grid[0], grid[POINTS - 1]];
  return {
    title: name,
    reading: texts.densityReading,
    plot: {
      height: 220,
      x: { domain: [first, last], label: name },
      y: { domain: range, label: texts.density, grid: true, ticks: roundTicks(range, 4) },
      marks: [
        ...curves.map((curve, c) => area([{ x: first, y: 0 }, ...curve, { x: last, y: 0 }], colourOf(c))),
        ...curves.map((curve, c) => line(curve, colourOf(c))),
        ...rug.map((values, c) => stems(values, 0, colourOf(c), 0.35)),
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
