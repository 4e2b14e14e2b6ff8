import type { Classifier } from '../../src/index.ts';
import { cellOf, isBlank } from '../../src/workbench.ts';
import type { RowChange } from '../protocol.ts';

/** Updates a model with changes of its rows: it learns each row as it is and unlearns it as it was. Unlabelled rows are skipped. */
export function follow(model: Classifier, changes: readonly RowChange[]): void {
  const labelled = (row: RowChange['before']) => (row && !isBlank(cellOf(row, model.target)) ? [row] : []);
  const gone = changes.flatMap(({ before }) => labelled(before));
  const come = changes.flatMap(({ after }) => labelled(after));
  // learn first, then unlearn, so that a class never becomes empty in between
  if (come.length > 0) model.partialFit(come, { strict: false });
  if (gone.length > 0) model.unlearn(gone, { strict: false });
}
