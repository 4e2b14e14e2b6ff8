import type { Classifier } from '../../src/auto/classifier.ts';
import { cellOf, isBlank } from '../../src/data/cells.ts';
import type { RowChange } from '../protocol.ts';

/** Lets a model follow changes of its rows: it unlearns each row as it was and learns it as it is. Rows without a label are neither. */
export function follow(model: Classifier, changes: readonly RowChange[]): void {
  const labelled = (row: RowChange['before']) => (row && !isBlank(cellOf(row, model.target)) ? [row] : []);
  const gone = changes.flatMap(({ before }) => labelled(before));
  const come = changes.flatMap(({ after }) => labelled(after));
  // first learned, then unlearned: a class never runs out of rows in between
  if (come.length > 0) model.partialFit(come, { strict: false });
  if (gone.length > 0) model.unlearn(gone, { strict: false });
}
