import type { BoundaryResult } from '../worker/boundary.ts';

/** Called with the position of a point while it is dragged. */
export type Move = (place: number, x: number, y: number) => void;

/** A rectangle of the picture. */
export type Region = Pick<BoundaryResult, 'from' | 'to'>;

interface Margins {
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  readonly marginBottom: number;
}

/** The squared distance, in shares of the picture, within which a touch picks a point. */
const NEAR = 0.0008;
/** The least side of a rectangle, in shares of the picture; less is a click. */
const LEAST_SIDE = 0.01;

/**
 * Makes the picture respond to dragging: the nearest point is moved, and the model refitted at every step; between points a rectangle is
 * drawn, whose rows are listed.
 */
export function draggable(
  svg: SVGSVGElement,
  { points, from, to }: BoundaryResult,
  margins: Margins,
  { move, brush }: { readonly move: Move; readonly brush: (region: Region) => void },
): void {
  const place = svg.parentElement!;
  const { marginLeft, marginRight, marginTop, marginBottom } = margins;
  const { width: wide, height: high } = svg.viewBox.baseVal;
  const [innerWidth, innerHeight] = [wide - marginLeft - marginRight, high - marginTop - marginBottom];
  const sharesAt = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width } = (place.querySelector('svg') ?? svg).getBoundingClientRect();
    const scale = wide / width;
    const inside = (share: number) => Math.max(0, Math.min(1, share));
    const u = ((clientX - left) * scale - marginLeft) / innerWidth;
    return [inside(u), inside(1 - ((clientY - top) * scale - marginTop) / innerHeight)];
  };
  const dataAt = ([u, v]: readonly number[]): [number, number] => [
    from[0] + u * (to[0] - from[0]),
    from[1] + v * (to[1] - from[1]),
  ];
  svg.addEventListener('pointerdown', (event) => {
    const begin = sharesAt(event);
    const gap = ({ x, y }: (typeof points)[number]) =>
      ((x - from[0]) / (to[0] - from[0]) - begin[0]) ** 2 + ((y - from[1]) / (to[1] - from[1]) - begin[1]) ** 2;
    const nearest = points.reduce((best, point) => (gap(point) < gap(best) ? point : best), points[0]);
    event.preventDefault();
    if (nearest && gap(nearest) <= NEAR) {
      const step = (next: PointerEvent) => move(nearest.place, ...dataAt(sharesAt(next)));
      follow(step, step);
      return;
    }
    const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    box.setAttribute('class', 'brush');
    svg.append(box);
    const cornersTo = (next: PointerEvent) => {
      const end = sharesAt(next);
      const low = begin.map((share, k) => Math.min(share, end[k]));
      return { low, high: begin.map((share, k) => Math.max(share, end[k])) };
    };
    follow(
      (next) => {
        const { low, high: top } = cornersTo(next);
        box.setAttribute('x', String(marginLeft + low[0] * innerWidth));
        box.setAttribute('y', String(marginTop + (1 - top[1]) * innerHeight));
        box.setAttribute('width', String((top[0] - low[0]) * innerWidth));
        box.setAttribute('height', String((top[1] - low[1]) * innerHeight));
      },
      (last) => {
        const { low, high: top } = cornersTo(last);
        if (low.some((share, k) => top[k] - share < LEAST_SIDE)) return;
        place.addEventListener('click', (click) => click.stopPropagation(), { capture: true, once: true }); // it would pick a row
        brush({ from: dataAt(low), to: dataAt(top) });
      },
      () => box.remove(),
    );
  });
}

/** Follows the pointer until it is released. The listeners are on the page because the picture is redrawn at every step. */
function follow(
  step: (event: PointerEvent) => void,
  done: (event: PointerEvent) => void,
  clean: () => void = () => undefined,
): void {
  const end = (event: PointerEvent) => {
    removeEventListener('pointermove', step);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    clean();
    if (event.type === 'pointerup') done(event);
  };
  addEventListener('pointermove', step);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}
