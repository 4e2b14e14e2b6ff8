import { areaUnder, precisionRecallCurve, rocCurve } from '../evaluate/curves.ts';
import type { ScoredRows } from '../evaluate/evaluation.ts';
import { calibrationCurve } from '../evaluate/reliability.ts';
import { argmax } from '../math/arrays.ts';
import { type Chart, colourOf } from './chart.ts';
import { box, dots, guide, label, line, type Point as PlainPoint } from './plot.ts';
import type { ReportTexts } from './texts.ts';

const MOST_CURVES = 8;
const MOST_POINTS = 160;

/** The classes that have curves: the second of two, or the most frequent ones. */
function curveClasses({ classes, truth }: ScoredRows): number[] {
  const rows = classes.map((label) => truth.filter((own) => own === label).length);
  const usable = [...classes.keys()].filter((c) => rows[c] > 0 && rows[c] < truth.length);
  if (classes.length === 2) return usable.slice(-1);
  return usable
    .sort((a, b) => rows[b] - rows[a])
    .slice(0, MOST_CURVES)
    .sort((a, b) => a - b);
}

const scoresOf = ({ logProba }: ScoredRows, c: number) =>
  Float64Array.from({ length: logProba.rows }, (_, i) => Math.exp(logProba.at(i, c)));
const isClass = ({ classes, truth }: ScoredRows, c: number) => truth.map((label) => Number(label === classes[c]));

function thinned<T>(points: readonly T[]): T[] {
  const step = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, k) => k % step === 0 || k === points.length - 1);
}

interface Point extends PlainPoint {
  readonly c: number;
}

function curvesOf(
  scored: ScoredRows,
  draw: (truth: number[], scores: Float64Array) => (readonly [number, number])[],
): Point[] {
  return curveClasses(scored).flatMap((c) =>
    thinned(draw(isClass(scored, c), scoresOf(scored, c))).map(([x, y]) => ({ x, y, c })),
  );
}

/** A line for every class. */
const lines = (points: readonly Point[]) =>
  [...new Set(points.map(({ c }) => c))].map((c) =>
    line(
      points.filter((point) => point.c === c),
      colourOf(c),
    ),
  );
const share = { domain: [0, 1], grid: true } as const;
const diagonal = guide([
  { x: 0, y: 0 },
  { x: 1, y: 1 },
]);
const rowsOf = ({ classes }: ScoredRows, points: readonly Point[]) => points.map(({ x, y, c }) => [classes[c], x, y]);
const keysOf = ({ classes }: ScoredRows) => (classes.length > 2 ? classes.slice(0, MOST_CURVES) : undefined);

/** True positives against false positives, at every threshold. */
export function rocChart(scored: ScoredRows, texts: ReportTexts): Chart {
  const points = curvesOf(scored, (truth, scores) => {
    const [fpr, tpr] = rocCurve(truth, scores, { posLabel: 1 });
    return fpr.map((x, k) => [x, tpr[k]] as const);
  });
  const areas = curveClasses(scored).map((c) => {
    const own = points.filter((point) => point.c === c);
    return `${scored.classes[c]} ${areaUnder(
      own.map(({ x }) => x),
      own.map(({ y }) => y),
    ).toFixed(3)}`;
  });
  return {
    title: texts.roc,
    reading: texts.rocReading(areas.join(', ')),
    plot: {
      x: { ...share, label: texts.falsePositives },
      y: { ...share, label: texts.truePositives },
      marks: [diagonal, ...lines(points)],
    },
    data: { heads: [texts.classOf, texts.falsePositives, texts.truePositives], rows: rowsOf(scored, points) },
    ...(keysOf(scored) && { keys: keysOf(scored)! }),
  };
}

/** Precision against recall, at every threshold. */
export function precisionRecallChart(scored: ScoredRows, texts: ReportTexts): Chart {
  const points = curvesOf(scored, (truth, scores) => {
    const [precision, recall] = precisionRecallCurve(truth, scores, { posLabel: 1 });
    return recall.map((x, k) => [x, precision[k]] as const);
  });
  return {
    title: texts.precisionRecall,
    reading: texts.precisionRecallReading,
    plot: { x: { ...share, label: texts.recall }, y: { ...share, label: texts.precision }, marks: lines(points) },
    data: { heads: [texts.classOf, texts.recall, texts.precision], rows: rowsOf(scored, points) },
    ...(keysOf(scored) && { keys: keysOf(scored)! }),
  };
}

/** The calibration curve: accuracy by predicted probability. */
export function calibrationChart(scored: ScoredRows, texts: ReportTexts): Chart {
  const sure = Float64Array.from({ length: scored.truth.length }, (_, i) =>
    Math.exp(Math.max(...scored.logProba.row(i))),
  );
  const right = scored.truth.map((label, i) => Number(scored.classes[argmax(scored.logProba.row(i))] === label));
  const [seen, said] = calibrationCurve(right, sure, { nBins: 10, strategy: 'quantile', posLabel: 1 } as never);
  const points = said.map((x, k) => ({ x, y: seen[k], c: 0 }));
  return {
    title: texts.calibration,
    reading: texts.calibrationReading,
    plot: {
      x: { ...share, label: texts.predicted },
      y: { ...share, label: texts.observed },
      marks: [diagonal, ...lines(points), dots(points, colourOf(0))],
    },
    data: {
      heads: [texts.bin, texts.predicted, texts.observed],
      rows: points.map(({ x, y }, k) => [String(k + 1), x, y]),
    },
  };
}

/** The predicted probabilities of correct and of wrong predictions. */
export function confidenceChart(scored: ScoredRows, texts: ReportTexts): Chart {
  const bins = Array.from({ length: 20 }, (_, k) => ({ from: k / 20, right: 0, wrong: 0 }));
  scored.truth.forEach((label, i) => {
    const row = scored.logProba.row(i);
    const best = argmax(row);
    const bin = bins[Math.min(19, Math.floor(Math.exp(row[best]) * 20))];
    if (scored.classes[best] === label) bin.right++;
    else bin.wrong++;
  });
  const most = Math.max(1, ...bins.map(({ right, wrong }) => right + wrong));
  return {
    title: texts.confidence,
    reading: texts.confidenceReading,
    plot: {
      x: { domain: [0, 1], label: texts.confidenceAxis },
      y: { domain: [0, most], grid: true, label: texts.rows },
      marks: bins.flatMap(({ from, right, wrong }) => [
        box([from, from + 0.05], [0, right], colourOf(0)),
        box([from, from + 0.05], [right, right + wrong], colourOf(1)),
      ]),
    },
    keys: [texts.right, texts.wrong],
    data: {
      heads: [texts.from, texts.right, texts.wrong],
      rows: bins.map(({ from, right, wrong }) => [from.toFixed(2), right, wrong]),
    },
  };
}

const MOST_CLASSES = 30;

/** The confusion matrix. */
export function confusionChart(
  labels: readonly string[],
  matrix: readonly (readonly number[])[],
  texts: ReportTexts,
): Chart {
  const shown = labels.slice(0, MOST_CLASSES);
  const cells = shown.flatMap((truth, i) =>
    shown.map((guess, j) => {
      const total = matrix[i].reduce((sum, rows) => sum + rows, 0);
      return { i, j, truth, guess, rows: matrix[i][j], share: total > 0 ? matrix[i][j] / total : 0 };
    }),
  );
  const longest = Math.max(...shown.map((label) => Math.min(18, label.length)));
  const cut = (name: string) => (name.length > 18 ? `${name.slice(0, 17)}…` : name);
  const ticks = shown.map((name, k) => ({ at: k + 0.5, text: cut(name) }));
  return {
    title: texts.confusion,
    reading: texts.confusionReading(MOST_CLASSES, labels.length),
    plot: {
      width: Math.max(460, 60 + shown.length * 34),
      height: Math.max(220, 90 + shown.length * (shown.length > 8 ? 22 : 38)),
      left: 24 + longest * 7,
      bottom: shown.length > 5 ? 48 + longest * 5 : 46,
      x: { domain: [0, shown.length], label: texts.prediction, ticks, isTurned: shown.length > 5 },
      y: { domain: [shown.length, 0], label: texts.truth, ticks },
      marks: cells.flatMap(({ i, j, rows, share }) => [
        box([j, j + 1], [i, i + 1], colourOf(0), 0.04 + 0.45 * share),
        ...(rows > 0 ? [label({ x: j + 0.5, y: i + 0.5 }, String(rows))] : []),
      ]),
    },
    data: {
      heads: [texts.truth, texts.prediction, texts.rows],
      rows: cells.filter(({ rows }) => rows > 0).map(({ truth, guess, rows }) => [truth, guess, rows]),
    },
  };
}
