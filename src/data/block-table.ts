import { refuse } from '../errors.ts';
import { type BlockKernels, type Cells, NUMBER, PLACE, ROW } from './block-kernels.ts';
import type { Block } from './blocks.ts';
import { cellOf, type DataRow } from './cells.ts';
import {
  type BlockTable,
  type ColumnNumbers,
  type Document,
  hashCell,
  type PackedNumbers,
  type TableColumn,
  textOfCell,
} from './column-table.ts';
import { CR, LF } from './line-ends.ts';
import { CodedColumn, NumberColumn } from './packed-columns.ts';
import { pickCells } from './row-parsers.ts';
import { emptyRecord } from './table.ts';
import { TableRows } from './table-rows.ts';

const SPAN = 8; // bytes of a cell
const JSON_CELL = 12; // bytes of a cell of JSON: its span and its key

/** The content of a kernel table. */
export interface TableParts {
  readonly source: BlockKernels;
  /** The number of cells of every row; 0 for JSON, whose cells have keys. */
  readonly width: number;
  /** The names of the columns; for JSON, the expected keys. */
  readonly names: readonly string[];
  /** The indices of the columns in a row; for JSON, of the requested ones, or undefined for all. */
  readonly places: ReadonlyMap<string, number> | undefined;
  readonly block: Block;
  /** The rows that the strict reader has parsed. */
  readonly parsed: ReadonlyMap<number, DataRow>;
}

/** The rows of a block whose cells are in the kernels' memory. Values are created on request. */
export class KernelTable implements BlockTable {
  readonly length: number;
  private readonly parts: TableParts;
  private readonly version: number;
  private readonly known = new Map<string, KernelColumn>();
  private readonly knownNumbers = new Map<string, readonly PackedNumbers[]>();
  private lines: Float64Array | undefined;
  private allNames: readonly string[] | undefined;

  constructor(parts: TableParts) {
    this.parts = parts;
    this.version = parts.source.version;
    this.length = parts.source.kernels.rowCount();
  }

  get names(): readonly string[] {
    const { names, places } = this.parts;
    return places === undefined ? (this.allNames ??= this.findNames()) : names;
  }

  column(name: string): KernelColumn {
    const { source, parsed } = this.requireValid();
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const column = new KernelColumn(source, this.findCells(name), this.length, name, parsed);
    this.known.set(name, column);
    return column;
  }

  numbers(names: readonly string[]): readonly PackedNumbers[] {
    this.requireValid();
    const key = JSON.stringify(names);
    const known = this.knownNumbers.get(key) ?? this.readNumbers(names);
    this.knownNumbers.set(key, known);
    return known;
  }

  private readNumbers(names: readonly string[]): readonly PackedNumbers[] {
    const { source, width, places, parsed } = this.parts;
    const offsets = names.map((name) => SPAN * (places?.get(name) ?? -1));
    if (width === 0 || parsed.size > 0 || offsets.some((offset) => offset < 0)) {
      return names.map((name) => {
        const { values, odd } = this.column(name).numbers();
        return { values: NumberColumn.from(values), odd };
      });
    }
    const at = source.kernels.blockCells();
    const { values: x, odd, largest } = source.matrixOf(at, SPAN * width, this.length, offsets);
    const matrix = { x, stride: names.length, largest };
    const rows: number[][] = names.map(() => []);
    for (const k of odd) rows[k % names.length].push(Math.floor(k / names.length));
    return rows.map((own, j) => ({ values: new NumberColumn(matrix, j), odd: own }));
  }

  take(rows: ArrayLike<number>): BlockTable {
    return new TableRows(this, rows);
  }

  record(row: number): DataRow {
    const { source, names, places, parsed } = this.requireValid();
    const record = emptyRecord<unknown>();
    if (places !== undefined) {
      for (const name of names) {
        const cell = this.column(name).cell(row);
        if (cell !== undefined) record[name] = cell;
      }
      return record;
    }
    const own = parsed.get(row);
    if (own !== undefined) return pickCells(own, undefined);
    const keys = source.keyNames();
    const { cells, firsts, words } = this.jsonCells();
    for (let k = firsts(row); k < firsts(row + 1); k++) record[keys[words[3 * k + 2]]] = source.valueOf(cells, k);
    return record;
  }

  records(): readonly DataRow[] {
    const { source, names, places, parsed } = this.requireValid();
    const { length } = this;
    const records: Record<string, unknown>[] = Array.from({ length }, emptyRecord<unknown>);
    if (places !== undefined) {
      for (const name of names) {
        const cells = this.column(name).cells();
        for (let i = 0; i < length; i++) if (cells[i] !== undefined) records[i][name] = cells[i];
      }
      return records;
    }
    const values = source.valuesOf(this.jsonCells().cells);
    const keys = source.keyNames();
    const { firsts, words } = this.jsonCells();
    for (let i = 0; i < length; i++) {
      const end = firsts(i + 1);
      for (let k = firsts(i); k < end; k++) records[i][keys[words[3 * k + 2]]] = values[k];
    }
    for (const [row, own] of parsed) records[row] = pickCells(own, undefined);
    return records;
  }

  line(row: number): number {
    this.lines ??= this.findLines();
    return this.lines[row];
  }

  hash(columns: readonly string[], seed: number): Uint32Array {
    this.requireValid();
    const hashes = new Uint32Array(this.length).fill(seed);
    for (const name of columns) this.column(name).hash(hashes);
    return hashes;
  }

  private requireValid(): TableParts {
    if (this.version === this.parts.source.version) return this.parts;
    return refuse('E_CONFLICT', 'a table of a block is to be used before the next block is read');
  }

  /** The cells of a column; undefined if the kernels have none. */
  private findCells(name: string): Cells | undefined {
    const { source, width, places } = this.parts;
    const { kernels } = source;
    const count = this.length;
    const place = places?.get(name);
    if (places !== undefined && place === undefined) return undefined;
    if (width > 0) return { at: kernels.blockCells() + SPAN * (place as number), step: SPAN * width, count };
    const key = source.keyOf(name);
    if (key < 0) return undefined;
    const at = source.take(SPAN * count);
    kernels.pickCells(key, at);
    return { at, step: SPAN, count };
  }

  /**
   * All cells of JSON: their spans, the index of the first cell of each row, and three numbers per cell; the last is
   * the key.
   */
  private jsonCells(): { cells: Cells; firsts: (row: number) => number; words: Uint32Array } {
    const { source } = this.parts;
    const { kernels } = source;
    const [at, count, { length }] = [kernels.blockCells(), kernels.jsonCells(), this];
    const rows = source.words(kernels.blockRows(), ROW * length);
    const firsts = (row: number) => (row < length ? rows[ROW * row + 2] : count);
    return { cells: { at, step: JSON_CELL, count }, firsts, words: source.words(at, 3 * count) };
  }

  rowBytes(rows: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    const { source, block } = this.requireValid();
    const { length } = block.bytes;
    const found = source.words(source.kernels.blockRows(), ROW * this.length);
    const end = (row: number) => (row + 1 < this.length ? found[ROW * (row + 1)] : length);
    const isOpen = rows[rows.length - 1] === this.length - 1 && !isLineEnd(block.bytes[length - 1]);
    let size = Number(isOpen);
    for (let k = 0; k < rows.length; k++) size += end(rows[k]) - found[ROW * rows[k]];
    const bytes = new Uint8Array(size);
    let to = 0;
    for (let k = 0; k < rows.length; k++) {
      const own = block.bytes.subarray(found[ROW * rows[k]], end(rows[k]));
      bytes.set(own, to);
      to += own.length;
    }
    if (isOpen) bytes[to] = LF;
    return bytes;
  }

  private findLines(): Float64Array {
    const { source, width, block } = this.requireValid();
    const { kernels } = source;
    if (block.lines) return block.lines;
    if (width > 0) kernels.findLines();
    const rows = source.words(kernels.blockRows(), ROW * this.length);
    return Float64Array.from({ length: this.length }, (_, i) => block.line + rows[ROW * i + 1]);
  }

  /** The expected columns, and other keys of this block in order of their first row. */
  private findNames(): readonly string[] {
    const { source, parsed } = this.requireValid();
    const names = new Set(this.parts.names);
    const keys = source.keyNames();
    const first = source.withRegion(4 * keys.length, (at) => {
      source.kernels.findKeys(at);
      return source.words(at, keys.length).slice();
    });
    const found: { name: string; cell: number }[] = [];
    for (const [id, name] of keys.entries()) {
      if (first[id] > 0 && !names.has(name)) found.push({ name, cell: first[id] - 1 });
    }
    const { firsts } = this.jsonCells();
    for (const [row, record] of parsed) {
      const cell = firsts(row) - 0.5; // no cells, and before the next row
      for (const name of Object.keys(record)) if (!names.has(name)) found.push({ name, cell });
    }
    for (const { name } of found.sort((a, b) => a.cell - b.cell)) names.add(name);
    return [...names];
  }
}

const isLineEnd = (byte: number): boolean => byte === LF || byte === CR;

class KernelColumn implements TableColumn {
  private readonly source: BlockKernels;
  private readonly own: Cells | undefined;
  private readonly length: number;
  private readonly name: string;
  private readonly parsed: ReadonlyMap<number, DataRow>;
  private foundNumbers: ColumnNumbers | undefined;
  private foundCells: readonly unknown[] | undefined;
  private foundCodes: CodedColumn | undefined;
  private foundDocuments: readonly Document[] | undefined;

  /** For a column without kernel cells, only the rows in `parsed` may have one. */
  constructor(
    source: BlockKernels,
    own: Cells | undefined,
    length: number,
    name: string,
    parsed: ReadonlyMap<number, DataRow>,
  ) {
    this.source = source;
    this.own = own;
    this.length = length;
    this.name = name;
    this.parsed = parsed;
  }

  cell(row: number): unknown {
    const record = this.parsed.get(row);
    if (record !== undefined) return cellOf(record, this.name);
    return this.own && this.source.valueOf(this.own, row);
  }

  cells(): readonly unknown[] {
    this.foundCells ??= this.makeCells();
    return this.foundCells;
  }

  codes(): CodedColumn {
    const { own, source, parsed } = this;
    if (parsed.size > 0 || !own) return CodedColumn.from(this.cells());
    this.foundCodes ??= source.codesOf(own);
    return this.foundCodes;
  }

  numbers(): ColumnNumbers {
    this.foundNumbers ??= this.makeNumbers();
    return this.foundNumbers;
  }

  documents(): readonly Document[] {
    this.foundDocuments ??= this.makeDocuments();
    return this.foundDocuments;
  }

  private makeCells(): unknown[] {
    const cells = this.own ? this.source.valuesOf(this.own) : new Array<unknown>(this.length).fill(undefined);
    for (const [row, record] of this.parsed) cells[row] = cellOf(record, this.name);
    return cells;
  }

  private makeNumbers(): ColumnNumbers {
    const { own, source, length, parsed } = this;
    const { values, odd } = own
      ? source.numbersOf(own)
      : { values: new Float64Array(length).fill(Number.NaN), odd: [] };
    const rest: number[] = [];
    const add = (row: number, cell: unknown) => {
      values[row] = typeof cell === 'number' && Number.isFinite(cell) ? cell : Number.NaN;
      if (cell !== null && cell !== undefined && Number.isNaN(values[row])) rest.push(row);
    };
    // The kernels leave long numbers of JSON to the host.
    const kinds = own && odd.length > 0 ? source.kindsOf(own) : undefined;
    for (let k = 0; k < odd.length; k++) {
      if (kinds?.(odd[k]) === NUMBER) add(odd[k], this.cell(odd[k]));
      else rest.push(odd[k]);
    }
    if (parsed.size === 0) return { values, odd: rest };
    for (const [row, record] of parsed) add(row, cellOf(record, this.name));
    return { values, odd: rest.sort((a, b) => a - b) };
  }

  private makeDocuments(): Document[] {
    const { own, source, length } = this;
    const documents = new Array<Document>(length).fill('');
    if (own) {
      const bytes = source.copied();
      const spans = source.trimmed(own);
      for (let i = 0; i < length; i++) {
        const start = spans[2 * i];
        documents[i] = start > PLACE ? textOfCell(this.cell(i)) : bytes.subarray(start, spans[2 * i + 1]);
      }
    }
    for (const [row, record] of this.parsed) documents[row] = textOfCell(cellOf(record, this.name));
    return documents;
  }

  /** Updates the hashes of all rows with the cells of this column. */
  hash(hashes: Uint32Array): void {
    const { own, source, length, parsed } = this;
    const before = parsed.size > 0 ? hashes.slice() : hashes;
    if (own) for (const i of source.hash(own, hashes)) hashes[i] = hashCell(this.cell(i), hashes[i]);
    else for (let i = 0; i < length; i++) hashes[i] = hashCell(undefined, hashes[i]);
    for (const [row, record] of parsed) hashes[row] = hashCell(cellOf(record, this.name), before[row]);
  }
}
