import { Classifier, Matrix } from '../../src/index.ts';
import {
  cellOf,
  type Evaluation,
  evaluateRows,
  isBlank,
  planFolds,
  RecordTable,
  splitTable,
} from '../../src/workbench.ts';
import type { News } from '../protocol.ts';
import { type ColumnDrift, columnDrifts, type WordDrift, wordDrifts } from './drift.ts';
import type { Reading } from './reading.ts';
import { recipeFor } from './recipe.ts';
import { answers, type Trained } from './training.ts';

/** A second file: how good the model is on it, and how it differs from the training rows. */
export interface SecondFile {
  readonly name: string;
  readonly rows: number;
  /** Of the labelled rows; undefined if there are none. */
  readonly evaluation: Evaluation | undefined;
  /** Columns of the model that the file does not have. */
  readonly absent: readonly string[];
  readonly columns: readonly ColumnDrift[];
  readonly words: readonly WordDrift[];
}

/** Evaluates the model of a run on a second file, as `polya evaluate` does, and compares the two tables. */
export function secondFile({ run, model, rows, train }: Trained, { name, rows: own, columns }: Reading): SecondFile {
  const { target } = run.settings;
  const labelled = own.filter((row) => !isBlank(cellOf(row, target)));
  const labels = labelled.map((row) => String(cellOf(row, target)));
  const before = train.map((i) => rows[i]);
  return {
    name,
    rows: own.length,
    evaluation: labelled.length > 0 ? evaluateRows(answers(model, labelled, labels), name) : undefined,
    absent: model.schema.columns
      .map((column) => column.name)
      .filter((column) => column !== target && !columns.includes(column)),
    columns: columnDrifts(model, before, own),
    words: wordDrifts(model, before, own),
  };
}

/** A cross-validation: each fold, and all rows together. */
export interface Folds {
  readonly folds: readonly { readonly rows: number; readonly accuracy: number; readonly logLoss: number | null }[];
  readonly evaluation: Evaluation;
}

/** Fits the settings of a run to all folds but one and evaluates on that one, in turn; the folds are those of `polya evaluate --cv`. */
export function foldsOf({ run, rows, labels }: Trained, k: number, tell: (news: News) => void): Folds {
  const { settings } = run;
  const table = new RecordTable(rows);
  const parts = splitTable(table, planFolds(table, settings.target, k, settings.seed));
  const { recipe } = recipeFor(rows, { ...settings, splitColumn: '' });
  const classes = [...new Set(labels)].sort();
  const all = new Matrix(rows.length, classes.length);
  all.data.fill(-Infinity);
  const folds = parts.map((held, fold) => {
    tell({ kind: 'progress', phase: 'learning', share: fold / k, what: `${fold + 1} / ${k}` });
    const isHeld = new Set(held);
    const model = Classifier.fit(
      rows.filter((_, i) => !isHeld.has(i)),
      { ...recipe, evaluate: false },
    );
    const scored = answers(model, held.map((i) => rows[i]), held.map((i) => labels[i])); // biome-ignore format: short
    const places = scored.classes.map((label) => classes.indexOf(label));
    for (const [at, i] of held.entries()) {
      for (const [c, place] of places.entries()) all.row(i)[place] = scored.logProba.at(at, c);
    }
    const { accuracy, logLoss } = evaluateRows(scored, 'fold');
    return { rows: held.length, accuracy: accuracy.value, logLoss };
  });
  return { folds, evaluation: evaluateRows({ classes, truth: labels, logProba: all }, 'folds') };
}
