import { readWords } from '../data/cell-format.ts';
import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { meanLogLoss, takeTruth } from '../evaluate/log-proba.ts';
import { selectRows } from '../evaluate/rows.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import type { FitReport } from './classifier-fit.ts';
import type { Material } from './classifier-material.ts';
import { evaluate } from './classifier-split.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import { splitsOf } from './learner-folds.ts';
import { binOf } from './learner-table.ts';
import { cutColumn } from './records-views.ts';
import { columnFeatures, readColumn, type SchemaColumn } from './schema.ts';

/** With more cells than this, columns are not evaluated one by one. */
const MOST_CELLS = 1e7;

/**
 * What every feature that is no text says alone, out of fold: naive Bayes of its levels, or of bins that the training rows of each
 * fold cut by description length. A column that knows the label too well is a leak.
 */
export function judgeAlone(material: Material, folds: Int32Array, signal?: AbortSignal): FitReport['columns'] {
  const columns = material.schema.columns.filter(({ role, kind }) => role === 'feature' && kind !== 'text');
  if (columns.length * material.table.length > MOST_CELLS) return [];
  const splits = splitsOf(folds);
  const judged = Int32Array.from(splits.flatMap(({ judge }) => Array.from(judge)));
  if (judged.length === 0) return [];
  const truth = takeTruth(material, judged);
  return columns.flatMap((column) => {
    requireGoing(signal);
    const features = columnFeatures(column);
    const cells = readFeatures(material, column);
    return features.map(({ name, levels }, k) => {
      const family = column.kind === 'number' || (column.kind === 'date' && !levels) ? 'mdl' : 'categorical';
      const { accuracy, logLoss } = evaluate(selectRows(alone(cells[k], material, splits, family), judged), truth, '');
      return { name, family, logLoss: { [family]: logLoss }, accuracy };
    });
  });
}

/** The values of the features of a column; all words of a category, those that are no level included. */
function readFeatures({ table }: Material, column: SchemaColumn): Float64Array[] {
  if (column.kind === 'number' || column.format?.dates) return readColumn(table, column);
  const places = new Map<string, number>();
  const place = (word: string | null): number => {
    if (word === null) return Number.NaN;
    if (!places.has(word)) places.set(word, places.size);
    return places.get(word) as number;
  };
  return [readWords(table.column(column.name).codes(), column.format).map(place).toNumbers()];
}

/** ln p(c | value) of all rows that are judged, by what the other folds teach. */
function alone(
  cells: Float64Array,
  material: Material,
  splits: ReturnType<typeof splitsOf>,
  family: 'mdl' | 'categorical',
): Matrix {
  const { codes, classes } = material;
  const out = new Matrix(codes.length, classes.length);
  for (const { learn, judge } of splits) {
    const own = Int32Array.from(learn, (i) => codes[i]);
    const known = Float64Array.from(learn, (i) => cells[i]);
    const cuts = family === 'mdl' ? cutColumn(known, own, classes.length, 'mdl') : undefined;
    const place = (cell: number) => (cuts && !Number.isNaN(cell) ? binOf(cell, cuts) : cell);
    judgeLevels(cells.map(place), material, learn, judge, out);
  }
  return out;
}

/**
 * The schema without the parts of dates that tell nothing about the label: those whose out-of-fold log-loss is no less than that of
 * the class frequencies. A column of which no part is left is ignored.
 */
export function chooseParts(material: Material, folds: Int32Array): ClassifierSchema {
  const { schema, table } = material;
  const splits = splitsOf(folds);
  const judged = Int32Array.from(splits.flatMap(({ judge }) => Array.from(judge)));
  if (judged.length === 0 || !schema.columns.some(({ role, format }) => role === 'feature' && format?.dates))
    return schema;
  const truth = takeTruth(material, judged);
  const lossOf = (cells: Float64Array, family: 'mdl' | 'categorical') =>
    meanLogLoss(selectRows(alone(cells, material, splits, family), judged), truth);
  const prior = lossOf(new Float64Array(table.length).fill(Number.NaN), 'categorical');
  const columns = schema.columns.map((column): ClassifierColumn => {
    const { role, format, reason } = column;
    if (role !== 'feature' || !format?.dates) return column;
    const cells = readColumn(table, column);
    const all = format.parts ?? [];
    const parts = all.filter((part, k) => lossOf(cells[k], part === 'days' ? 'mdl' : 'categorical') < prior);
    if (parts.length === 0) {
      const why = `${reason}; the label does not depend on ${all.join(', ')}`;
      return { ...column, role: 'ignored', reason: why };
    }
    return { ...column, format: { ...format, parts }, reason: `${reason}; used: ${parts.join(', ')}` };
  });
  return { ...schema, columns };
}

/** ln p(c | level) of the judged rows, each level counted once more than it was met; a blank leaves the prior. */
function judgeLevels(
  levels: Float64Array,
  { codes, classes, weights }: Material,
  learn: Int32Array,
  judge: Int32Array,
  out: Matrix,
): void {
  const count = classes.length;
  const width = levels.reduce((most, level) => (level >= most ? level + 1 : most), 0);
  const [n, all, table] = [new Float64Array(count), new Float64Array(count), new Float64Array(width * count)];
  for (const i of learn) {
    const weight = weights ? weights[i] : 1;
    all[codes[i]] += weight;
    if (Number.isNaN(levels[i])) continue;
    n[codes[i]] += weight;
    table[levels[i] * count + codes[i]] += weight;
  }
  for (const i of judge) {
    const row = out.row(i);
    for (let c = 0; c < count; c++) {
      const told = Number.isNaN(levels[i]) ? 1 : (table[levels[i] * count + c] + 1) / (n[c] + width);
      row[c] = Math.log(all[c] * told);
    }
    logSoftmaxInto(row, 0, count, row);
  }
}
