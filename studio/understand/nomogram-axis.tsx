import type { JSX } from 'preact';
import { cutTo } from '../parts/margins.ts';

/** The layout of an axis, in pixels. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly at: (value: number) => number;
}

/** The content of an axis and its callbacks. */
interface AxisGiven {
  readonly name: string;
  readonly frame: Frame;
  readonly values: readonly number[];
  readonly titles: readonly string[];
  readonly chosen: number;
  readonly colour: string;
  readonly onPick: (k: number) => void;
}

/** One axis: a line with ticks, and a dot that moves by pointer and arrow keys. */
export function Axis(given: AxisGiven): JSX.Element {
  const { name, frame, values, titles } = given;
  const { left, top, at } = frame;
  const shown = labelled(values.map(at), titles);
  return (
    <g>
      <text x={left - 12} y={top + 4} text-anchor="end" fill="currentColor">
        {cutTo(name, left)}
      </text>
      <line
        {...{ x1: at(Math.min(...values)), x2: at(Math.max(...values)), y1: top, y2: top }}
        stroke="currentColor"
        stroke-opacity="0.6"
      />
      {values.map((value, k) => (
        <line
          key={k}
          x1={at(value)}
          x2={at(value)}
          y1={top - 4}
          y2={top + 4}
          stroke="currentColor"
          stroke-opacity="0.6"
        />
      ))}
      {shown.map((k) => (
        <text key={k} x={at(values[k])} y={top + 17} text-anchor="middle" font-size="11" fill="currentColor">
          {cutTo(titles[k], 90)}
        </text>
      ))}
      <Dot {...given} />
    </g>
  );
}

/** The dot of an axis; for screen readers it is a slider. */
function Dot({ name, frame, values, titles, chosen, colour, onPick }: AxisGiven): JSX.Element {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const rank = order.indexOf(chosen);
  const step = (by: number) => onPick(order[Math.max(0, Math.min(order.length - 1, rank + by))]);
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 },
    ...{ Home: -order.length, End: order.length },
  };
  return (
    <circle
      class="handle"
      {...{ cx: frame.at(values[chosen]), cy: frame.top, r: 7, fill: colour, stroke: '#fff', 'stroke-width': 1.5 }}
      role="slider"
      tabindex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={order.length - 1}
      aria-valuenow={rank}
      aria-valuetext={`${titles[chosen]}: ${values[chosen].toFixed(2)}`}
      onKeyDown={(event) => {
        if (!(event.key in steps)) return;
        event.preventDefault();
        step(steps[event.key]);
      }}
    />
  );
}

/** The ticks whose labels fit: the outermost first, then those that do not overlap them. */
export function labelled(places: readonly number[], titles: readonly string[]): number[] {
  const order = [...places.keys()].sort((a, b) => places[a] - places[b]);
  const wide = (k: number) => 4 + 3.2 * Math.min(12, titles[k].length);
  const kept: number[] = [];
  for (const k of [order[0], order.at(-1)!, ...order.slice(1, -1)]) {
    if (kept.every((other) => Math.abs(places[k] - places[other]) > wide(k) + wide(other))) kept.push(k);
  }
  return kept;
}

/** A round step that gives about six ticks. */
export function stepFor(range: number): number {
  const rough = Math.max(range, 1e-9) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10) * power;
}
