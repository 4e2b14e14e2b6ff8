/** One text in the two languages of the pages. */
export type Say = (english: string, chinese: string) => string;

/** Colours that stay distinct for colour-blind readers and in greyscale. */
export const colours = ['#0b6bb3', '#e0701a', '#2f7d4f', '#8a4fa3'] as const;
const INK = '#24292f';
const PALE = '#d0d7de';
const WIDTH = 720;

const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const at = (value: number): string => String(Math.round(value * 10) / 10);

interface TextStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
  readonly size?: number;
  readonly bold?: boolean;
}

/** Text at a position. */
export function text(x: number, y: number, words: string, style: TextStyle = {}): string {
  const { anchor = 'start', fill = INK, size = 13, bold = false } = style;
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" font-size="${size}" fill="${fill}"${weight}>${escaped(words)}</text>`;
}

/** A straight line. */
export const line = (x1: number, y1: number, x2: number, y2: number, stroke = PALE, more = ''): string =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${stroke}" ${more}/>`;

/** A filled rectangle. */
export const box = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${fill}" ${more}/>`;

/** A dot. */
export const dot = (x: number, y: number, fill: string, radius = 4): string =>
  `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}" fill="${fill}" fill-opacity="0.75"/>`;

/** A line through points. */
export const curve = (points: readonly (readonly [number, number])[], stroke: string, more = ''): string =>
  `<polyline points="${points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ')}" fill="none" stroke="${stroke}" stroke-width="2" ${more}/>`;

/** A complete picture on a white background, so that it is readable on light and dark pages. */
export function picture(title: string, height: number, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif">`;
  return `${[head, `<title>${escaped(title)}</title>`, box(0, 0, WIDTH, height, '#ffffff', 'rx="8"'), ...parts, '</svg>'].join('\n')}\n`;
}

interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly label: string;
  readonly log?: boolean;
  readonly format?: (value: number) => string;
}

/** A pair of axes: the positions of values, and the lines and labels to draw. */
export function axes(across: Scale, up: Scale, height: number, [left, right]: readonly [number, number] = [64, 696]) {
  const [top, bottom] = [20, height - 48];
  const share = ({ from, to, log }: Scale, value: number) =>
    log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  const x = (value: number) => left + share(across, value) * (right - left);
  const y = (value: number) => bottom - share(up, value) * (bottom - top);
  const written = ({ format = String }: Scale, value: number) => format(value).replace('-', '−');
  const parts = [
    ...across.ticks.flatMap((tick) => [
      line(x(tick), top, x(tick), bottom, '#eef1f4'),
      text(x(tick), bottom + 18, written(across, tick), { anchor: 'middle', size: 12 }),
    ]),
    ...up.ticks.flatMap((tick) => [
      line(left, y(tick), right, y(tick), '#eef1f4'),
      text(left - 8, y(tick) + 4, written(up, tick), { anchor: 'end', size: 12 }),
    ]),
    line(left, bottom, right, bottom, INK),
    line(left, top, left, bottom, INK),
    text((left + right) / 2, height - 10, across.label, { anchor: 'middle' }),
    text(left + 8, top + 4, up.label, { size: 12 }),
  ];
  return { x, y, parts };
}

/** Names with their colours, one below the other. */
export const legend = (x: number, y: number, names: readonly string[]): string[] =>
  names.flatMap((name, k) => [dot(x, y + 20 * k - 4, colours[k], 5), text(x + 12, y + 20 * k, name)]);

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly bold?: boolean;
}

/** Bars to the right for positive values and to the left for negative ones, with their values. */
export function bars(
  rows: readonly Bar[],
  { middle, scale, top }: { middle: number; scale: number; top: number },
): string[] {
  const bottom = top + 28 * rows.length;
  const drawn = rows.flatMap(({ name, value, bold = false }, k) => {
    const [y, length] = [top + 28 * k, Math.abs(value) * scale];
    const end = value < 0 ? middle - length - 6 : middle + length + 6;
    return [
      box(value < 0 ? middle - length : middle, y, length, 20, colours[value < 0 ? 1 : 0]),
      text(middle - 190, y + 15, name, { anchor: 'end', bold }),
      text(end, y + 15, `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`, {
        anchor: value < 0 ? 'end' : 'start',
        bold,
      }),
    ];
  });
  return [...drawn, line(middle, top - 8, middle, bottom, INK)];
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** Left, right, bottom and top of the grid. */
  readonly place: readonly [number, number, number, number];
  /** Colour and opacity of a cell, counted from the lower left corner. */
  readonly cell: (column: number, row: number) => readonly [string, number];
}

/** A grid of coloured cells; neighbours of the same colour are merged into one rectangle. */
export function field({ columns, rows, place: [left, right, bottom, top], cell }: Grid): string[] {
  const [width, height] = [(right - left) / columns, (bottom - top) / rows];
  return Array.from({ length: rows }, (_, row) => {
    const parts: string[] = [];
    for (let from = 0, to = 0; from < columns; from = to) {
      const [fill, opacity] = cell(from, row);
      const same = () => cell(to, row)[0] === fill && cell(to, row)[1] === opacity;
      while (to < columns && same()) to++;
      const y = bottom - (row + 1) * height;
      const more = `fill-opacity="${opacity}"`;
      if (opacity > 0) parts.push(box(left + from * width, y, (to - from) * width, height, fill, more));
    }
    return parts;
  }).flat();
}
