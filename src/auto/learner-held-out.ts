import type { ColumnTable } from '../data/column-table.ts';
import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { addsUp } from '../estimators/fold-learning.ts';
import { foldRows } from '../evaluate/folds.ts';
import { selectRows } from '../evaluate/rows.ts';
import { trialsOf } from '../evaluate/trials.ts';
import type { Dataset } from './classifier-dataset.ts';
import type { FitReport } from './classifier-fit.ts';
import { columnScores } from './column-scores.ts';
import type { RecordLearner } from './learner.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import { blankLearner, type Recipe, settle } from './learner-recipe.ts';
import { readFrame, TrainingRows } from './records.ts';
import { orNothing } from './records-pool.ts';
import { columnFeatures, featuresOf, type SchemaColumn } from './schema.ts';

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

/** With more cells than this, columns are not evaluated one by one. */
const MOST_CELLS = 1e7;

/** The features of some columns as training rows. */
export function trainingOf(
  table: ColumnTable,
  columns: readonly SchemaColumn[],
  codes: Int32Array,
  classes: number,
): TrainingRows {
  const readings = columns.flatMap(columnFeatures).map(({ levels }) => (levels ? 'level' : 'number'));
  return new TrainingRows(readFrame(table, columns), codes, classes, readings);
}

/** What the features of some columns say alone on held-out rows; see `columnScores`. */
export function scoreAlone(
  { table, codes, classes }: Pick<Dataset, 'table' | 'codes' | 'classes'>,
  columns: readonly SchemaColumn[],
  folds: Int32Array,
) {
  const held = trialsOf(folds, codes, classes.length).map(({ fold }) => fold);
  if (held.length === 0 || columns.length === 0) return [];
  const features = columns.flatMap(columnFeatures);
  const scores = columnScores(trainingOf(table, columns, codes, classes.length), folds, held);
  return scores.map(({ column, ...score }) => ({ ...features[column], ...score }));
}

/** What every feature that is no text says alone. A column that knows the label too well is a leak. */
export function evaluateAlone(dataset: Dataset, folds: Int32Array): FitReport['columns'] {
  const columns = featuresOf(dataset.schema, 'columns');
  if (columns.length * dataset.table.length > MOST_CELLS) return [];
  return scoreAlone(dataset, columns, folds).map(({ column: _, part: __, levels: ___, ...score }) => score);
}

/**
 * The schema without the parts of dates that tell nothing about the label: those whose out-of-fold log-loss is no less than that of
 * the class frequencies. A column of which no part is left is ignored.
 */
export function chooseParts(dataset: Dataset, folds: Int32Array): ClassifierSchema {
  const { schema } = dataset;
  const dates = featuresOf(schema, 'columns').filter(({ format }) => format?.dates);
  const scores = scoreAlone(dataset, dates, folds);
  if (scores.length === 0) return schema;
  const prior = priorLoss(dataset, folds);
  const columns = schema.columns.map((column): ClassifierColumn => {
    const { role, format, reason, name } = column;
    if (role !== 'feature' || !format?.dates) return column;
    const own = scores.filter((score) => score.column.name === name);
    const all = format.parts ?? [];
    const parts = all.filter((_, k) => own[k].logLoss[own[k].family] < prior - ROUNDING);
    if (parts.length === 0) {
      const why = `${reason}; the label does not depend on ${all.join(', ')}`;
      return { ...column, role: 'ignored', reason: why };
    }
    return { ...column, format: { ...format, parts }, reason: `${reason}; used: ${parts.join(', ')}` };
  });
  return { ...schema, columns };
}

/** A part with a single bin says what the class frequencies say, up to rounding. */
const ROUNDING = 1e-9;

/** The log-loss of held-out rows by the class frequencies of the others. */
function priorLoss({ codes, classes }: Dataset, folds: Int32Array): number {
  let [loss, rows] = [0, 0];
  for (const { fold, learn } of trialsOf(folds, codes, classes.length)) {
    const counts = new Float64Array(classes.length);
    for (const i of learn) counts[codes[i]]++;
    for (let i = 0; i < codes.length; i++) {
      if (folds[i] !== fold) continue;
      loss -= Math.max(Math.log(1e-15), Math.log(counts[codes[i]] / learn.length));
      rows++;
    }
  }
  return loss / rows;
}
