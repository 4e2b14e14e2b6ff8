import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf, shapeOf } from '../parts/colours.ts';
import type { Drawing } from '../parts/draw.ts';
import { chooseRows } from '../rows/filter.ts';
import { percent, texts, whole } from '../texts/index.ts';
import type { BoundaryResult } from '../worker/boundary.ts';
import { draggable, type Move, type Region } from './drag.ts';

const MARGINS = { marginLeft: 48, marginRight: 16, marginTop: 26, marginBottom: 42 };

/** The values of p(class) at which a contour is drawn; the colour is deeper inside each. */
const LEVELS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/** How a picture responds to dragging, and the rectangle that is chosen. */
interface Drawn {
  readonly acts?: { readonly move: Move; readonly brush: (region: Region) => void };
  readonly region?: Region | undefined;
}

/** The decision boundary: the plane in class colours, contours of p(class), the Gaussians and the rows. */
export function boundarySpec(
  result: BoundaryResult,
  all: readonly string[],
  x: string,
  y: string,
  { acts, region }: Drawn = {},
): ChartSpec {
  const { boundary: say } = texts.value;
  const { classes, points, accuracy, rows } = result;
  const placeOf = (c: number) => all.indexOf(classes[c]);
  return {
    title: say.picture,
    reading: say.reading(percent(accuracy), whole(rows), whole(points.length)),
    n: rows,
    of: result.all,
    keys: classes,
    keyColours: classes.map((_, c) => colourOf(placeOf(c))),
    plot: (Plot, width) => ({
      ...MARGINS,
      height: Math.round(Math.max(300, Math.min(560, width * 0.66))),
      x: { domain: [result.from[0], result.to[0]], label: x },
      y: { domain: [result.from[1], result.to[1]], label: y },
      marks: [
        ...planeMarks(Plot, result, placeOf),
        ...pointMarks(Plot, result, placeOf),
        ...(region
          ? [Plot.rect([region], { ...sides, stroke: 'currentColor', fill: 'currentColor', fillOpacity: 0.08 })]
          : []),
      ],
      symbol: { type: 'identity' },
      opacity: { type: 'identity' },
    }),
    tips: points.map(({ x: px, y: py, c, wrong, row }) => ({
      x: px,
      y: py,
      text: `${classes[c]}${wrong ? ` (${say.wrong})` : ''}\n${x} ${px.toPrecision(4)}\n${y} ${py.toPrecision(4)}`,
      ...(row !== undefined && { pick: () => chooseRows({ kind: 'row', row }) }),
    })),
    data: {
      heads: [x, y, texts.value.evaluate.truth, say.wrong],
      rows: points.map(({ x: px, y: py, c, wrong }) => [px, py, classes[c], wrong ? '≠' : '']),
    },
    ...(acts && { onDrawn: (svg: SVGSVGElement) => draggable(svg, result, MARGINS, acts) }),
  };
}

/** The sides of a rectangle, as channels. */
const sides = {
  x1: ({ from }: Region) => from[0],
  x2: ({ to }: Region) => to[0],
  y1: ({ from }: Region) => from[1],
  y2: ({ to }: Region) => to[1],
};

type Point = BoundaryResult['points'][number];
type Plot = Parameters<Drawing>[0];
type Marks = NonNullable<ReturnType<Drawing>['marks']>;

/** Contours of p(c) for each class, and the line where two classes are equally probable. */
function planeMarks(
  Plot: Plot,
  { classes, logit, margin, size, gridFrom, gridTo }: BoundaryResult,
  placeOf: (c: number) => number,
): Marks {
  const half = [0, 1].map((j) => (gridTo[j] - gridFrom[j]) / (size - 1) / 2);
  const frame = {
    ...{ width: size, height: size, clip: true },
    ...{ x1: gridFrom[0] - half[0], x2: gridTo[0] + half[0] },
    ...{ y1: gridFrom[1] - half[1], y2: gridTo[1] + half[1] },
  };
  const bands = classes.map((_, c) =>
    Plot.contour(logit[c], {
      ...frame,
      ...{ thresholds: LEVELS.map((p) => Math.log(p / (1 - p))), fill: colourOf(placeOf(c)), fillOpacity: 0.055 },
      ...{ stroke: colourOf(placeOf(c)), strokeOpacity: 0.55, strokeWidth: 0.7 },
    }),
  );
  const lines = classes.map((_, c) =>
    Plot.contour(margin[c], { ...frame, thresholds: [0], stroke: 'currentColor', strokeWidth: 1.6 }),
  );
  return [...bands, ...lines];
}

/** The Gaussians and the rows; misclassified rows are ringed. */
function pointMarks(Plot: Plot, { ellipses, points }: BoundaryResult, placeOf: (c: number) => number): Marks {
  const colour = ({ c }: { c: number }) => colourOf(placeOf(c));
  const outlines = ellipses.flatMap((outline, c) => outline.map(([px, py]) => ({ x: px, y: py, c })));
  const wrong = points.filter((point) => point.wrong && !point.faint);
  return [
    Plot.line(outlines, { x: 'x', y: 'y', z: 'c', stroke: colour, strokeWidth: 2, strokeDasharray: '6 4', clip: true }),
    Plot.dot(wrong, { x: 'x', y: 'y', r: 7, stroke: 'currentColor', strokeWidth: 1.5 }),
    Plot.dot(points, {
      ...{ x: 'x', y: 'y', r: 4, fill: colour, stroke: '#fff', strokeWidth: 0.7 },
      opacity: ({ faint }: Point) => (faint ? 0.4 : 1),
      symbol: ({ c }: { c: number }) => shapeOf(placeOf(c)),
    }),
  ];
}
