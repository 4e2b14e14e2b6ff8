import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf } from '../parts/colours.ts';
import type { Drawing } from '../parts/draw.ts';
import { texts, three, whole } from '../texts/index.ts';
import type { Dirichlet, SimplexResult } from '../worker/simplex.ts';

const HEIGHT = Math.sqrt(0.75);
const FALLS = [-8, -5, -3, -2, -1, -0.5, -0.2];

type Point = readonly [x: number, y: number];

/** Three shares as a point in the triangle with corners (0, 0), (1, 0) and (½, √¾). */
const placeOf = (second: number, third: number): Point => [second + third / 2, third * HEIGHT];

/** The Dirichlet density over a triangle whose corners are the three parts; deeper colour is higher density. */
export function simplexSpec({ parts, merged, size, beliefs }: SimplexResult, at: number, of: string): ChartSpec {
  const { understand: say } = texts.value;
  const belief = beliefs[at];
  const names = parts.map((part) => part || say.allOthers(whole(merged)));
  const means = names.map((name, k) => `${name} ${three(belief.mean[k])}`).join(', ');
  const middle = placeOf(belief.mean[1], belief.mean[2]);
  return {
    title: say.simplexTitle(of || say.ofClasses),
    reading: say.simplexReading(belief.alpha.map((own) => Number(own.toFixed(1))).join(', '), means),
    n: belief.rows,
    plot: (Plot, width) => {
      const side = Math.min(width - 24, 520);
      const around = (width - side) / 2;
      return {
        ...{ height: side * HEIGHT + 52, marginLeft: around, marginRight: around, marginTop: 26, marginBottom: 26 },
        x: { domain: [0, 1], axis: null },
        y: { domain: [0, HEIGHT], axis: null },
        marks: [...cloud(Plot, belief, size), ...frame(Plot, names)],
      };
    },
    tips: [{ x: middle[0], y: middle[1], text: means }],
    data: {
      heads: [say.counted, ...names.map((name) => `α ${name}`), ...names.map((name) => `E ${name}`)],
      rows: beliefs.map((own) => [own.rows, ...own.alpha, ...own.mean]),
    },
    onDrawn: clipToTriangle,
  };
}

type Plot = Parameters<Drawing>[0];
type Marks = NonNullable<ReturnType<Drawing>['marks']>;

/** The contours of the density and its mean. */
function cloud(Plot: Plot, { from, to, fall, mean }: Dirichlet, size: number): Marks {
  const half = [0, 1].map((j) => (to[j] - from[j]) / (size - 1) / 2);
  return [
    Plot.contour(fall, {
      ...{ width: size, height: size, thresholds: FALLS, fill: colourOf(0), fillOpacity: 0.2 },
      ...{ x1: from[0] - half[0], x2: to[0] + half[0], y1: from[1] - half[1], y2: to[1] + half[1] },
      ...{ stroke: colourOf(0), strokeOpacity: 0.5, strokeWidth: 0.7 },
    }),
    Plot.dot([placeOf(mean[1], mean[2])], { r: 5, fill: colourOf(1), stroke: '#fff', strokeWidth: 1.5 }),
  ];
}

/** The edges, grid lines where a share is ¼, ½ or ¾, and the names of the corners. */
function frame(Plot: Plot, names: readonly string[]): Marks {
  const lines = [0.25, 0.5, 0.75].flatMap((share) => [
    [placeOf(0, share), placeOf(1 - share, share)],
    [placeOf(share, 0), placeOf(share, 1 - share)],
    [placeOf(1 - share, 0), placeOf(0, 1 - share)],
  ]);
  const pieces = lines.flatMap((line, z) => line.map(([x, y]) => ({ x, y, z })));
  const corners = [placeOf(0, 0), placeOf(1, 0), placeOf(0, 1)];
  const [first, second, third] = corners.map((corner, k) => ({ x: corner[0], y: corner[1], name: names[k] }));
  const text = { x: 'x', y: 'y', text: 'name', fontSize: 13 };
  return [
    Plot.line(pieces, { x: 'x', y: 'y', z: 'z', stroke: 'currentColor', strokeOpacity: 0.2, strokeDasharray: '3 4' }),
    Plot.line([...corners, corners[0]] as Point[], { stroke: 'currentColor', strokeOpacity: 0.7 }),
    Plot.text([first], { ...text, dy: 16, textAnchor: 'start' }),
    Plot.text([second], { ...text, dy: 16, textAnchor: 'end' }),
    Plot.text([third], { ...text, dy: -14, textAnchor: 'middle' }),
  ];
}

let last = 0;

/** Clips the contours at the edges of the triangle. */
function clipToTriangle(svg: SVGSVGElement): void {
  const name = 'http://www.w3.org/2000/svg';
  const { width, height } = svg.viewBox.baseVal;
  const side = Math.min(width - 24, 520);
  const [left, bottom] = [(width - side) / 2, height - 26];
  const clip = document.createElementNS(name, 'clipPath');
  const shape = document.createElementNS(name, 'polygon');
  clip.id = `triangle-${++last}`;
  shape.setAttribute(
    'points',
    `${left},${bottom} ${left + side},${bottom} ${left + side / 2},${bottom - side * HEIGHT}`,
  );
  clip.append(shape);
  svg.prepend(clip);
  svg.querySelector('g')?.setAttribute('clip-path', `url(#${clip.id})`);
}
