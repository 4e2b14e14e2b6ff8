import { logClassPrior } from '../core/prior.ts';
import { type Batch, toDense } from '../data/batch.ts';
import { remainder } from '../math/arrays.ts';
import type { Contexts } from '../stats/contexts.ts';
import { type KDependenceOptions, kdb } from './kdb.ts';
import { addRow } from './kdb-row.ts';

/**
 * Scores every row without itself: each count that its score reads is lowered by the weight of the row. Parents, lists of levels and
 * concentrations stay those of all rows.
 */
export function kdbLeaveOneOut(stats: Contexts, options: KDependenceOptions, batch: Batch, out: Float64Array): void {
  const { classes, features, n } = stats;
  const params = kdb.estimate(stats, options);
  const { x } = toDense(batch);
  for (let i = 0; i < batch.rows; i++) {
    const [c, weight] = [batch.y[i], batch.w[i]];
    const row = x.subarray(i * features, (i + 1) * features);
    out.set(logClassPrior(n.with(c, remainder(n[c], weight)), options.classPrior), i * classes);
    addRow(params, row, out, i * classes, { c, weight, row });
  }
}
