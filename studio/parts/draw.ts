import {
  areaY,
  barX,
  cell,
  contour,
  dot,
  line,
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

/** The marks that pictures are made of; naming them keeps the others out of the page. */
const marks = { areaY, barX, cell, contour, dot, line, rect, rectY, ruleX, ruleY, stackY, text, tickX };

/** Makes the options of a picture from Plot's marks, for the width it has. */
export type Drawing = (plot: typeof marks, width: number) => PlotOptions;

/**
 * Draws a picture as one image with one name. Plot puts a style element into it, which a strict Content-Security-Policy does
 * not allow: it is drawn in a document of its own, where nothing is applied, and its rules stand in the style sheet.
 */
export function draw(drawing: Drawing, label: string, width: number): SVGSVGElement {
  const elsewhere = document.implementation.createHTMLDocument('');
  const options = drawing(marks, width);
  const drawn = plot({
    width,
    height: Math.round(Math.max(220, Math.min(340, width * 0.6))),
    marginLeft: 48,
    marginTop: 26,
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
  return document.adoptNode(svg);
}

/** The picture as a file of its own: colours and font written into it. */
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { color, fontFamily } = getComputedStyle(svg.isConnected ? svg : document.body);
  const { backgroundColor } = getComputedStyle(document.body);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('color', color);
  copy.setAttribute('font-family', fontFamily);
  copy.setAttribute('font-size', '12');
  copy.setAttribute('fill', 'currentColor');
  const back = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', backgroundColor],
  ])
    back.setAttribute(name, value);
  copy.prepend(back);
  return new XMLSerializer().serializeToString(copy);
}

/** The picture as PNG with twice as many pixels. */
export async function asPng(svg: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([standalone(svg)], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const { width, height } = svg.viewBox.baseVal;
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
