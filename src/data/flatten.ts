import type { DataRow } from './cells.ts';
import { emptyRecord } from './table.ts';

/** Objects are flattened down to this depth; deeper ones stay one cell. */
const DEEPEST = 16;

/** Whether a value is a plain object, unlike a date or a list. */
function isPlainObject(value: unknown): value is DataRow {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Whether a cell is a nested record; an empty one stays a cell. */
const isNested = (cell: unknown): cell is DataRow => isPlainObject(cell) && Object.keys(cell).length > 0;

/** Whether a row has a nested record. */
export function hasNested(row: DataRow): boolean {
  for (const name in row) if (isNested(row[name]) && Object.hasOwn(row, name)) return true;
  return false;
}

/** Flattens nested records: `{ user: { age: 3 } }` becomes `{ 'user.age': 3 }`. Other rows are returned unchanged. */
export function flattenRow(row: DataRow): DataRow {
  if (!hasNested(row)) return row;
  const flat = emptyRecord<unknown>();
  const add = (cells: DataRow, prefix: string, depth: number): void => {
    for (const [name, cell] of Object.entries(cells)) {
      const path = prefix + name;
      if (isNested(cell) && depth < DEEPEST) add(cell, `${path}.`, depth + 1);
      else if (depth === 0 || !Object.hasOwn(row, path)) flat[path] = cell; // a cell with exactly that name has precedence
    }
  };
  add(row, '', 0);
  return flat;
}

/** The cell of a row under a name, which may be a path as in `flattenRow`. */
export function nestedCell(row: DataRow, name: string): unknown {
  if (Object.hasOwn(row, name)) return row[name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const outer = Object.hasOwn(row, name.slice(0, dot)) ? row[name.slice(0, dot)] : undefined;
    const cell = isNested(outer) ? nestedCell(outer, name.slice(dot + 1)) : undefined;
    if (cell !== undefined) return cell;
  }
  return undefined;
}

/** All rows flattened; the same array if nothing is nested. */
export function flattenRows(rows: readonly DataRow[]): readonly DataRow[] {
  const nested = rows.some((row) => isPlainObject(row) && hasNested(row));
  return nested ? rows.map((row) => (isPlainObject(row) ? flattenRow(row) : row)) : rows;
}
