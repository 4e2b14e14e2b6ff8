import type { JSX } from 'preact';
import { cutTo } from '../parts/margins.ts';
import { chance, texts } from '../texts/index.ts';
import { labelled, stepFor } from './nomogram-axis.tsx';

const ROW = 46;
/** Log-odds beyond this are drawn at the end of the axis, where p is 0.000045. */
const MOST = 10;
const SHARES = [0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999];

interface TotalGiven {
  readonly values: readonly (readonly number[])[];
  readonly points: boolean;
  readonly chosen: readonly number[];
  readonly total: number;
  readonly probability: string;
  readonly colour: string;
  readonly left: number;
  readonly width: number;
  readonly top: number;
}

/** The total in log-odds or points, with the probability below it. */
export function TotalAxes({
  values,
  points,
  chosen,
  total,
  probability,
  colour,
  left,
  width,
  top,
}: TotalGiven): JSX.Element {
  const { understand: say } = texts.value;
  const now = values.map((own, a) => own[chosen[a]]);
  const sum = (part: readonly number[]) => part.reduce((all, value) => all + value, 0);
  const least = sum(values.map((own) => Math.min(...own)));
  const low = Math.max(-MOST, Math.min(total - sum(now) + least, total, -2));
  const high = Math.min(MOST, Math.max(total - sum(now) + sum(values.map((own) => Math.max(...own))), total, 2));
  const at = (odds: number) =>
    left + 8 + ((Math.max(low, Math.min(high, odds)) - low) / (high - low)) * (width - left - 32);
  // points count from the least value of every axis, and the longest axis spans 100
  const longest = Math.max(...values.map((own) => Math.max(...own) - Math.min(...own)), 1e-9);
  const toPoints = (odds: number) => ((odds - (total - sum(now)) - least) * 100) / longest;
  const fromPoints = (shown: number) => (shown * longest) / 100 + total - sum(now) + least;
  const [first, last] = points ? [toPoints(low), toPoints(high)] : [low, high];
  const step = stepFor(last - first);
  const begin = Math.ceil(first / step);
  const ticks = Array.from({ length: Math.floor(last / step) - begin + 1 }, (_, k) => (begin + k) * step);
  const share = 1 / (1 + Math.exp(-total));
  const shown = points ? toPoints(total) : total;
  return (
    <>
      <Line
        {...{ left, top, at, low, high, colour }}
        name={points ? say.totalPoints : say.totalOdds}
        place={at(total)}
        value={shown.toFixed(points ? 0 : 2).replace('-', '−')}
        ticks={ticks.map((tick) => ({
          x: at(points ? fromPoints(tick) : tick),
          text: Number(tick.toPrecision(6)).toString().replace('-', '−'),
        }))}
      />
      <Line
        {...{ left, at, low, high, colour }}
        top={top + ROW}
        name={probability}
        place={at(total)}
        value={chance(share)}
        ticks={SHARES.map((p) => ({ odds: Math.log(p / (1 - p)), text: String(p) }))
          .filter(({ odds }) => odds >= low && odds <= high)
          .map(({ odds, text }) => ({ x: at(odds), text }))}
      />
    </>
  );
}

/** A read-only axis. */
function Line({
  name,
  left,
  top,
  at,
  low,
  high,
  ticks,
  place,
  value,
  colour,
}: {
  name: string;
  left: number;
  top: number;
  at: (odds: number) => number;
  low: number;
  high: number;
  ticks: readonly { readonly x: number; readonly text: string }[];
  place: number;
  value: string;
  colour: string;
}): JSX.Element {
  const kept = labelled(
    ticks.map(({ x }) => x),
    ticks.map(({ text }) => text),
  ).map((k) => ticks[k]);
  return (
    <g>
      <text x={left - 12} y={top + 4} text-anchor="end" font-weight="600" fill="currentColor">
        {cutTo(name, left)}
      </text>
      <line x1={at(low)} x2={at(high)} y1={top} y2={top} stroke="currentColor" stroke-width="1.5" />
      {ticks.map(({ x, text }) => (
        <line key={text} x1={x} x2={x} y1={top - 4} y2={top + 4} stroke="currentColor" stroke-opacity="0.6" />
      ))}
      {kept.map(({ x, text }) => (
        <text key={text} x={x} y={top + 17} text-anchor="middle" font-size="11" fill="currentColor">
          {text}
        </text>
      ))}
      <path d={`M ${place} ${top - 2} l -6 -10 h 12 z`} fill={colour} />
      <text x={place} y={top - 15} text-anchor="middle" font-size="12" font-weight="600" fill="currentColor">
        {value}
      </text>
    </g>
  );
}
