import { type Label, type Labels, moves } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { argmax, dot, sum } from '../math/arrays.ts';
import { readClassList, readLabels, readRowWeights, requireClassType, requireLength, requireList } from './targets.ts';

/** Scores of rows: one number each, or one per class. */
export type Scores = Matrix | ArrayLike<ArrayLike<number>> | ArrayLike<number>;

/** Checked scores by row; `flat` if there was one number per row. */
export interface ScoreTable {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
  readonly flat: boolean;
}

/** Reads scores from any accepted container; every one of them is a finite number. */
export function readScores(scores: Scores, name = 'yScore'): ScoreTable {
  const table = readTable(scores, name);
  for (let k = 0; k < table.data.length; k++) {
    if (Number.isFinite(table.data[k])) continue;
    const [row, column] = [Math.floor(k / table.cols), k % table.cols];
    refuse('E_NOT_FINITE', `${name}: ${table.data[k]} in row ${row}, column ${column} is not a finite number`, {
      row,
      column,
    });
  }
  return table;
}

function readTable(scores: Scores, name: string): ScoreTable {
  if (scores instanceof Matrix) return { rows: scores.rows, cols: scores.cols, data: scores.data, flat: false };
  const list = requireList(scores, name);
  const flat = list.length === 0 || typeof list[0] !== 'object' || list[0] === null;
  if (flat) return { rows: list.length, cols: 1, data: readNumbers(list, name, undefined), flat };
  const rows = Array.from(list, (row, i) => readNumbers(requireList(row, `row ${i} of ${name}`), name, i));
  const { cols, data } = Matrix.from(rows);
  return { rows: rows.length, cols, data, flat };
}

function readNumbers(list: ArrayLike<unknown>, name: string, row: number | undefined): Float64Array {
  const numbers = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (typeof value !== 'number') {
      const [at, column] = row === undefined ? [i, 0] : [row, i];
      refuse('E_TYPE', `${name}: row ${at}, column ${column} is ${typeof value} ${show(value)}, not a number`, {
        row: at,
        column,
        actual: typeof value,
      });
    }
    numbers[i] = value;
  }
  return numbers;
}

/** One score per row; a table of one column serves as well. */
export function readColumn(scores: Scores, name = 'yScore'): Float64Array {
  const { cols, data, rows } = readScores(scores, name);
  if (cols !== 1 && rows > 0) {
    refuse('E_SHAPE', `${name} is one number per row, got rows of ${cols}`, { name, expected: 1, actual: cols });
  }
  return data;
}

/** Column c of a table. */
export function columnOf({ rows, cols, data }: ScoreTable, c: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => data[i * cols + c]);
}

/** Row i of a table. */
export const rowOf = ({ cols, data }: ScoreTable, i: number): Float64Array => data.subarray(i * cols, (i + 1) * cols);

/** The place of the highest score of each row, the first of equals, and that score. */
export function highestOf(table: ScoreTable): { best: Int32Array; score: Float64Array } {
  const best = Int32Array.from({ length: table.rows }, (_, i) => argmax(rowOf(table, i)));
  return { best, score: Float64Array.from(best, (c, i) => table.data[i * table.cols + c]) };
}

/** Σ w v / Σ w. */
export const weightedMean = (values: Float64Array, weights: Float64Array): number =>
  dot(values, weights) / sum(weights);

/** Refuses numbers outside [0, 1]. */
export function requireProbabilities({ cols, data }: ScoreTable, name = 'yProba'): void {
  for (let k = 0; k < data.length; k++) {
    if (data[k] >= 0 && data[k] <= 1) continue;
    const [row, column] = [Math.floor(k / cols), k % cols];
    refuse('E_VALUE_RANGE', `${name}: ${data[k]} in row ${row}, column ${column} is not a probability`, {
      row,
      column,
      actual: data[k],
    });
  }
}

/** True classes as numbers of the columns of a table of scores. */
export interface LabelledScores {
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  readonly table: ScoreTable;
  readonly weights: Float64Array;
}

/** The index of each label in the given classes; throws E_CLASS_UNKNOWN for an unknown label. */
export function placeLabels({ classes, codes }: Labels, among: readonly Label[]): Int32Array {
  requireClassType(among[0], classes, 'labels');
  const place = moves(classes, among);
  const strange = place.indexOf(-1);
  if (strange >= 0) {
    const row = codes.indexOf(strange);
    refuse('E_CLASS_UNKNOWN', `row ${row} has the label ${show(classes[strange])}, which is not in labels`, {
      row,
      class: classes[strange],
    });
  }
  return codes.map((code) => place[code]);
}

/** Reads labels and one column of scores per class: columns follow `labels`, or else the sorted classes of yTrue. */
export function readLabelledScores(
  yTrue: unknown,
  scores: Scores,
  labels: ArrayLike<Label> | null,
  weights: Weights | null,
  name = 'yScore',
): LabelledScores {
  const truth = readLabels(yTrue, 'yTrue');
  const table = readScores(scores, name);
  requireLength(name, table.rows, truth.codes.length);
  const classes = labels === null ? truth.classes : readClassList(labels);
  const codes = placeLabels(truth, classes);
  return { classes, codes, table, weights: readRowWeights(weights, codes.length) };
}

/** Refuses a table whose columns are not one per class. */
export function requireColumns(classes: readonly Label[], cols: number, name = 'yScore'): void {
  if (classes.length === cols) return;
  refuse('E_SHAPE', `${name} has ${cols} columns for ${classes.length} classes; labels can name all the classes`, {
    name,
    expected: classes.length,
    actual: cols,
  });
}

/** Probabilities with one column per class: p of the second class alone stands for 1 − p and p. */
export function readProbabilities(
  yTrue: unknown,
  scores: Scores,
  labels: ArrayLike<Label> | null,
  weights: Weights | null,
): LabelledScores {
  const labelled = readLabelledScores(yTrue, scores, labels, weights, 'yProba');
  requireProbabilities(labelled.table);
  if (labelled.classes.length < 2) {
    refuse('E_CLASSES_TOO_FEW', `there is only the class ${show(labelled.classes[0])}; labels names all of them`, {
      actual: labelled.classes.length,
      limit: 2,
    });
  }
  const table = labelled.table.cols === 1 ? withComplement(labelled.table.data) : labelled.table;
  requireColumns(labelled.classes, table.cols, 'yProba');
  return { ...labelled, table };
}

/** The two columns 1 − p and p. */
export function withComplement(p: Float64Array): ScoreTable {
  const data = new Float64Array(2 * p.length);
  for (let i = 0; i < p.length; i++) {
    data[2 * i] = 1 - p[i];
    data[2 * i + 1] = p[i];
  }
  return { rows: p.length, cols: 2, data, flat: false };
}
