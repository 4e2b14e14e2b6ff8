/** A piece of HTML that is safe to insert; everything else is text. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML; control characters, which no browser shows, become visible. */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (letter) => entities[letter])
    .replaceAll(/(?![\t\n])\p{Cc}/gu, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);

type Piece = Html | string | number | undefined | false | readonly Piece[];

const render = (piece: Piece): string => {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  return typeof piece === 'object' ? piece.map(render).join('') : escapeText(String(piece));
};

/** HTML from a template: what is inserted is escaped unless it is HTML itself. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(strings.reduce((text, part, k) => text + render(pieces[k - 1]) + part));

/** Text of the user, kept in its own direction: Arabic and Hebrew do not turn the line around them. */
export const own = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A table; the first cell of each row names it, the others are numbers where they are given as such. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number | Html)[])[]): Html {
  const cell = (value: string | number | Html, k: number) =>
    k === 0
      ? html`<th scope="row">${value}</th>`
      : html`<td${typeof value === 'number' || /^[−\d]/.test(String(value)) ? new Html(' class="number"') : ''}>${value}</td>`;
  return html`<div class="wide"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`;
}
