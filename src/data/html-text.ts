/** Elements whose content is not visible text. */
const SILENT = /^(script|style|head|title|template|noscript)$/;

/** Elements that begin a new line. */
const BLOCK = /^(p|div|br|tr|li|ul|ol|table|h[1-6]|blockquote|pre|hr|section|article|header|footer|dd|dt)$/;

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', hellip: '…' },
    ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', middot: '·', euro: '€' },
    ...{ pound: '£', yen: '¥', cent: '¢', laquo: '«', raquo: '»', times: '×', deg: '°', para: '¶', sect: '§' },
    ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', aacute: 'á', eacute: 'é' },
    ...{ iacute: 'í', oacute: 'ó', uacute: 'ú', agrave: 'à', egrave: 'è', ograve: 'ò', acirc: 'â', ecirc: 'ê' },
    ...{ icirc: 'î', ocirc: 'ô', ccedil: 'ç', ntilde: 'ñ', aring: 'å', aelig: 'æ', oslash: 'ø', shy: '' },
  }),
);

/** The visible text of an HTML page: without tags, entities resolved, blocks on separate lines. Linear in time. */
export function textOfHtml(html: string): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    text += resolveEntities(html.slice(at, open));
    const tag = tagAt(html, open);
    text += tag === undefined ? '<' : BLOCK.test(tag.name) ? '\n' : '';
    at = tag === undefined ? open + 1 : tag.end;
    if (tag !== undefined && !tag.closes && SILENT.test(tag.name)) at = endOf(html, tag.name, at);
  }
  return tidy(text + resolveEntities(html.slice(at)));
}

/** The tag or comment that begins at a `<`; undefined if the `<` is just a character. */
function tagAt(html: string, open: number): { name: string; closes: boolean; end: number } | undefined {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return { name: '', closes: true, end: end < 0 ? html.length : end + 3 };
  }
  const head = /^<(\/?)([a-z][a-z0-9]{0,30}|[!?])/i.exec(html.slice(open, open + 33));
  if (head === null) return undefined;
  const end = html.indexOf('>', open);
  return { name: head[2]!.toLowerCase(), closes: head[1] === '/', end: end < 0 ? html.length : end + 1 };
}

/** The end of the content of an invisible element, or of the page if it is never closed. */
function endOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

/** A text with its character references (`&amp;`, `&#65;`) replaced. */
export function resolveEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named.get(name) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const isScalar = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
    return isScalar ? String.fromCodePoint(code) : whole;
  });
}

/** Collapses blanks, drops blanks around line ends, keeps at most one empty line. */
function tidy(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replaceAll(/[ \t\u00a0]+/g, ' ').trim());
  return lines
    .filter((line, i) => line !== '' || (i > 0 && lines[i - 1] !== ''))
    .join('\n')
    .trim();
}
