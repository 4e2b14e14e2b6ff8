import { refuse } from '../errors.ts';
import { ByteWindow } from './bytes.ts';
import { formatCsv } from './csv-format.ts';
import { LF } from './line-ends.ts';
import { decodeUtf8, findInvalidUtf8, notUtf8 } from './utf8.ts';

/** Whether a text begins like Weka's attribute-relation file format: with `@relation`, after optional comments. */
export const isArff = (text: string): boolean => /^(\s*(%[^\n]*)?\r?\n)*\s*@relation\b/i.test(text);

/** A column of an ARFF file, and the value that a sparse row omits in it. */
interface Attribute {
  readonly name: string;
  readonly usual: string;
}

/**
 * Converts an ARFF file to CSV with the same line numbers: the line `@data` becomes the column names, and other header
 * lines and comments become blank lines. `?` is a missing cell. Relational attributes and instance weights are not
 * supported.
 */
export async function* arffLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const state = new ArffLines();
  const window = new ByteWindow();
  const encoder = new TextEncoder();
  for await (const chunk of chunks) {
    window.push(chunk);
    const { bytes, start, end } = window;
    const whole = bytes.subarray(start, end).lastIndexOf(LF) + 1;
    if (whole === 0) continue;
    const lines = state.read(window.view(0, whole));
    window.start += whole;
    yield encoder.encode(lines);
  }
  const rest = state.read(window.view(0, window.size));
  state.end();
  if (rest !== '') yield encoder.encode(rest);
}

class ArffLines {
  private readonly attributes: Attribute[] = [];
  private inData = false;
  private line = 0;

  /** Converts whole lines to lines of CSV. */
  read(bytes: Uint8Array): string {
    if (bytes.length === 0) return '';
    const text = decodeUtf8(bytes);
    if (text === undefined) return this.refuse(notUtf8(bytes[findInvalidUtf8(bytes)]!), 'E_ENCODING');
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    return lines.map((line) => this.convert(line.trim())).join('');
  }

  end(): void {
    if (!this.inData) this.refuse('the ARFF file has no @data line');
  }

  private convert(line: string): string {
    this.line++;
    if (line === '' || line.startsWith('%')) return '\n';
    if (this.inData) return formatCsv([line.startsWith('{') ? this.sparse(line) : cellsOf(line)]);
    const [, word = '', rest = ''] = /^@(\w+)\s*(.*)$/.exec(line) ?? [];
    if (/^attribute$/i.test(word)) this.attributes.push(this.attribute(rest));
    else if (/^data$/i.test(word)) {
      this.inData = true;
      return formatCsv([this.attributes.map(({ name }) => name)]);
    } else if (!/^relation$/i.test(word))
      this.refuse('a line of an ARFF header begins with @relation, @attribute or @data');
    return '\n';
  }

  private attribute(text: string): Attribute {
    const { cell: name, end } = cellAt(text, 0, ' \t{');
    const type = text.slice(end).trim();
    if (name === '' || type === '') this.refuse('an attribute is written @attribute NAME TYPE');
    if (/^relational$/i.test(type)) this.refuse('a relational attribute cannot be read as a column');
    const [first] = type.startsWith('{') ? cellsOf(type.slice(1, type.lastIndexOf('}'))) : ['0'];
    return { name, usual: first };
  }

  /** A sparse row such as `{0 1.5, 3 yes}`: cells by column number; the others have the default value. */
  private sparse(line: string): string[] {
    const row = this.attributes.map(({ usual }) => usual);
    const inner = line.slice(1, line.lastIndexOf('}'));
    for (let at = 0; at < inner.length; ) {
      const index = cellAt(inner, at, ' \t,');
      const { cell, end, quoted } = cellAt(inner, index.end, ',');
      if (!/^\d+$/.test(index.cell)) this.refuse('a cell of a sparse row is written INDEX VALUE');
      if (Number(index.cell) >= row.length) this.refuse(`there is no attribute ${index.cell}`);
      row[Number(index.cell)] = cell === '?' && !quoted ? '' : cell;
      at = end + 1;
    }
    return row;
  }

  private refuse(fault: string, code: 'E_FORMAT' | 'E_ENCODING' = 'E_FORMAT'): never {
    const line = Math.max(1, this.line);
    refuse(code, `line ${line}, column 1: ${fault}`, { line, column: 1, fault });
  }
}

/** The cells between commas; an unquoted `?` is missing. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const { cell, end, quoted } = cellAt(line, at, ',');
    cells.push(cell === '?' && !quoted ? '' : cell);
    at = end + 1;
  }
  return cells;
}

/**
 * The cell at a position: quoted, with a backslash before characters that would end it, or up to a character that ends
 * it.
 */
function cellAt(line: string, from: number, ends: string): { cell: string; end: number; quoted: boolean } {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at++;
  const quote = line[at];
  const quoted = quote === "'" || quote === '"';
  const start = at;
  let cell = '';
  if (quoted) {
    for (at++; at < line.length && line[at] !== quote; at++) cell += line[at] === '\\' ? (line[++at] ?? '') : line[at];
    at++;
  }
  while (at < line.length && !ends.includes(line[at])) at++;
  return { cell: quoted ? cell : line.slice(start, at).trim(), end: at, quoted };
}
