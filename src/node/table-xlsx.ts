import { type BlockTable, RecordTable } from '../data/column-table.ts';
import { formatCsv } from '../data/csv-format.ts';
import { numberedNames, uniqueNames } from '../data/csv-header.ts';
import { BadRows, wholeOption } from '../data/faults.ts';
import { suggest } from '../data/suggest.ts';
import { emptyRecord } from '../data/table.ts';
import { refuse, show } from '../errors.ts';
import type { Slices } from './parquet-file.ts';
import { sniffHeader } from './table-header.ts';
import type { OpenTableOptions } from './table-options.ts';
import { requireColumns, type TableReader } from './table-reader.ts';
import { attribute, scanXml, type XmlScanner } from './xml.ts';
import { type ZipEntries, zipEntries } from './zip.ts';

/** Opens a sheet of an Excel workbook (ECMA-376, Part 1, section 18). Cells are numbers, strings or dates. */
export async function openXlsx(file: Slices, options: OpenTableOptions): Promise<TableReader> {
  try {
    return await openSheet(file, options);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openSheet(file: Slices, options: OpenTableOptions): Promise<TableReader> {
  const entries = await zipEntries(file, options);
  const workbook = (await targetsOf(entries, '')).find(({ type }) => type === 'officeDocument')?.path;
  if (workbook === undefined || !workbook.endsWith('.xml')) return refuseArchive(entries);
  const { sheets, is1904 } = await readWorkbook(entries, workbook);
  if (sheets.length === 0) refuseFormat('the workbook has no sheet of cells', {});
  const sheet = chooseSheet(sheets, options.sheet);
  const parts = await targetsOf(entries, workbook);
  const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.path;
  const strings = await readStrings(entries, partOf('sharedStrings'));
  const dates = await readDateStyles(entries, partOf('styles'));
  const bad = new BadRows(options);
  const rows = readRows(entries, sheet.path, { sheet: sheet.name, strings, dates, is1904, bad });
  const first = await firstRows(rows);
  const { names, renamed, header, body } = namesOf(first, options);
  const wanted = options.columns ?? names;
  requireColumns(wanted, names);
  const tables = tablesOf(file, body, rows, { sheet: sheet.name, names, wanted, bad, options });
  const letters = Object.fromEntries(names.map((name, j) => [name, lettersOf(j)]));
  const others = sheets.filter((own) => own !== sheet).map(({ name }) => name);
  const facts = { sheet: { name: sheet.name, others, letters }, header, ...(renamed.length > 0 && { renamed }) };
  return { columns: wanted, ...facts, tables, close: file.close };
}

/** Explains what a ZIP archive is that is not a workbook. */
function refuseArchive(entries: ZipEntries): never {
  const has = (pattern: RegExp) => [...entries.keys()].some((name) => pattern.test(name));
  if (has(/^xl\/workbook\.bin$/)) refuseFormat('it is a binary workbook (.xlsb); save it as .xlsx or CSV', {});
  if (has(/^content\.xml$/)) refuseFormat('it is an OpenDocument file; save the sheet as .xlsx or CSV', {});
  if (has(/^Index\/.*\.iwa$/)) refuseFormat('it is a Numbers file; export the sheet as .xlsx or CSV', {});
  return refuseFormat('it is a ZIP archive, not a table; unpack it', {});
}

/** The parts that a part refers to; those of the whole file for an empty path. */
async function targetsOf(entries: ZipEntries, path: string): Promise<{ id: string; type: string; path: string }[]> {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)];
  const found: { id: string; type: string; path: string }[] = [];
  const links = `${folder}_rels/${name}.rels`;
  if (!entries.has(links)) return found;
  await scanPart(entries, links, {
    open(tag, attributes) {
      const [id, type, target] = ['Id', 'Type', 'Target'].map((own) => attribute(attributes, own));
      if (tag !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      const whole = target.startsWith('/') ? target.slice(1) : new URL(target, `zip:///${folder}`).pathname.slice(1);
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path: whole });
    },
  });
  return found;
}

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

async function readWorkbook(entries: ZipEntries, path: string): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const targets = new Map((await targetsOf(entries, path)).map((own) => [own.id, own]));
  const sheets: Sheet[] = [];
  let is1904 = false;
  await scanPart(entries, path, {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '');
      const target = tag === 'sheet' ? targets.get(attribute(attributes, 'id') ?? '') : undefined;
      if (target?.type !== 'worksheet') return;
      const isHidden = (attribute(attributes, 'state') ?? 'visible') !== 'visible';
      sheets.push({ name: attribute(attributes, 'name') ?? '', isHidden, path: target.path });
    },
  });
  return { sheets, is1904 };
}

/** The named sheet; the first visible one if none is named. */
function chooseSheet(sheets: readonly Sheet[], wanted: string | undefined): Sheet {
  const [first] = [...sheets.filter(({ isHidden }) => !isHidden), ...sheets];
  const names = sheets.map(({ name }) => name);
  if (wanted === undefined) return first!;
  const found = sheets.find(({ name }) => name === wanted);
  if (found) return found;
  const near = suggest(wanted, names);
  const sentence = `the workbook has no sheet ${show(wanted)}; there are ${names.slice(0, 10).map(show).join(', ')}`;
  return refuse('E_FEATURE_MISSING', sentence, { sheet: wanted, sheets: names, ...(near !== undefined && { near }) });
}

/** More characters of strings than this do not fit into memory. */
const MOST_CHARACTERS = 2 ** 29;

/** The strings that cells refer to by number. */
async function readStrings(entries: ZipEntries, path: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (path === undefined) return strings;
  const text = new TextOfString();
  let characters = 0;
  await scanPart(entries, path, {
    open: (tag) => (tag === 'si' ? text.begin() : text.open(tag)),
    text: (own) => text.add(own),
    close(tag) {
      text.close(tag);
      if (tag !== 'si') return;
      characters += strings[strings.push(text.value) - 1]!.length;
      if (characters > MOST_CHARACTERS)
        refuse('E_LIMIT', `the workbook has more than ${MOST_CHARACTERS} characters`, { limit: MOST_CHARACTERS });
    },
  });
  return strings;
}

/** The text of a string of one or several runs, without its phonetic guide. */
class TextOfString {
  value = '';
  private isText = false;
  private isGuide = false;

  begin(): void {
    this.value = '';
  }

  open(tag: string): void {
    if (tag === 't') this.isText = true;
    else if (tag === 'rPh') this.isGuide = true;
  }

  add(text: string): void {
    // control characters are written as _x0007_
    if (this.isText && !this.isGuide)
      this.value += text.replace(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number(`0x${code}`)));
  }

  close(tag: string): void {
    if (tag === 't') this.isText = false;
    else if (tag === 'rPh') this.isGuide = false;
  }
}

/** The built-in formats of numbers that show a day: section 18.8.30, with those of East Asian languages. */
const isDay = (format: number): boolean =>
  (format >= 14 && format <= 17) || format === 22 || (format >= 27 && format <= 36) || (format >= 50 && format <= 58);

/** By the number of a style, whether its cells are dates: their format shows a day or a year. */
async function readDateStyles(entries: ZipEntries, path: string | undefined): Promise<boolean[]> {
  const days = new Set<number>();
  const dates: boolean[] = [];
  let isStyle = false;
  if (path === undefined) return dates;
  await scanPart(entries, path, {
    open(tag, attributes) {
      if (tag === 'numFmt') {
        const code = (attribute(attributes, 'formatCode') ?? '').replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
        if (/[yd]/i.test(code)) days.add(Number(attribute(attributes, 'numFmtId')));
      } else if (tag === 'cellXfs') isStyle = true;
      else if (tag === 'xf' && isStyle) {
        const format = Number(attribute(attributes, 'numFmtId') ?? 0);
        dates.push(isDay(format) || days.has(format));
      }
    },
    close(tag) {
      if (tag === 'cellXfs') isStyle = false;
    },
  });
  return dates;
}

type Cell = string | number | Date | null;

/** A row of a sheet that has cells. */
interface SheetRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}

interface CellFacts {
  readonly sheet: string;
  readonly strings: readonly string[];
  readonly dates: readonly boolean[];
  readonly is1904: boolean;
  readonly bad: BadRows;
}

/** Excel's limits on the columns and rows of a sheet. */
const [MOST_COLUMNS, MOST_ROWS] = [16_384, 1_048_576];

/** The rows of a sheet. Empty rows are skipped, and so are rows with a bad cell if that is allowed. */
async function* readRows(entries: ZipEntries, path: string, facts: CellFacts): AsyncGenerator<SheetRow> {
  const { bad, sheet } = facts;
  const text = new TextOfString();
  let [done, cells]: [SheetRow[], Cell[]] = [[], []];
  let fault: { readonly place: number; readonly what: string } | undefined;
  let [row, column, type, isDate, value, isValue] = [0, -1, '', false, '', false];
  const scanner = {
    open(tag: string, attributes: string) {
      if (tag === 'row') {
        row = Number(attribute(attributes, 'r') ?? row + 1);
        [cells, column, fault] = [[], -1, undefined];
        if (!(row >= 1 && row <= MOST_ROWS)) refuseFormat(`a row of ${show(sheet)} has the number ${row}`, {});
      } else if (tag === 'c') {
        const address = attribute(attributes, 'r');
        column = address === undefined ? column + 1 : columnOf(address);
        if (!(column >= 0 && column < MOST_COLUMNS))
          refuseFormat(`row ${row} of ${show(sheet)} has a cell ${show(address)}`, { line: row });
        [type, value] = [attribute(attributes, 't') ?? 'n', ''];
        isDate = facts.dates[Number(attribute(attributes, 's') ?? -1)] === true;
        text.begin();
      } else if (tag === 'v') isValue = true;
      else text.open(tag);
    },
    text(own: string) {
      if (isValue) value += own;
      else text.add(own);
    },
    close(tag: string) {
      text.close(tag);
      if (tag === 'v') isValue = false;
      else if (tag === 'c') {
        const cell = cellOf(type, type === 'inlineStr' ? text.value : value, isDate, facts);
        if (cell === undefined) fault ??= { place: column, what: `holds ${show(value)}, which is damaged` };
        if (cell !== null && cell !== undefined) cells[column] = cell;
      } else if (tag === 'row' && fault !== undefined) leaveOut(bad, row, fault.place, fault.what);
      else if (tag === 'row' && cells.length > 0) done.push({ number: row, cells });
    },
  };
  for await (const _ of scan(entries, path, scanner)) {
    yield* done;
    done = [];
  }
}

/** The content of a cell: null for an empty one and for an error such as #N/A, undefined for a damaged one. */
function cellOf(type: string, value: string, isDate: boolean, { strings, is1904 }: CellFacts): Cell | undefined {
  if (type === 'inlineStr' || type === 'str') return value === '' ? null : value;
  if (value === '' || type === 'e') return null;
  if (type === 's') return strings[Number(value)];
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'; // as Excel writes them to CSV
  const read = type === 'd' ? new Date(value) : Number(value);
  if (Number.isNaN(Number(read))) return undefined;
  return isDate && typeof read === 'number' ? dateOf(read, is1904) : read;
}

const DAY = 86_400_000;
/** Excel counts days from 1 January 1900, or 1904, and a 29 February 1900 that did not exist. */
const [DAYS_1900, DAYS_1904, LEAP] = [25_569, 24_107, 60];

function dateOf(days: number, is1904: boolean): Date | undefined {
  const since = is1904 ? days - DAYS_1904 : days - DAYS_1900 + (days < LEAP ? 1 : 0);
  const date = new Date(Math.round(since * DAY));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `AB7` → 27. */
function columnOf(address: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}(?=\d)/.exec(address)?.[0] ?? '') column = 26 * column + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** 27 → `AB`. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}

/** The header is detected from this many rows. */
const SEEN_ROWS = 200;

async function firstRows(rows: AsyncGenerator<SheetRow>): Promise<SheetRow[]> {
  const first: SheetRow[] = [];
  while (first.length < SEEN_ROWS) {
    const { done, value } = await rows.next();
    if (done) break;
    first.push(value);
  }
  return first;
}

/** The names of the columns: given, from the first row, or numbered. */
function namesOf(first: readonly SheetRow[], { header = 'sniff', duplicates = 'refuse' }: OpenTableOptions) {
  const width = Math.max(0, ...first.map(({ cells }) => cells.length));
  const words = first.map(({ cells }) => Array.from({ length: width }, (_, j) => wordOf(cells[j])));
  const isHeader = header === 'sniff' ? sniffHeader(Buffer.from(formatCsv(words)), true, ',') : header === true;
  const own = typeof header === 'object' ? header : isHeader ? (words[0] ?? []) : numberedNames(width);
  if (isHeader) requireNames(own, first[0]);
  const named = own.map((name, j) => name || lettersOf(j)); // a column without a name is called by its letter
  const names = uniqueNames(named, duplicates);
  return {
    names,
    renamed: names.filter((name, j) => name !== named[j]),
    header: isHeader,
    body: first.slice(isHeader ? 1 : 0),
  };
}

/** Refuses a title above the table in place of the names of its columns. */
function requireNames(names: readonly string[], row: SheetRow | undefined): void {
  const named = names.filter((name) => name !== '').length;
  if (row === undefined || 2 * named > names.length) return;
  const fault = `row ${row.number} names ${named} of ${names.length} columns; delete the rows above the names of the columns`;
  refuseFormat(fault, {});
}

const wordOf = (cell: Cell | undefined): string =>
  cell instanceof Date ? cell.toISOString().replace('T00:00:00.000Z', '') : String(cell ?? '');

interface Columns {
  readonly sheet: string;
  readonly names: readonly string[];
  readonly wanted: readonly string[];
  readonly bad: BadRows;
  readonly options: OpenTableOptions;
}

async function* tablesOf(
  file: Slices,
  first: readonly SheetRow[],
  rest: AsyncGenerator<SheetRow>,
  { names, wanted, bad, options }: Columns,
): AsyncGenerator<BlockTable, void, undefined> {
  const batchRows = wholeOption('batchRows', options.batchRows, 4096, 1);
  const places = wanted.map((name) => names.indexOf(name));
  let [rows, lines]: [Record<string, unknown>[], number[]] = [[], []];
  const all = async function* () {
    yield* first;
    yield* rest;
  };
  try {
    for await (const { number, cells } of all()) {
      if (options.signal?.aborted)
        refuse('E_CANCELLED', 'reading was aborted by the caller', {}, options.signal.reason);
      if (cells.length > names.length) {
        leaveOut(bad, number, cells.length - 1, 'is right of the last column of the table');
        continue;
      }
      const record = emptyRecord<unknown>();
      for (const [k, name] of wanted.entries()) record[name] = cells[places[k]!] ?? null;
      lines[rows.push(record) - 1] = number;
      if (rows.length < batchRows) continue;
      yield new RecordTable(rows, lines);
      [rows, lines] = [[], []];
    }
    if (rows.length > 0) yield new RecordTable(rows, lines);
  } finally {
    await rest.return(undefined);
    await file.close();
  }
}

/** Skips a row, or refuses it. */
function leaveOut(bad: BadRows, line: number, place: number, what: string): void {
  const cell = `${lettersOf(place)}${line}`;
  const details = { cell };
  const fault = {
    code: 'E_FORMAT',
    reason: `cell ${cell} ${what}`,
    line,
    column: place + 1,
    offset: 0,
    details,
  } as const;
  if (bad.admits) bad.leaveOut(fault, '');
  else bad.refuse(fault);
}

/** Scans a part of the workbook; yields after every piece of it. */
function scan(entries: ZipEntries, path: string, scanner: XmlScanner): AsyncGenerator<undefined> {
  const what = `its part ${show(path)}`;
  const read = entries.get(path) ?? refuseFormat(`${what} is missing`, {});
  return scanXml(read(), what, scanner);
}

async function scanPart(entries: ZipEntries, path: string, scanner: XmlScanner): Promise<void> {
  for await (const _ of scan(entries, path, scanner));
}

function refuseFormat(fault: string, details: Record<string, unknown>): never {
  refuse('E_FORMAT', fault, { fault, ...details });
}
