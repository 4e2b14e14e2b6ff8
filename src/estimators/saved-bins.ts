import type { State } from '../core/artifact.ts';
import { type ColumnNames, damaged, readColumns, SavedArrays } from './learned.ts';

/** Learned bins: bin b of feature j holds edges[j][b] ≤ x < edges[j][b + 1], the outer bins all beyond. */
export interface Bins extends ColumnNames {
  readonly edges: readonly Float64Array[];
}

/** The bins of a saved discretizer; validates everything. */
export function readBins(state: State): Bins {
  const columns = readColumns(state);
  const arrays = new SavedArrays(state);
  if (Object.keys(state.arrays).length !== columns.features) damaged('its number of features is wrong');
  const edges = Array.from({ length: columns.features }, (_, j) => arrays.take(`edges.${j}`));
  arrays.close();
  const ascend = (own: Float64Array) => own.every((edge, b) => b === 0 || edge >= own[b - 1]);
  if (!edges.every((own) => own.length >= 2 && ascend(own))) damaged('its bins are not in order');
  return { ...columns, edges };
}
