import { route, show } from '../route.ts';
import { short } from '../texts/index.ts';

/** Which rows to list for a part of a picture. */
export type RowFilter =
  /** Rows whose probability of a class is between two bounds, the upper one included. */
  | { readonly kind: 'score'; readonly label: string; readonly from: number; readonly to: number }
  | {
      readonly kind: 'number';
      readonly column: string;
      readonly from: number;
      readonly to: number;
      /** Whether the upper bound is included, as that of the last bin of a histogram is. */
      readonly closed?: boolean;
    }
  | { readonly kind: 'value'; readonly column: string; readonly value: string }
  /** A rectangle of Boundary; with axes, of the plane of their first two discriminant axes. */
  | {
      readonly kind: 'region';
      readonly x: string;
      readonly y: string;
      readonly axes: readonly string[];
      readonly classes: readonly string[];
      readonly from: readonly [x: number, y: number];
      readonly to: readonly [x: number, y: number];
    }
  | { readonly kind: 'word'; readonly column: string; readonly word: string }
  /** One row by its place among the labelled rows. */
  | { readonly kind: 'row'; readonly row: number };

/** A filter by the cells of one column. */
export type ColumnFilter = Extract<RowFilter, { kind: 'number' | 'value' }>;

/** A column filter as a title. */
export const filterTitle = (filter: ColumnFilter): string =>
  filter.kind === 'value'
    ? `${filter.column} = ${filter.value || '∅'}`
    : `${filter.column} ${short(filter.from)} – ${short(filter.to)}`;

/** The filters of Data in the address, at most one for each column; all of them apply. */
export function columnFilters(): readonly ColumnFilter[] {
  const found = parsed(route.value.view.where);
  return Array.isArray(found) ? found : [];
}

/** Sets the filter of a column. */
export const filterColumn = (filter: ColumnFilter): void => setFilters(filter.column, [filter]);

/** Sets the filter of a column, or removes it if it is set already. */
export function toggleFilter(filter: ColumnFilter): void {
  const isSet = columnFilters().some((own) => JSON.stringify(own) === JSON.stringify(filter));
  setFilters(filter.column, isSet ? [] : [filter]);
}

/** Removes the filter of a column. */
export const dropFilter = (column: string): void => setFilters(column, []);

function setFilters(column: string, added: readonly ColumnFilter[]): void {
  const all = [...columnFilters().filter((own) => own.column !== column), ...added];
  show({ where: all.length > 0 ? JSON.stringify(all) : undefined, page: undefined });
}

/** Lists the rows of a part of a picture; the choice is kept in the address. */
export const chooseRows = (filter: RowFilter | undefined): void => show({ rows: filter && JSON.stringify(filter) });

/** The row filter in the address. */
export const chosenRows = (): RowFilter | undefined => parsed(route.value.view.rows) ?? undefined;

/** A value of the address; undefined if it was edited by hand and cannot be read. */
function parsed(text = 'null') {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
