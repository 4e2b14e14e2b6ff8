import { route, show } from '../route.ts';

/** Which rows to list for a part of a picture. */
export type RowFilter =
  /** Rows whose probability of a class is between two bounds, the upper one included. */
  | { readonly kind: 'score'; readonly label: string; readonly from: number; readonly to: number }
  | { readonly kind: 'number'; readonly column: string; readonly from: number; readonly to: number }
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

/** Lists the rows of a part of a picture; the choice is kept in the address. */
export const chooseRows = (filter: RowFilter | undefined): void => show({ rows: filter && JSON.stringify(filter) });

/** The row filter in the address. */
export function chosenRows(): RowFilter | undefined {
  try {
    return JSON.parse(route.value.view.rows ?? 'null') ?? undefined;
  } catch {
    return undefined; // an address that was edited by hand
  }
}
