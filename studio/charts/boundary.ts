import type { ChartSpec } from '../parts/chart.tsx';
import { colourOf, shapeOf } from '../parts/colours.ts';
import { percent, texts, whole } from '../texts/index.ts';
import type { BoundaryTold } from '../worker/boundary.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 520, 56, 20, 20, 44];

/** The plane in the colours of the classes, the Gaussians, and the rows. */
export function boundarySpec(
  told: BoundaryTold,
  x: string,
  y: string,
  move: (place: number, x: number, y: number) => void,
): ChartSpec {
  const { boundary: say } = texts.value;
  const { classes, points, from, to, size, ellipses, accuracy, rows } = told;
  const [stepX, stepY] = [(to[0] - from[0]) / (size - 1), (to[1] - from[1]) / (size - 1)];
  const cells = cellsOf(told, stepX, stepY);
  const outlines = ellipses.flatMap((outline, c) => outline.map(([px, py]) => ({ x: px, y: py, c })));
  const colour = ({ c }: { c: number }) => colourOf(c);
  return {
    title: say.picture,
    reading: say.reading(percent(accuracy), whole(rows)),
    n: rows,
    keys: classes,
    plot: (Plot) => ({
      ...{ width: WIDTH, height: HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: TOP, marginBottom: BOTTOM },
      x: { domain: [from[0], to[0]], label: x },
      y: { domain: [from[1], to[1]], label: y },
      marks: [
        Plot.rect(cells, {
          ...{ x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', fill: colour, clip: true },
          fillOpacity: 'depth',
        }),
        Plot.line(outlines, { x: 'x', y: 'y', z: 'c', stroke: colour, strokeWidth: 2, clip: true }),
        Plot.dot(
          points.filter(({ wrong }) => wrong),
          { x: 'x', y: 'y', r: 7, stroke: 'currentColor', strokeWidth: 1.5 },
        ),
        Plot.dot(points, { x: 'x', y: 'y', r: 3.5, fill: colour, symbol: ({ c }: { c: number }) => shapeOf(c) }),
      ],
      symbol: { type: 'identity' },
      opacity: { type: 'identity' },
    }),
    data: {
      heads: [x, y, texts.value.evaluate.truth, '≠'],
      rows: points.map(({ x: px, y: py, c, wrong }) => [px, py, classes[c], wrong ? '≠' : '']),
    },
    onDrawn: (svg) => draggable(svg, told, move),
  } as ChartSpec;
}

/** How many depths of colour are told apart. */
const DEPTHS = 8;

interface Block {
  readonly x1: number;
  x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly c: number;
  readonly depth: number;
}

/** The grid as blocks: neighbours in a row that look alike are one, which keeps the picture small. */
function cellsOf({ best, sure, size, from }: BoundaryTold, stepX: number, stepY: number): Block[] {
  const blocks: Block[] = [];
  for (let k = 0; k < best.length; k++) {
    const [x, y] = [from[0] + (k % size) * stepX, from[1] + Math.floor(k / size) * stepY];
    const depth = 0.06 + (0.3 * Math.round(DEPTHS * Math.max(0, (sure[k] - 0.34) / 0.66))) / DEPTHS;
    const last = blocks.at(-1);
    const [c, y1] = [best[k], y - stepY / 2];
    if (last && k % size > 0 && last.c === c && last.depth === depth) last.x2 = x + stepX / 2;
    else blocks.push({ x1: x - stepX / 2, x2: x + stepX / 2, y1, y2: y + stepY / 2, c, depth });
  }
  return blocks;
}

/** Lets the nearest point be dragged; the model learns again when it is let go. */
function draggable(
  svg: SVGSVGElement,
  { points, from, to }: BoundaryTold,
  move: (place: number, x: number, y: number) => void,
): void {
  const toData = (event: PointerEvent): [number, number] => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    const [u, v] = [((event.clientX - left) / width) * WIDTH, ((event.clientY - top) / height) * HEIGHT];
    return [
      from[0] + ((u - LEFT) / (WIDTH - LEFT - RIGHT)) * (to[0] - from[0]),
      to[1] - ((v - TOP) / (HEIGHT - TOP - BOTTOM)) * (to[1] - from[1]),
    ];
  };
  let held: number | undefined;
  svg.addEventListener('pointerdown', (event) => {
    const [px, py] = toData(event);
    const gap = (point: (typeof points)[number]) =>
      ((point.x - px) / (to[0] - from[0])) ** 2 + ((point.y - py) / (to[1] - from[1])) ** 2;
    const nearest = [...points].sort((a, b) => gap(a) - gap(b))[0];
    if (!nearest || gap(nearest) > 0.0006) return;
    held = nearest.place;
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener('pointerup', (event) => {
    if (held !== undefined) move(held, ...toData(event));
    held = undefined;
  });
}
