import { type Html, html, table } from './html.ts';
import { draw, type Plot } from './plot.ts';
import { palette } from './style.ts';
import type { ReportTexts } from './texts.ts';

/** A chart with a title, a sentence on how to read it, and its data. */
export interface Chart {
  readonly title: string;
  readonly reading: string;
  readonly plot: Plot;
  readonly data: { readonly heads: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] };
  /** The legend, in the order of the colours. */
  readonly keys?: readonly string[];
}

const MOST_ROWS = 60; // rows of a data table, so that a report stays small

/** The colour of the k-th class, the same in every picture. */
export const colourOf = (k: number): string => palette[k % palette.length];

/** Renders a chart as a figure that needs no script. */
export function figure({ title, reading, plot, data, keys }: Chart, texts: ReportTexts): Html {
  const step = Math.ceil(data.rows.length / MOST_ROWS);
  const rows = step > 1 ? data.rows.filter((_, k) => k % step === 0) : data.rows;
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? tidy(cell) : cell)));
  return html`<figure><figcaption><b>${title}</b><span class="soft">${reading}</span></figcaption>
${keys && html`<ul class="keys">${keys.map((key, k) => html`<li><i style="background:${colourOf(k)}"></i>${key}</li>`)}</ul>`}
${draw(plot, `${title}. ${reading}`)}
<details><summary>${texts.showData}</summary>${table(data.heads, shown)}${step > 1 && html`<p class="soft">${texts.everyPoint(step)}</p>`}</details></figure>`;
}

const tidy = (value: number) => (Number.isInteger(value) ? value.toLocaleString('en-US') : value.toPrecision(4));
