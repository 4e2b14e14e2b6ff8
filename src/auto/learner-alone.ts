import { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { takeTruth } from '../evaluate/log-proba.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { cellOf, isBlank, numberOf, wordOf } from './cells.ts';
import { evaluate } from './classifier-evaluation.ts';
import type { FitReport } from './classifier-fit.ts';
import type { Material } from './classifier-material.ts';
import { binOf } from './learner-cells.ts';
import { splitsOf } from './learner-folds.ts';
import { takeRowsOf } from './pool-choose.ts';
import { cutColumn } from './records-views.ts';
import type { SchemaColumn } from './schema.ts';

/** With more cells than this, columns are not looked at one by one. */
const MOST_CELLS = 1e7;

/**
 * What every column that is no text says alone, out of fold: naive Bayes of its levels, or of bins that the training rows of
 * each fold cut by description length. A column that knows the label too well is a leak.
 */
export function judgeAlone(material: Material, folds: Int32Array, signal?: AbortSignal): FitReport['columns'] {
  const features = material.schema.columns.filter(({ role, kind }) => role === 'feature' && kind !== 'text');
  if (features.length * material.rows.length > MOST_CELLS) return [];
  const splits = splitsOf(folds);
  const judged = Int32Array.from(splits.flatMap(({ judge }) => Array.from(judge)));
  if (judged.length === 0) return [];
  const { codes, classes } = material;
  const truth = takeTruth(material, judged);
  return features.map((column) => {
    requireGoing(signal);
    const family = column.kind === 'number' ? 'mdl' : 'categorical';
    const cells = family === 'mdl' ? numbersIn(material, column) : levelsIn(material, column);
    const out = new Matrix(codes.length, classes.length);
    for (const { learn, judge } of splits) {
      const own = Int32Array.from(learn, (i) => codes[i]);
      const known = Float64Array.from(learn, (i) => cells[i]);
      const cuts = family === 'mdl' ? cutColumn(known, own, classes.length, 'mdl') : undefined;
      const place = (cell: number) => (cuts && !Number.isNaN(cell) ? binOf(cell, cuts) : cell);
      judgeLevels(cells.map(place), material, learn, judge, out);
    }
    const { accuracy, logLoss } = evaluate(takeRowsOf(out, judged), truth, '');
    return { name: column.name, family, logLoss: { [family]: logLoss }, accuracy };
  });
}

const numbersIn = ({ rows }: Material, { name }: SchemaColumn): Float64Array =>
  Float64Array.from(rows, (row) => numberOf(cellOf(row, name)));

/** The words of a column as numbers from 0 in order of appearance, NaN for a blank. */
function levelsIn({ rows }: Material, { name }: SchemaColumn): Float64Array {
  const places = new Map<string, number>();
  return Float64Array.from(rows, (row) => {
    const cell = cellOf(row, name);
    if (isBlank(cell)) return Number.NaN;
    const word = wordOf(cell);
    if (!places.has(word)) places.set(word, places.size);
    return places.get(word) as number;
  });
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
