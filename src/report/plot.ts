import { type Html, html } from './html.ts';

type Range = readonly [from: number, to: number];

/** A tick of an axis and its text. */
interface Tick {
  readonly at: number;
  readonly text: string;
}

/** One axis of a plot. */
export interface Axis {
  /** The values at the left or lower end and at the other end. */
  readonly domain: Range;
  readonly label: string;
  /** Default: about five round numbers. */
  readonly ticks?: readonly Tick[];
  /** Whether a line is drawn at every tick. Default: false. */
  readonly grid?: boolean;
  /** Whether the texts of the ticks are turned by 45°. Default: false. */
  readonly isTurned?: boolean;
}

/** The positions of values in the drawing area, in pixels. */
export interface Frame {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** What is drawn between the axes. */
export type Mark = (frame: Frame) => Html;

/** A picture with two axes. */
export interface Plot {
  /** Default: 460. */
  readonly width?: number;
  /** Default: 320. */
  readonly height?: number;
  /** The space left of the drawing area. Default: 52. */
  readonly left?: number;
  /** The space right of it. Default: 20. */
  readonly right?: number;
  /** The space below it. Default: 46. */
  readonly bottom?: number;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: readonly Mark[];
}

/** A point in the units of the axes. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const TOP = 24; // space above the drawing area
const at = (pixels: number): number => Math.round(pixels * 100) / 100;
const list = (points: readonly Point[], { x, y }: Frame) => points.map((p) => `${at(x(p.x))},${at(y(p.y))}`).join(' ');

/** A line through points. */
export const line =
  (points: readonly Point[], stroke: string): Mark =>
  (frame) =>
    html`<polyline points="${list(points, frame)}" fill="none" stroke="${stroke}" stroke-width="2"/>`;

/** A faint dashed line. */
export const guide =
  (points: readonly Point[]): Mark =>
  (frame) =>
    html`<polyline points="${list(points, frame)}" fill="none" stroke="currentColor" stroke-opacity="0.4" stroke-dasharray="4 4"/>`;

/** The area between the points, in the order in which they are connected. */
export const area =
  (points: readonly Point[], fill: string): Mark =>
  (frame) =>
    html`<polygon points="${list(points, frame)}" fill="${fill}" fill-opacity="0.18"/>`;

/** Dots at points. */
export const dots =
  (points: readonly Point[], fill: string): Mark =>
  ({ x, y }) =>
    html`${points.map((p) => html`<circle cx="${at(x(p.x))}" cy="${at(y(p.y))}" r="4" fill="${fill}"/>`)}`;

/** Vertical lines, each from `low` to y. */
export const stems =
  (points: readonly Point[], low: number, stroke: string, opacity = 1): Mark =>
  ({ x, y }) =>
    html`<path d="${points.map((p) => `M${at(x(p.x))},${at(y(low))}V${at(y(p.y))}`).join('')}" stroke="${stroke}" stroke-width="1.2" stroke-opacity="${opacity}"/>`;

/** A rectangle. */
export const box =
  (across: Range, up: Range, fill: string, opacity = 1): Mark =>
  ({ x, y }) => {
    const [[left, right], [low, high]] = [across.map(x), up.map(y)];
    const [from, width, height] = [Math.min(left, right), Math.abs(right - left), Math.abs(high - low)];
    return html`<rect x="${at(from) + 0.5}" y="${at(Math.min(low, high)) + 0.5}" width="${at(Math.max(0, width - 1))}" height="${at(height > 0 ? Math.max(1, height - 1) : 0)}" fill="${fill}" fill-opacity="${at(opacity)}"/>`;
  };

/** Text in the middle of a point, or beginning there. */
export const label =
  (point: Point, text: string, anchor: 'middle' | 'start' = 'middle'): Mark =>
  ({ x, y }) =>
    html`<text x="${at(x(point.x))}" y="${at(y(point.y))}" dy="0.35em" text-anchor="${anchor}">${text}</text>`;

/** About `count` round numbers in a range: multiples of 1, 2 or 5 times a power of ten. */
export function roundTicks([low, high]: Range, count = 5): Tick[] {
  const least = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9))!;
  const isPlain = step >= 1e-6 && Math.max(Math.abs(low), Math.abs(high)) < 1e7;
  const digits = isPlain ? Math.max(0, -Math.floor(Math.log10(step))) : 0;
  const shown = (value: number) =>
    isPlain
      ? value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
      : value.toExponential(2);
  const first = Math.ceil(low / step - 1e-9);
  const length = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length }, (_, k) => (first + k) * step).map((value) => ({
    at: value,
    text: shown(value).replace('-', '−'),
  }));
}

/** Draws a plot as one image with an accessible name. */
export function draw(plot: Plot, name: string): Html {
  const { width = 460, height = 320, left = 52, right = 20, bottom = 46, x: across, y: up, marks } = plot;
  const [end, base] = [width - right, height - bottom];
  const frame: Frame = { x: scale(across.domain, left, end), y: scale(up.domain, base, TOP) };
  const ticksOf = ({ ticks, domain }: Axis) => ticks ?? roundTicks(domain);
  const turned = (x: number) => html` text-anchor="end" transform="rotate(-45 ${x} ${base + 14})"`;
  const below = ticksOf(across).map(({ at: value, text }) => {
    const x = at(frame.x(value));
    return html`${across.grid && html`<path d="M${x},${base}V${TOP}" stroke="currentColor" stroke-opacity="0.1"/>`}<text x="${x}" y="${base + 18}"${across.isTurned ? turned(x) : html` text-anchor="middle"`}>${text}</text>`;
  });
  const beside = ticksOf(up).map(({ at: value, text }) => {
    const y = at(frame.y(value));
    return html`${up.grid && html`<path d="M${left},${y}H${end}" stroke="currentColor" stroke-opacity="0.1"/>`}<text x="${left - 8}" y="${y}" dy="0.35em" text-anchor="end">${text}</text>`;
  });
  return html`<svg role="img" aria-label="${name}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="currentColor" font-size="12" font-family="inherit">
${below}${beside}${marks.map((mark) => mark(frame))}
<text x="${end}" y="${height - 6}" text-anchor="end">${across.label} →</text><text x="4" y="12">${up.label && `↑ ${up.label}`}</text></svg>`;
}

/** The linear map of a range onto pixels. */
const scale =
  ([from, to]: Range, first: number, last: number) =>
  (value: number): number =>
    first + ((value - from) / (to - from || 1)) * (last - first);
