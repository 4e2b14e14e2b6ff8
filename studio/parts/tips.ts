import type { Drawn } from './draw.ts';

/** A point of interest in a picture: its position, its description, and what a click does. */
export interface Tip {
  readonly x: number | string;
  readonly y: number | string;
  /** The facet it is in. */
  readonly fy?: string;
  readonly text: string;
  readonly pick?: () => void;
}

/** The distance in pixels within which the pointer picks a tip. */
const NEAR = 40;

/**
 * Shows the tips of a drawn picture by pointer and arrow keys; Enter or a click picks one. With `onRange` the tips are bins along x: a drag,
 * or Shift with the arrow keys, picks all between two of them. Returns a function that removes the listeners.
 */
export function showTips(
  place: HTMLElement,
  drawn: Drawn,
  tips: readonly Tip[],
  label: string,
  onRange?: (first: number, last: number) => void,
): () => void {
  const { svg } = drawn;
  const places = tips.map((tip) => drawn.place(tip));
  const order = [...tips.keys()].filter((k) => places[k]?.every(Number.isFinite));
  const bubble = document.createElement('div');
  bubble.className = 'tip';
  bubble.setAttribute('role', 'status');
  bubble.hidden = true;
  const mark = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
  mark.setAttribute('class', 'tipmark');
  mark.setAttribute('r', '9');
  place.append(bubble);
  let at = -1;
  /** Where a range begins; −1 if none is being picked. */
  let anchor = -1;
  let dragged = false;
  const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  box.setAttribute('class', 'brush');
  const hide = () => {
    at = -1;
    anchor = -1;
    bubble.hidden = true;
    mark.remove();
    box.remove();
  };
  const brush = () => {
    const xs = order.map((k) => places[k]![0]);
    const [first, last] = [Math.min(anchor, at), Math.max(anchor, at)];
    const step = (xs[xs.length - 1] - xs[0]) / Math.max(1, xs.length - 1);
    box.setAttribute('x', String(xs[first] - step / 2));
    box.setAttribute('width', String(xs[last] - xs[first] + step));
    box.setAttribute('height', String(svg.viewBox.baseVal.height));
    svg.append(box);
  };
  const pickRange = (end: number) => onRange?.(order[Math.min(anchor, end)], order[Math.max(anchor, end)]);
  const show = (k: number) => {
    at = k;
    const [x, y] = places[order[k]]!;
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    mark.setAttribute('cx', String(x));
    mark.setAttribute('cy', String(y));
    svg.append(mark);
    bubble.textContent = tips[order[k]].text;
    bubble.hidden = false;
    const most = place.clientWidth - bubble.offsetWidth;
    bubble.style.left = `${Math.max(0, Math.min(most, x * scale + 12))}px`;
    bubble.style.top = `${Math.max(0, y * scale - bubble.offsetHeight - 12)}px`;
  };
  const nearest = ({ clientX, clientY }: MouseEvent): number => {
    const { left, top, width } = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / width;
    const [px, py] = [(clientX - left) * scale, (clientY - top) * scale];
    const gaps = order.map((k) => Math.hypot(places[k]![0] - px, onRange ? 0 : places[k]![1] - py));
    const best = gaps.indexOf(Math.min(...gaps));
    return onRange || gaps[best] <= NEAR ? best : -1;
  };
  const pick = () => tips[order[at]]?.pick?.();
  const steps = (key: string): number | undefined =>
    ({ ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 })[
      key
    ];
  const events: Readonly<Record<string, (event: never) => void>> = {
    pointermove: (event: PointerEvent) => {
      const k = nearest(event);
      if (k < 0) hide();
      else if (k !== at) {
        show(k);
        if (anchor >= 0) brush();
      }
    },
    pointerdown: (event: PointerEvent) => {
      if (!onRange || event.button !== 0) return;
      place.setPointerCapture(event.pointerId); // so that the drag goes on outside of the picture
      anchor = nearest(event);
    },
    pointerup: (event: PointerEvent) => {
      const end = nearest(event);
      dragged = anchor >= 0 && end !== anchor;
      if (dragged) pickRange(end);
      anchor = -1;
      box.remove();
    },
    pointercancel: hide,
    pointerleave: hide,
    click: (event: MouseEvent) => {
      const k = nearest(event);
      if (k < 0 || dragged) return;
      show(k);
      pick();
    },
    blur: hide,
    keydown: (event: KeyboardEvent) => {
      const to = steps(event.key);
      if (event.key === 'Enter' && at >= 0) pick();
      else if (event.key === 'Escape' && at >= 0) hide();
      else if (to !== undefined) {
        const begin = event.shiftKey && onRange ? Math.max(0, anchor < 0 ? at : anchor) : -1;
        show(Math.max(0, Math.min(order.length - 1, to)));
        anchor = begin;
        if (anchor >= 0) pickRange(at);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  if (order.length === 0) return () => bubble.remove();
  place.tabIndex = 0;
  place.setAttribute('role', 'group');
  place.setAttribute('aria-label', label);
  for (const [name, listener] of Object.entries(events)) place.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of Object.entries(events)) place.removeEventListener(name, listener as EventListener);
    bubble.remove();
  };
}
