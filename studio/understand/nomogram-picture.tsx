import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { leftFor } from '../parts/margins.ts';
import { useWidth } from '../parts/width.ts';
import { texts } from '../texts/index.ts';
import type { NomogramResult } from '../worker/insight.ts';
import { Axis, stepFor } from './nomogram-axis.tsx';
import { TotalAxes } from './nomogram-total.tsx';

const ROW = 46;
const TOP = 58;

/** The content of the picture: the value of each tick of each axis, and the chosen ticks. */
interface PictureGiven {
  readonly title: string;
  readonly axes: NomogramResult['axes'];
  readonly values: readonly (readonly number[])[];
  readonly points: boolean;
  readonly chosen: readonly number[];
  readonly colour: string;
  /** The sum of all chosen values and the prior, in log-odds. */
  readonly total: number;
  /** What the probability axis shows. */
  readonly probability: string;
  readonly onPick: (axis: number, k: number) => void;
}

/** All axes below one ruler, with the total and the probability below them. The dot of the touched axis follows the pointer. */
export function NomogramPicture(given: PictureGiven): JSX.Element {
  const { title, axes, chosen, colour, onPick } = given;
  const place = useRef<SVGSVGElement>(null);
  const width = useWidth(place);
  const left = leftFor(150, width);
  const { values, low, high, ticks } = scaled(given);
  const at = (value: number) => left + 8 + ((value - low) / (high - low || 1)) * (width - left - 32);
  const drag = (event: PointerEvent) => {
    const touch = touched(event, place.current!, axes.length);
    if (!touch || touch.x < left - 8) return;
    const gaps = values[touch.axis].map((value) => Math.abs(at(value) - touch.x));
    onPick(touch.axis, gaps.indexOf(Math.min(...gaps)));
  };
  const end = TOP + ROW * axes.length - 14;
  const height = end + 2 * ROW + 16;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn; the dots inside are the controls
    <svg
      ref={place}
      class="plot"
      {...{ viewBox: `0 0 ${width} ${height}`, width, height }}
      role="group"
      aria-label={title}
      onPointerDown={drag}
      onPointerMove={drag}
    >
      <Ruler {...{ ticks, at, height: end }} title={texts.value.understand.scales[given.points ? 'points' : 'nats']} />
      {axes.map(({ feature, marks }, a) => (
        <Axis
          key={feature}
          name={feature}
          frame={{ left, top: TOP + a * ROW, at }}
          values={values[a]}
          titles={marks.map(({ value }) => value)}
          chosen={chosen[a]}
          colour={colour}
          onPick={(k) => onPick(a, k)}
        />
      ))}
      <TotalAxes {...given} {...{ left, width }} top={end + 30} />
    </svg>
  );
}

/** The position of a pressed pointer in the picture and its axis; undefined if there is none. */
function touched({ buttons, clientX, clientY }: PointerEvent, svg: SVGSVGElement, axes: number) {
  const { left, top } = svg.getBoundingClientRect();
  const axis = Math.round((clientY - top - TOP) / ROW);
  return buttons > 0 && axis >= 0 && axis < axes ? { x: clientX - left, axis } : undefined;
}

/** The scale of the axes: log-odds, or points with each axis from 0 and the longest up to 100. */
function scaled({ values, points }: PictureGiven) {
  const longest = Math.max(...values.map((own) => Math.max(...own) - Math.min(...own)), 1e-9);
  const shown = points ? values.map((own) => own.map((value) => ((value - Math.min(...own)) * 100) / longest)) : values;
  const [low, high] = points ? [0, 100] : [Math.min(...values.flat()), Math.max(...values.flat())];
  const step = stepFor(high - low);
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => (first + k) * step);
  return { values: shown, low, high, ticks };
}

function Ruler({
  ticks,
  at,
  height,
  title,
}: {
  ticks: readonly number[];
  at: (value: number) => number;
  height: number;
  title: string;
}): JSX.Element {
  const written = (tick: number) => Number(tick.toPrecision(6)).toString().replace('-', '−');
  return (
    <g>
      <text x={at(ticks[0] ?? 0)} y="11" font-size="11" fill="currentColor">
        {title}
      </text>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={at(tick)} x2={at(tick)} y1="32" y2={height} stroke="currentColor" stroke-opacity="0.1" />
          <text x={at(tick)} y="27" text-anchor="middle" font-size="11" fill="currentColor">
            {written(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}
