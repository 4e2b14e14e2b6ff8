import type { ColumnTable } from '../data/column-table.ts';
import { requireGoing } from '../engines/memory.ts';
import type { Dataset } from './classifier-dataset.ts';
import type { FitReport } from './classifier-fit.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import { trialsOf } from './race.ts';
import { readFrame, TrainingRows } from './records.ts';
import { columnScores } from './records-families.ts';
import { columnFeatures, featuresOf, type SchemaColumn } from './schema.ts';

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

/** What the features of some columns say alone on held-out rows: naive Bayes of levels, or of bins cut by description length. */
export function scoreAlone(
  { table, codes, classes }: Pick<Dataset, 'table' | 'codes' | 'classes'>,
  columns: readonly SchemaColumn[],
  folds: Int32Array,
  check: () => void = () => {},
) {
  const held = trialsOf(folds, codes, classes.length).map(({ fold }) => fold);
  if (held.length === 0 || columns.length === 0) return [];
  const features = columns.flatMap(columnFeatures);
  const scores = columnScores(trainingOf(table, columns, codes, classes.length), folds, held, check, ['mdl']);
  return scores.map(({ column, ...score }) => ({ ...features[column], ...score }));
}

/** What every feature that is no text says alone. A column that knows the label too well is a leak. */
export function evaluateAlone(dataset: Dataset, folds: Int32Array, signal?: AbortSignal): FitReport['columns'] {
  const columns = featuresOf(dataset.schema, 'columns');
  if (columns.length * dataset.table.length > MOST_CELLS) return [];
  return scoreAlone(dataset, columns, folds, () => requireGoing(signal)).map(({ name, family, logLoss, accuracy }) => {
    return { name, family, logLoss, accuracy };
  });
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
