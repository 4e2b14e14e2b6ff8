import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import type { Drawing } from '../parts/draw.ts';
import type { Operating } from '../protocol.ts';
import { chooseRows } from '../rows/filter.ts';
import { percent, texts, three, whole } from '../texts/index.ts';
import { pointAt } from './point-at.ts';

/** All other classes together. */
const OTHERS = '#8c8c8c';

type Point = readonly [x: number, y: number];
type Marks = (plot: Parameters<Drawing>[0]) => NonNullable<ReturnType<Drawing>['marks']>;

const square = (x: string, y: string, marks: Marks): Drawing => {
  const share = { domain: [0, 1], grid: true, ticks: 5 };
  return (Plot) => ({ x: { ...share, label: x }, y: { ...share, label: y }, marks: marks(Plot) });
};

const curve =
  (points: readonly Point[], at: Point | undefined, diagonal: boolean): Marks =>
  (Plot) => [
    ...(diagonal
      ? [
          Plot.line(
            [
              [0, 0],
              [1, 1],
            ],
            { stroke: 'currentColor', strokeOpacity: 0.4, strokeDasharray: '4 4' },
          ),
        ]
      : []),
    Plot.line(points as Point[], { stroke: colourOf(0), strokeWidth: 2 }),
    ...(at ? [Plot.dot([at], { r: 6, fill: colourOf(1), stroke: 'currentColor' })] : []),
  ];

/** The ROC curve with the point of the threshold. */
export function rocSpec(shown: Operating, threshold: number): ChartSpec {
  const { evaluate: say } = texts.value;
  const { fpr, recall } = pointAt(shown, threshold);
  return {
    title: say.roc,
    reading: say.rocReading(three(shown.area)),
    n: shown.positives + shown.negatives,
    plot: square(say.fpr, say.tpr, curve(shown.roc, [fpr, recall], true)),
    tips: shown.roc.map(([x, y]) => ({ x, y, text: `FPR ${percent(x)}\nTPR ${percent(y)}` })),
    data: { heads: ['FPR', 'TPR'], rows: shown.roc },
  };
}

/** Precision against recall. */
export function precisionRecallSpec(shown: Operating, threshold: number): ChartSpec {
  const { evaluate: say } = texts.value;
  const { precision, recall } = pointAt(shown, threshold);
  return {
    title: say.pr,
    reading: say.prReading(three(shown.averagePrecision)),
    n: shown.positives + shown.negatives,
    plot: square(say.heads[3], say.heads[1], curve(shown.precisionRecall, [recall, precision], false)),
    tips: shown.precisionRecall.map(([x, y]) => ({
      ...{ x, y, text: `${say.heads[3]} ${percent(x)}\n${say.heads[1]} ${percent(y)}` },
    })),
    data: { heads: [say.heads[3], say.heads[1]], rows: shown.precisionRecall },
  };
}

/** Predicted probability and observed frequency in ten bins of equal width, with intervals and counts. */
export function calibrationSpec({ calibration, positives, negatives, label }: Operating): ChartSpec {
  const { evaluate: say } = texts.value;
  const points = calibration.map(({ predicted, observed }): Point => [predicted, observed]);
  return {
    title: say.calibration,
    reading: say.calibrationReading,
    n: positives + negatives,
    plot: square(say.predicted, say.observed, (Plot) => [
      ...curve(points, undefined, true)(Plot),
      Plot.ruleX(calibration, { x: 'predicted', y1: 'low', y2: 'high', stroke: colourOf(0), strokeWidth: 1.5 }),
      Plot.dot(calibration, { x: 'predicted', y: 'observed', r: 4, fill: colourOf(0) }),
      Plot.text(calibration, {
        ...{ x: 'predicted', dx: 7, textAnchor: 'start', fontSize: 10, text: ({ rows }: Bin) => whole(rows) },
        y: ({ observed }: Bin) => Math.max(0.03, Math.min(0.97, observed)),
      }),
    ]),
    tips: calibration.map(({ predicted, observed, low, high, rows, from, to }) => ({
      x: predicted,
      y: observed,
      text: [
        `${say.predicted} ${percent(predicted)}`,
        `${say.observed} ${percent(observed)} (${percent(low)} – ${percent(high)})`,
        texts.value.chart.rows(whole(rows)),
      ].join('\n'),
      pick: () => chooseRows({ kind: 'score', label, from, to }),
    })),
    data: {
      heads: [...say.bins, say.predicted, say.observed, '2.5%', '97.5%', say.heads[6]],
      rows: calibration.map(({ from, to, predicted, observed, low, high, rows }) => [
        ...[from, to, predicted, observed, low, high],
        rows,
      ]),
    },
  };
}

type Bin = Operating['calibration'][number];

/** Rows by score: the class, and the others. */
export function histogramSpec(shown: Operating, threshold: number, c: number): ChartSpec {
  const { evaluate: say } = texts.value;
  const { histogram, label, positives, negatives } = shown;
  const width = 1 / histogram.length;
  const bars = histogram.flatMap(({ from, own, others }) => [
    { from, to: from + width, rows: own, fill: colourOf(c) },
    { from, to: from + width, rows: others, fill: OTHERS },
  ]);
  return {
    title: say.histogram,
    reading: say.histogramReading,
    n: positives + negatives,
    keys: [label, say.others],
    keyColours: [colourOf(c), OTHERS],
    plot: (Plot) => ({
      color: { type: 'identity' },
      x: { domain: [0, 1], label: `p(${label})`, ticks: 5 },
      y: { grid: true, label: say.heads[6], ticks: 5 },
      marks: [
        Plot.rectY(bars, Plot.stackY({ x1: 'from', x2: 'to', y: 'rows', fill: 'fill' })),
        Plot.ruleX([threshold], { stroke: 'currentColor', strokeWidth: 2, strokeDasharray: '4 3' }),
        Plot.ruleY([0]),
      ],
    }),
    tips: histogram.map(({ from, own, others }) => ({
      x: from + width / 2,
      y: (own + others) / 2,
      text: `p ${percent(from)} – ${percent(from + width)}\n${label} ${whole(own)}\n${say.others} ${whole(others)}`,
      pick: () => chooseRows({ kind: 'score', label, from, to: from + width }),
    })),
    data: { heads: ['p', label, say.others], rows: histogram.map(({ from, own, others }) => [from, own, others]) },
  };
}

/** The lift: how many times more rows of the class are found than by random choice, by share of rows flagged. */
export function liftSpec(shown: Operating, threshold: number): ChartSpec {
  const { evaluate: say } = texts.value;
  const base = shown.positives / (shown.positives + shown.negatives);
  const points = Array.from({ length: 101 }, (_, k) => pointAt(shown, k / 100))
    .filter(({ flagged }) => flagged > 0)
    .map(({ flagged, precision }): Point => [flagged, precision / base]);
  const at = pointAt(shown, threshold);
  return {
    title: say.lift,
    reading: say.liftReading,
    n: shown.positives + shown.negatives,
    plot: (Plot) => ({
      x: {
        domain: [0, 1],
        grid: true,
        label: say.flagged,
        tickFormat: (share: number) => `${Math.round(100 * share)}%`,
      },
      y: { grid: true, zero: true, label: say.timesChance },
      marks: curve(points, at.flagged > 0 ? [at.flagged, at.precision / base] : undefined, false)(Plot),
    }),
    tips: points.map(([x, y]) => ({
      ...{ x, y, text: `${say.flagged} ${percent(x)}\n${y.toFixed(2)} ${say.timesChance}` },
    })),
    data: { heads: [say.flagged, say.timesChance], rows: points },
  };
}
