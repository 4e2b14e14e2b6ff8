import { Matrix } from '../data/matrix.ts';
import { informationFromHistogram } from '../features/gain.ts';
import { argmax } from '../math/arrays.ts';
import { binOf } from './learner-table.ts';
import type { TrainingRows } from './records.ts';

/** What one column alone says about the class, out of fold. */
export interface ColumnScore {
  readonly column: number;
  /** Naive Bayes of levels, or of bins cut by description length; files of earlier versions name the best of several. */
  readonly family: 'gaussian' | 'kernel' | 'mdl' | 'frequency' | 'poisson' | 'categorical';
  /** Log-loss of the class given this column, by family. */
  readonly logLoss: Readonly<Record<string, number>>;
  readonly accuracy: number;
  /** The mutual information of the column and the class in bits, over all rows in which the column is present. */
  readonly information: number;
}

/** No row costs more than −ln 1e-15. */
const LEAST = Math.log(1e-15);

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
    return { column, family, logLoss: { [family]: loss / rows }, accuracy: right / rows, information };
  });
}

const binsOf = (cells: Float64Array, cuts: readonly number[]): Float64Array =>
  cells.map((value) => (Number.isNaN(value) ? value : binOf(value, cuts)));

function scoreLevels(
  levels: Float64Array,
  { codes, classes }: TrainingRows,
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
        if (own > 0) loss -= own * Math.max(LEAST, Math.log(joint[c] / sum));
        if (c === best) right += own;
      }
    }
  }
  return { loss, right, rows, information: informationOf(whole.subarray(0, known * classes), classes) };
}

/** The mutual information of level and class in bits, from their counts, level by level. */
function informationOf(counts: Float64Array, classes: number): number {
  const table = new Matrix(classes, counts.length / classes);
  const classCount = new Float64Array(classes);
  counts.forEach((count, cell) => {
    classCount[cell % classes] += count;
    table.row(cell % classes)[Math.floor(cell / classes)] = count;
  });
  return counts.length > 0 ? informationFromHistogram({ classCount, categoryCount: [table] }, { unit: 'bits' })[0] : 0;
}
