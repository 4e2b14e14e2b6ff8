import { requireItems, requireKind, requireLike } from '../data/arguments.ts';
import { cellOf, type DataRow, isBlank } from '../data/cells.ts';
import { type ColumnTable, RecordTable } from '../data/column-table.ts';
import { Matrix } from '../data/matrix.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import { selectRows } from '../evaluate/rows.ts';
import { stratifiedSample, trialsOf } from '../evaluate/trials.ts';
import { binBetween } from '../features/bins.ts';
import { levelTable } from '../features/level-table.ts';
import { type Counted, tableInformation } from '../features/rank.ts';
import { argmax, countCodes } from '../math/arrays.ts';
import type { FitReport } from './classifier-fit.ts';
import type { Dataset } from './classifier-options.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import { readFrame, readTarget, TrainingRows } from './records.ts';
import { columnFeatures, featuresOf, readColumn, requireRecords, type Schema, type SchemaColumn } from './schema.ts';
import { columnWarnings, type Warning } from './warnings.ts';

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
  training: TrainingRows = trainingOf(table, columns, codes, classes.length),
) {
  const held = trialsOf(folds, codes, classes.length).map(({ fold }) => fold);
  if (held.length === 0 || columns.length === 0) return [];
  const features = columns.flatMap(columnFeatures);
  return columnScores(training, folds, held).map((score, k) => ({ feature: features[k], ...score }));
}

/** Scores of features by name. */
export const namedScores = (scores: ReturnType<typeof scoreAlone>) =>
  scores.map(({ feature: { name }, ...score }) => ({ name, ...score }));

/** What every feature that is no text says alone. A column that knows the label too well is a leak. */
export function evaluateAlone(dataset: Dataset, folds: Int32Array, training?: TrainingRows): FitReport['columns'] {
  const columns = featuresOf(dataset.schema, 'columns');
  if (columns.length * dataset.table.length > MOST_CELLS) return [];
  return namedScores(scoreAlone(dataset, columns, folds, training));
}

/** Columns are evaluated in this many rows where a model is not evaluated by folds. */
const FEW_ROWS = 500;

/** Warns of columns that explain most of the label, or whose missing cells explain some of it, by a sample of the rows: for a fit that evaluates nothing by folds. */
export function leaksIn(all: ColumnTable, schema: Schema): Warning[] {
  const columns = featuresOf(schema, 'columns');
  if (columns.length === 0) return [];
  const labels = all.column(schema.target).cells();
  const table = all.take([...labels.keys()].filter((i) => !isBlank(labels[i])));
  const { classes, codes } = readTarget(table, schema.target);
  if (classes.length < 2) return [];
  const rows = stratifiedSample(Int32Array.from(codes.keys()), codes, FEW_ROWS);
  const own = selectRows(codes, rows);
  const folds = groupedFolds(own, Int32Array.from(own.keys()), 0);
  const alone = scoreAlone({ table: table.take(rows), codes: own, classes }, columns, folds);
  return columnWarnings(namedScores(alone), countCodes(own, classes.length));
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
  const { codes, classes } = dataset;
  const held = trialsOf(folds, codes, classes.length).map(({ fold }) => fold);
  const oneLevel = new Float64Array(codes.length);
  const { loss, rows } = scoreLevels(oneLevel, { codes, classes: classes.length }, folds, held);
  const prior = loss / rows;
  const columns = schema.columns.map((column): ClassifierColumn => {
    const { role, format, reason, name } = column;
    if (role !== 'feature' || !format?.dates) return column;
    const own = scores.filter(({ feature }) => feature.column.name === name);
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

/** What one column alone says about the class, out of fold. */
export interface ColumnScore {
  /** Naive Bayes of levels, or of bins cut by description length; files of earlier versions name the best of several. */
  readonly family: 'gaussian' | 'kernel' | 'mdl' | 'frequency' | 'poisson' | 'categorical';
  /** Log-loss of the class given this column, by family. */
  readonly logLoss: Readonly<Record<string, number>>;
  readonly accuracy: number;
  /** The mutual information of the column and the class in bits, over all rows in which the column is present. */
  readonly information: number;
  /** Log-loss of the class given only whether the cell is missing, where some cells are. */
  readonly missingLogLoss?: number;
}

/** No row costs more than −ln 1e-15. */
const LEAST_LOG = Math.log(1e-15);

/**
 * How well each column alone predicts the class in the held-out folds: naive Bayes of its levels, or of bins that are cut by description
 * length. A column is counted once, and what the rows outside a fold say is the whole minus the counts of the fold. Bins are cut on all
 * rows: description length accepts a cut only where it pays for itself, so a column that says nothing has one bin.
 */
export function columnScores(training: TrainingRows, folds: Int32Array, held: readonly number[]): ColumnScore[] {
  return training.readings.map((reading, column) => {
    const family = reading === 'level' ? 'categorical' : 'mdl';
    const cells = training.frame.columns[column];
    const levels = family === 'mdl' ? binsOf(cells, training.cuts(column, family)) : cells;
    const { loss, right, rows, information } = scoreLevels(levels, training, folds, held);
    const missing = cells.some(Number.isNaN) && scoreLevels(cells.map(isMissing), training, folds, held).loss / rows;
    const score = { family, logLoss: { [family]: loss / rows }, accuracy: right / rows, information } as const;
    return missing === false ? score : { ...score, missingLogLoss: missing };
  });
}

const isMissing = (cell: number): number => Number(Number.isNaN(cell));

const binsOf = (cells: Float64Array, cuts: readonly number[]): Float64Array =>
  cells.map((value) => (Number.isNaN(value) ? value : binBetween(cuts, value)));

function scoreLevels(
  levels: Float64Array,
  { codes, classes }: Pick<TrainingRows, 'codes' | 'classes'>,
  folds: Int32Array,
  held: readonly number[],
): { loss: number; right: number; rows: number; information: number } {
  const known = levels.reduce((most, level) => (level > most ? level : most), -1) + 1;
  const count = (takes: (i: number) => boolean): Float64Array => {
    const counts = new Float64Array((known + 1) * classes); // the last level is missing
    for (let i = 0; i < levels.length; i++) {
      if (takes(i)) counts[(Number.isNaN(levels[i]) ? known : levels[i]) * classes + codes[i]]++;
    }
    return counts;
  };
  const whole = count(() => true);
  let [loss, right, rows] = [0, 0, 0];
  for (const fold of held) {
    const part = count((i) => folds[i] === fold);
    const left = whole.map((all, cell) => all - part[cell]);
    const [present, totals] = [new Float64Array(classes), new Float64Array(classes)];
    for (let cell = 0; cell < left.length; cell++) {
      totals[cell % classes] += left[cell];
      if (cell < known * classes) present[cell % classes] += left[cell];
    }
    const joint = new Float64Array(classes);
    for (let level = 0; level <= known; level++) {
      let sum = 0;
      for (let c = 0; c < classes; c++) {
        const likelihood = level < known ? (left[level * classes + c] + 1) / (present[c] + known) : 1;
        sum += joint[c] = totals[c] * likelihood;
      }
      const best = argmax(joint);
      for (let c = 0; c < classes; c++) {
        const own = part[level * classes + c];
        rows += own;
        if (own > 0) loss -= own * Math.max(LEAST_LOG, Math.log(joint[c] / sum));
        if (c === best) right += own;
      }
    }
  }
  return { loss, right, rows, information: informationOf(whole.subarray(0, known * classes), classes) };
}

/** The mutual information of level and class in bits, from their counts, level by level. */
function informationOf(counts: Float64Array, classes: number): number {
  const table = new Matrix(classes, counts.length / classes);
  counts.forEach((count, cell) => {
    table.row(cell % classes)[Math.floor(cell / classes)] = count;
  });
  return tableInformation(table);
}

/** How often each level of the features of a column occurs in each class; numbers are cut into ranges by description length. */
export function countColumn(table: ColumnTable, column: SchemaColumn, codes: Int32Array, classes: number): Counted[] {
  const values = readColumn(table, column);
  return columnFeatures(column).map(({ name, levels }, k) => levelTable(name, values[k], levels, codes, classes));
}

/**
 * I(column; label) in bits by column, over the rows with a label, as `polya features` prints it; of a date that of its most informative
 * part. Texts are left out: their words have information, not the column.
 */
export function columnInformation(
  rows: readonly DataRow[],
  target: string,
  columns: readonly SchemaColumn[],
): Map<string, number> {
  requireRecords(rows);
  requireKind(target, 'the name of the target', 'string');
  for (const column of requireItems(columns, 'the columns of a schema'))
    requireLike(column, 'a column of a schema', { name: 'string', kind: 'string' });
  const labelled = rows.filter((row) => !isBlank(cellOf(row, target)));
  const labels = labelled.map((row) => String(cellOf(row, target)));
  const places = new Map([...new Set(labels)].map((label, c) => [label, c]));
  const codes = Int32Array.from(labels, (label) => places.get(label)!);
  const table = new RecordTable(labelled);
  const measured = columns.filter(({ name, kind, role }) => name !== target && kind !== 'text' && role === 'feature');
  return new Map(
    measured.map((column) => {
      const bits = countColumn(table, column, codes, places.size).map((counted) => tableInformation(counted.table));
      return [column.name, Math.max(0, ...bits)];
    }),
  );
}
