import type { BoundaryResult } from '../worker/boundary.ts';

/** Called with the position of a point while it is dragged. */
export type Move = (place: number, x: number, y: number) => void;

interface Margins {
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  readonly marginBottom: number;
}

/** The squared distance, in shares of the picture, within which a touch picks a point. */
const NEAR = 0.0008;

/** Makes the nearest point draggable; the model is refitted at every step. */
export function draggable(
  svg: SVGSVGElement,
  { points, from, to }: BoundaryResult,
  margins: Margins,
  move: Move,
): void {
  const place = svg.parentElement!;
  const toData = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width, height } = (place.querySelector('svg') ?? svg).getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / width;
    const { marginLeft, marginRight, marginTop, marginBottom } = margins;
    const u = ((clientX - left) * scale - marginLeft) / (width * scale - marginLeft - marginRight);
    const v = ((clientY - top) * scale - marginTop) / (height * scale - marginTop - marginBottom);
    const inside = (share: number) => Math.max(0, Math.min(1, share));
    return [from[0] + inside(u) * (to[0] - from[0]), to[1] - inside(v) * (to[1] - from[1])];
  };
  svg.addEventListener('pointerdown', (event) => {
    const [px, py] = toData(event);
    const gap = (point: (typeof points)[number]) =>
      ((point.x - px) / (to[0] - from[0])) ** 2 + ((point.y - py) / (to[1] - from[1])) ** 2;
    const nearest = points.reduce((best, point) => (gap(point) < gap(best) ? point : best), points[0]);
    if (!nearest || gap(nearest) > NEAR) return;
    event.preventDefault();
    follow((step) => move(nearest.place, ...toData(step)));
  });
}

/** Follows the pointer until it is released. The listeners are on the page because the picture is redrawn at every step. */
function follow(step: (event: PointerEvent) => void): void {
  const end = (event: PointerEvent) => {
    removeEventListener('pointermove', step);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    if (event.type === 'pointerup') step(event);
  };
  addEventListener('pointermove', step);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}
