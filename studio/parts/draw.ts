import {
  areaY,
  barX,
  cell,
  contour,
  dot,
  line,
  type Plot,
  type PlotOptions,
  plot,
  rect,
  rectY,
  ruleX,
  ruleY,
  stackY,
  text,
  tickX,
} from '@observablehq/plot';
import type { Tip } from './tips.ts';

/** The Plot marks in use; importing them by name keeps the others out of the bundle. */
const marks = { areaY, barX, cell, contour, dot, line, rect, rectY, ruleX, ruleY, stackY, text, tickX };

/** Makes the options of a picture from Plot's marks, for the width it has. */
export type Drawing = (plot: typeof marks, width: number) => PlotOptions;

const MARGIN_TOP = 26;

/**
 * Draws a picture as one image with one accessible name. Plot adds a style element, which a strict Content-Security-Policy blocks, so the
 * picture is drawn in a separate document and its rules are in the style sheet.
 */
export function draw(drawing: Drawing, label: string, width: number): Drawn {
  const elsewhere = document.implementation.createHTMLDocument('');
  const options = drawing(marks, width);
  const drawn = plot({
    width,
    height: Math.round(Math.max(220, Math.min(340, width * 0.6))),
    marginLeft: 48,
    marginTop: MARGIN_TOP,
    marginBottom: 42,
    marginRight: 16,
    ...options,
    x: { labelAnchor: 'center', labelArrow: 'none', ...options.x },
    y: { labelArrow: 'none', ...options.y },
    className: 'plot',
    document: elsewhere,
  } as PlotOptions);
  const svg = (drawn instanceof SVGSVGElement ? drawn : drawn.querySelector('svg')) as SVGSVGElement;
  for (const style of svg.querySelectorAll('style')) style.remove();
  for (const inner of svg.querySelectorAll('[aria-label]')) inner.removeAttribute('aria-label');
  for (const inner of svg.querySelectorAll('[aria-description]')) inner.removeAttribute('aria-description');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  const middle = (name: 'x' | 'y' | 'fy', value: number | string): number => {
    const scale = (drawn as Plot).scale(name);
    return scale ? Number(scale.apply(value)) + (scale.bandwidth ?? 0) / 2 : Number.NaN;
  };
  const facet = (fy: string) => Number((drawn as Plot).scale('fy')?.apply(fy)) - (options.marginTop ?? MARGIN_TOP);
  const place = ({ x, y, fy }: Pick<Tip, 'x' | 'y' | 'fy'>): [number, number] => [
    middle('x', x),
    middle('y', y) + (fy === undefined ? 0 : facet(fy)),
  ];
  return { svg: document.adoptNode(svg), place };
}

/** A drawn picture with the pixel positions of its values. */
export interface Drawn {
  readonly svg: SVGSVGElement;
  place(of: Pick<Tip, 'x' | 'y' | 'fy'>): [x: number, y: number];
}

/** The caption of a picture that is saved as a file. */
export interface Caption {
  readonly title: string;
  /** How many rows it shows. */
  readonly rows: string;
  readonly keys: readonly { readonly name: string; readonly colour: string }[];
}

const LINE = 20;

/** An element of a picture. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const found = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, String(value));
  if (text !== '') found.textContent = text;
  return found;
}

/** Title, number of rows and legend, line by line; the legend wraps. */
function captionOf({ title, rows, keys }: Caption, width: number): { lines: SVGElement[]; height: number } {
  const lines: SVGElement[] = [element('text', { x: 12, y: LINE, 'font-weight': 600, 'font-size': 14 }, title)];
  let y = LINE;
  if (rows !== '') lines.push(element('text', { x: 12, y: (y += LINE) }, rows));
  let x = Infinity;
  for (const { name, colour } of keys) {
    const wide = 30 + 7 * name.length;
    if (x + wide > width) [x, y] = [12, y + LINE];
    lines.push(element('rect', { x, y: y - 10, width: 12, height: 12, rx: 2, fill: colour }));
    lines.push(element('text', { x: x + 17, y }, name));
    x += wide;
  }
  return { lines, height: y + 10 };
}

/** The picture as a standalone SVG: title, number of rows and legend above it, colours and fonts inlined. */
export function standalone(svg: SVGSVGElement, caption: Caption): string {
  const inner = svg.cloneNode(true) as SVGSVGElement;
  for (const mark of inner.querySelectorAll('.tipmark, .brush')) mark.remove();
  const { width, height: own } = svg.viewBox.baseVal;
  const { lines, height } = captionOf(caption, width);
  const whole = { width, height: own + height };
  const copy = element('svg', { ...whole, viewBox: `0 0 ${whole.width} ${whole.height}` });
  inner.setAttribute('y', String(height));
  copy.append(...lines, inner);
  const { color, fontFamily } = getComputedStyle(svg.isConnected ? svg : document.body);
  const { backgroundColor } = getComputedStyle(document.body);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('color', color);
  copy.setAttribute('font-family', fontFamily);
  copy.setAttribute('font-size', '12');
  copy.setAttribute('fill', 'currentColor');
  copy.prepend(element('rect', { width: '100%', height: '100%', fill: backgroundColor }));
  return new XMLSerializer().serializeToString(copy);
}

/** The picture as PNG with twice as many pixels. */
export async function asPng(svg: SVGSVGElement, caption: Caption): Promise<Blob> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([standalone(svg, caption)], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const { width, height } = image;
    const canvas = document.createElement('canvas');
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
