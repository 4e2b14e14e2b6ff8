import type { Classifier } from '../../src/index.ts';
import { cellOf, type DataRow, type NumberStyle, numberOf, wordOf } from '../../src/workbench.ts';
import type { ColumnFilter } from '../rows/filter.ts';

/** How a model reads the numbers of a column. */
export const numberStyle = (model: Pick<Classifier, 'schema'>, column: string): NumberStyle | undefined =>
  model.schema.columns.find(({ name }) => name === column)?.format?.numbers;

/** Parses the numbers of a column as the model does; NaN for everything else. */
export function numberCells(model: Pick<Classifier, 'schema'>, column: string): (row: DataRow) => number {
  const style = numberStyle(model, column);
  return (row) => numberOf(cellOf(row, column), style);
}

/** The predicate of a column filter. */
export function cellTest(filter: ColumnFilter, style: NumberStyle | undefined): (row: DataRow) => boolean {
  const { column } = filter;
  if (filter.kind === 'value') return (row) => wordOf(cellOf(row, column) ?? '') === filter.value;
  const { from, to, closed = false } = filter;
  return (row) => {
    const x = numberOf(cellOf(row, column), style);
    return x >= from && (closed ? x <= to : x < to);
  };
}
