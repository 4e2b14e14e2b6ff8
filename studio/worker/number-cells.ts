import type { Classifier } from '../../src/index.ts';
import { cellOf, type DataRow, numberOf } from '../../src/workbench.ts';

/** Parses the numbers of a column as the model does; NaN for everything else. */
export function numberCells(model: Pick<Classifier, 'schema'>, column: string): (row: DataRow) => number {
  const style = model.schema.columns.find(({ name }) => name === column)?.format?.numbers;
  return (row) => numberOf(cellOf(row, column), style);
}
