import type { JSX } from 'preact';

/** What an axis shows, and what it tells. */
interface AxisGiven {
  readonly name: string;
  readonly values: readonly number[];
  readonly range: readonly [low: number, high: number];
  readonly titles: readonly string[];
  readonly chosen: number;
  readonly colour: string;
  readonly onPick: (k: number) => void;
}

/** One axis: a native slider over its marks, in the order of what they add, and a line that shows where they lie. */
export function Axis(given: AxisGiven): JSX.Element {
  const { name, values, titles, chosen, onPick } = given;
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const shown = `${titles[chosen]} (${values[chosen].toFixed(2)})`;
  return (
    <div class="axis">
      <label>
        <span>
          <bdi>{name}</bdi> <output>{shown}</output>
        </span>
        <input
          type="range"
          min={0}
          max={values.length - 1}
          value={order.indexOf(chosen)}
          aria-valuetext={shown}
          onInput={(event) => onPick(order[Number(event.currentTarget.value)])}
        />
      </label>
      <Track {...given} />
    </div>
  );
}

/** The line with its marks; the one that is chosen can be dragged. */
function Track({ values, range: [low, high], chosen, colour, onPick }: AxisGiven): JSX.Element {
  const at = (value: number) => 1 + (98 * (value - low)) / (high - low || 1);
  const nearest = (track: SVGSVGElement, clientX: number) => {
    const { left, width } = track.getBoundingClientRect();
    const x = low + (((clientX - left) / width) * 100 - 1) * ((high - low) / 98);
    const gaps = values.map((value) => Math.abs(value - x));
    onPick(gaps.indexOf(Math.min(...gaps)));
  };
  return (
    <svg
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        nearest(event.currentTarget, event.clientX);
      }}
      onPointerMove={(event) => event.buttons > 0 && nearest(event.currentTarget, event.clientX)}
    >
      <line x1={at(Math.min(...values))} x2={at(Math.max(...values))} y1="3" y2="3" class="track" />
      {values.map((value, k) => (
        <line key={k} x1={at(value)} x2={at(value)} y1="1.5" y2="4.5" class="track" />
      ))}
      <rect x={at(values[chosen]) - 0.6} y="0.4" width="1.2" height="5.2" rx="0.6" fill={colour} />
    </svg>
  );
}
