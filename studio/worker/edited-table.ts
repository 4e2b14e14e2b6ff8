import { cellOf, type DataRow, isBlank, refuse } from '../../src/workbench.ts';
import type { CellValue, Edit, Edited, RowChange } from '../protocol.ts';
import type { Reading } from './reading.ts';

/** The rows that were read, with all edits since. Edits are only appended, so every earlier state can be reproduced. */
export class EditedTable {
  private readonly first: Reading;
  private readonly log: Edit[] = [];
  /** The current data. */
  now: Reading;

  constructor(first: Reading, edits: readonly Edit[] = []) {
    this.first = first;
    this.log.push(...edits);
    this.now = this.after(edits.length);
  }

  /** The number of edits. */
  get edits(): number {
    return this.log.length;
  }

  /** The data after the first `edits` edits. */
  after(edits: number): Reading {
    const rows = [...this.first.rows];
    const lines = [...this.first.lines];
    for (const { place, cells } of this.log.slice(0, edits)) {
      if (cells === null) rows.pop();
      else rows[place] = { ...rows[place], ...cells };
    }
    while (lines.length < rows.length) lines.push((lines.at(-1) ?? 0) + 1);
    return {
      ...this.first,
      columns: columnsOf(this.first, this.log.slice(0, edits)),
      rows,
      lines: lines.slice(0, rows.length),
    };
  }

  /** Makes an edit. */
  edit({ place, cells }: Edit): Omit<Edited, 'follows'> {
    const before = this.now.rows[place] as DataRow | undefined;
    const isNext = place === this.now.rows.length - (cells === null ? 1 : 0);
    if (!before && !isNext) refuse('E_NOT_FOUND', `there is no row ${place + 1}`);
    const own: Edit = { place, cells: cells && this.typed(cells, before) };
    this.log.push(own);
    this.now = this.after(this.log.length);
    const after = this.now.rows[place] as DataRow | undefined;
    return { before, after, inverse: inverseOf(own, before), columns: this.now.columns, rows: this.now.rows.length };
  }

  /** The rows changed by the edits after the first `since`. */
  changes(since: number): (RowChange & { readonly place: number })[] {
    const places = [...new Set(this.log.slice(since).map(({ place }) => place))];
    if (places.length === 0) return [];
    const old = this.after(since);
    return places
      .map((place) => ({ place, before: old.rows[place], after: this.now.rows[place] }))
      .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
  }

  /** Converts typed text to the type of the column. */
  private typed(cells: NonNullable<Edit['cells']>, before: DataRow | undefined): NonNullable<Edit['cells']> {
    return Object.fromEntries(
      Object.entries(cells).map(([name, value]): [string, CellValue] => {
        if (typeof value !== 'string' || isBlank(value)) return [name, isBlank(value) ? null : value];
        const model =
          before && !isBlank(cellOf(before, name))
            ? before
            : this.first.rows.find((row) => !isBlank(cellOf(row, name)));
        const like = model && cellOf(model, name);
        const number = Number(value);
        if (typeof like === 'number' && Number.isFinite(number)) return [name, number];
        if (typeof like === 'boolean' && /^(true|false)$/i.test(value)) return [name, value.toLowerCase() === 'true'];
        return [name, value];
      }),
    );
  }
}

function inverseOf({ place, cells }: Edit, before: DataRow | undefined): Edit {
  if (!before) return { place, cells: null };
  const names = Object.keys(cells ?? before);
  return { place, cells: Object.fromEntries(names.map((name) => [name, (cellOf(before, name) ?? null) as CellValue])) };
}

function columnsOf({ columns }: Reading, edits: readonly Edit[]): string[] {
  const names = new Set(columns);
  for (const { cells } of edits) for (const name of Object.keys(cells ?? {})) names.add(name);
  return [...names];
}
