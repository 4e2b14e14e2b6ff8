import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { addsUp } from '../estimators/fold-learning.ts';
import { foldRows } from '../evaluate/folds.ts';
import { selectRows } from '../evaluate/rows.ts';
import type { Dataset } from './classifier-dataset.ts';
import type { RecordLearner } from './learner.ts';
import { blankLearner, type Recipe, settle } from './learner-recipe.ts';
import { orNothing } from './records-pool.ts';

/** Log-probabilities of rows by models that were not fitted to them, and the rows that were held out. */
export interface OutOfFold {
  readonly logProba: Matrix;
  readonly heldOut: Int32Array;
}

/** No class is less probable: one that a fold has not met, or an answer that is wrong for sure. */
const LEAST = -1e4;

/**
 * Scores the rows of every fold by a learner of the other folds. Where rows settle neither cuts nor structure, each fold is counted once
 * and a training set is the sum of the others. A fold that the family cannot learn without holds out nothing.
 */
export function predictFolds(
  recipe: Recipe,
  learner: RecordLearner,
  { table, codes, classes, weights }: Dataset,
  folds: Int32Array,
  signal?: AbortSignal,
): OutOfFold {
  const learn = (method: 'fit' | 'partialFit', own: RecordLearner, rows: Int32Array) => {
    requireGoing(signal);
    const labels = Array.from(rows, (i) => classes[codes[i]]);
    own[method]({ table: table.take(rows), labels, weights: weights && selectRows(weights, rows), signal });
    return own;
  };
  const numbers = [...new Set(folds)];
  const plain = addsUp(learner.estimator) && JSON.stringify(recipe.columns) === JSON.stringify(learner.plan.columns);
  // what is legal of many rows need not be so of the few of one fold
  const parts = plain
    ? orNothing(() => numbers.map((fold) => learn('partialFit', learner.blank(), foldRows(folds, fold).held)))
    : undefined;
  const without = (fold: number, rows: Int32Array): RecordLearner => {
    if (!parts) {
      const columns = settle(recipe, table.take(rows), selectRows(codes, rows), classes.length);
      return learn('fit', blankLearner(recipe, columns), rows);
    }
    const sum = learner.blank();
    for (const [k, part] of parts.entries()) if (numbers[k] !== fold) sum.merge(part);
    sum.finish();
    return sum;
  };
  const out = new Matrix(table.length, classes.length, new Float64Array(table.length * classes.length).fill(LEAST));
  const all = numbers.flatMap((fold) => {
    const { learn: rows, held } = foldRows(folds, fold);
    if (fold < 0 || rows.length === 0) return [];
    const scored = orNothing(() => {
      const own = without(fold, rows);
      return { known: own.classes, logProba: own.posterior(table.take(held)).logProba };
    });
    if (!scored) return [];
    const place = scored.known.map((label) => classes.indexOf(label));
    held.forEach((i, k) => {
      const row = out.row(i);
      for (const [c, at] of place.entries()) row[at] = Math.max(LEAST, scored.logProba[k * place.length + c]);
    });
    return Array.from(held).filter((i) => !weights || weights[i] > 0);
  });
  return { logProba: out, heldOut: Int32Array.from(all).sort() };
}
