import type { DataRow } from '../../auto/cells.ts';
import { flattenRow } from '../../data/flatten.ts';
import { refuse, show } from '../../errors.ts';

/** What a client asks about: a text, cells by name, or cells in the order of the columns. */
export type Instance = string | DataRow | readonly unknown[];

/** What a cell may hold: a string; a number; a date as a string; or a level, which is a string, a number, true or false. */
export type CellKind = 'text' | 'number' | 'date' | 'level';

/** A column that a model reads. */
export interface Column {
  readonly name: string;
  readonly kind: CellKind;
  /** Whether a cell may be null or absent. */
  readonly optional: boolean;
  /** Whether the model reads a string in this column as a number or a date. */
  readonly reads?: ((text: string) => boolean) | undefined;
}

/** Refuses an instance that does not have the form the model asks for. */
function refuseAt(pointer: string, sentence: string): never {
  return refuse('E_BAD_REQUEST', sentence, { pointer });
}

/** `a/b` as one step of a JSON pointer. RFC 6901 (2013), §3. */
export const pointerStep = (name: string): string => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');

/** Reads instances as they come out of JSON. Nothing is converted: a number where a text belongs is refused. */
export class InstanceReader {
  readonly columns: readonly Column[];
  private readonly kinds: ReadonlyMap<string, Column>;
  /** The column that a plain string stands for. */
  private readonly only: string | undefined;

  constructor(columns: readonly Column[]) {
    this.columns = columns;
    this.kinds = new Map(columns.map((column) => [column.name, column]));
    const texts = columns.filter(({ kind }) => kind === 'text');
    this.only = texts.length === 1 && columns.length === 1 ? texts[0].name : undefined;
  }

  /** An instance as a row with named cells; `i` is its place in the request. */
  row(instance: Instance, i: number, extra: boolean, within = 'instances'): DataRow {
    if (typeof instance === 'string') return { [this.onlyText(i, within)]: instance };
    if (Array.isArray(instance)) return this.named(instance, i, within);
    if (typeof instance !== 'object' || instance === null) {
      refuseAt(`/${within}/${i}`, `instance ${i} is ${show(instance)}; give a text, an object or an array`);
    }
    const row = flattenRow(instance as DataRow);
    this.check(row, i, extra, within);
    return row;
  }

  /** An instance as the one text of it. */
  text(instance: Instance, i: number, extra: boolean, within = 'instances'): string {
    if (typeof instance === 'string') return instance;
    const row = this.row(instance, i, extra, within);
    const name = this.onlyText(i, within);
    return (Object.hasOwn(row, name) ? row[name] : null) as string;
  }

  private onlyText(i: number, within: string): string {
    const names = this.columns.slice(0, 10).map(({ name }) => show(name));
    return (
      this.only ??
      refuseAt(
        `/${within}/${i}`,
        `instance ${i} is a plain text, but the model reads ${names.join(', ') || 'numbers'}; give an object`,
      )
    );
  }

  private named(cells: readonly unknown[], i: number, within: string): DataRow {
    const { columns } = this;
    if (cells.length !== columns.length) {
      refuse('E_FEATURE_COUNT', `instance ${i} has ${cells.length} cells, the model reads ${columns.length}`, {
        pointer: `/${within}/${i}`,
        row: i,
        expected: columns.length,
        actual: cells.length,
      });
    }
    const row: Record<string, unknown> = Object.create(null);
    columns.forEach((column, j) => {
      requireCell(column, cells[j], i, within, String(j));
      row[column.name] = cells[j];
    });
    return row;
  }

  private check(row: DataRow, i: number, extra: boolean, within: string): void {
    let known = 0;
    for (const name of Object.keys(row)) {
      const column = this.kinds.get(name);
      if (column) {
        known++;
        requireCell(column, row[name], i, within, name);
      } else if (!extra) this.refuseUnknown(name, i, within);
    }
    if (known === this.columns.length) return;
    for (const { name, optional } of this.columns) {
      if (optional || Object.hasOwn(row, name)) continue;
      refuse('E_FEATURE_MISSING', `instance ${i} has no ${show(name)}, which the model needs`, {
        pointer: `/${within}/${i}`,
        row: i,
        feature: name,
      });
    }
  }

  private refuseUnknown(name: string, i: number, within: string): never {
    const names = this.columns.slice(0, 10).map((column) => show(column.name));
    const more = this.columns.length > 10 ? ', …' : '';
    return refuseAt(
      `/${within}/${i}/${pointerStep(name)}`,
      `instance ${i} has ${show(name)}, which the model does not read; it reads ${names.join(', ')}${more}`,
    );
  }
}

function requireCell(
  { name, kind, optional, reads }: Column,
  cell: unknown,
  i: number,
  within: string,
  step: string,
): void {
  if (cell === null && optional) return;
  const type = typeof cell;
  if (type === 'number' && !Number.isFinite(cell)) {
    refuse('E_NOT_FINITE', `${show(name)} of instance ${i} is too large for a number`, {
      pointer: `/${within}/${i}/${pointerStep(step)}`,
      row: i,
      column: name,
    });
  }
  if (typeof cell === 'string' && reads?.(cell)) return;
  if (kind === 'text' ? type === 'string' : kind === 'number' ? type === 'number' : kind === 'level' && isLevel(type))
    return;
  refuseAt(
    `/${within}/${i}/${pointerStep(step)}`,
    `${show(name)} of instance ${i} is ${show(cell)}; the model takes ${expected[kind]}`,
  );
}

const isLevel = (type: string): boolean => type === 'string' || type === 'number' || type === 'boolean';
const expected: Readonly<Record<CellKind, string>> = {
  text: 'a string',
  number: 'a number',
  date: 'a date such as "2023-04-05"',
  level: 'a string, a number, true or false',
};
