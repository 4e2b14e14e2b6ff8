import { setImmediate } from 'node:timers/promises';
import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { finishAsync } from '../../auto/steps.ts';
import type { DataRow } from '../../data/cells.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { Matrix } from '../../data/matrix.ts';
import { StratifiedGroupKFold } from '../../evaluate/group-folds.ts';
import { selectRows } from '../../evaluate/rows.ts';
import { type Judged, scoreRows } from '../../server/insight/judge.ts';
import type { Context } from '../context.ts';
import { count } from '../numbers.ts';
import { fail } from '../problem.ts';
import type { Lesson } from './lesson.ts';

/** A way to fit: everything but the rows. */
export type Recipe = ClassifierOptions;

/**
 * Learns from rows and shows how far it is. Signals are handled between steps: while a model is chosen, the first Ctrl-C ends the choice
 * with the best models so far, and the next one ends the process.
 */
export async function learn(
  rows: readonly DataRow[] | BlockTable,
  recipe: Recipe,
  { progress, io }: Pick<Context, 'progress' | 'io'>,
  phase = 'learning',
): Promise<Classifier> {
  const onProgress = (share: number, what: string) => progress.step(phase, { share, what });
  const make = (enough: () => boolean) => {
    const steps = Classifier.fitSteps(rows, { ...recipe, onProgress });
    return finishAsync(steps, { onProgress, enough }, () => setImmediate());
  };
  try {
    return await (recipe.model === 'auto' && io.choosing ? io.choosing(make) : make(() => false));
  } finally {
    progress.end();
  }
}

/** Rows with their labels. */
export type LabelledRows = Pick<Lesson, 'rows' | 'labels' | 'unlabelled'>;

/** What a model says of some rows. */
export function answers(
  model: Classifier,
  data: LabelledRows & { readonly table?: BlockTable },
  places: readonly number[],
  { progress }: Pick<Context, 'progress'>,
): Judged {
  const { table, labels } = data;
  const own = table ? table.take(places).records() : selectRows(data.rows, places); // all rows as records may not fit
  const logProba = scoreRows(model, own, (share) => progress.step('judging', { share }));
  progress.end();
  return { classes: model.classes.map(String), truth: places.map((i) => labels[i]), logProba };
}

/** Evaluates a recipe by folds: every labelled row by a model that has learned the others, and all unlabelled ones. */
export async function crossJudge(
  lesson: LabelledRows,
  recipe: Recipe,
  parts: readonly Part[],
  { progress }: Pick<Context, 'progress'>,
): Promise<Judged[]> {
  const { rows, unlabelled = [] } = lesson;
  const judged: Judged[] = [];
  for (const [k, { train, test }] of parts.entries()) {
    const what = `fold ${k + 1} of ${parts.length}`;
    progress.step('folds', { share: k / parts.length, what });
    await setImmediate(); // signals are handled here
    const model = Classifier.fit([...train.map((i) => rows[i]), ...unlabelled], { ...recipe, evaluate: false });
    judged.push(answers(model, lesson, test, silent));
  }
  return judged;
}

/** For work that does not show how far it is. */
export const silent: Pick<Context, 'progress'> = { progress: { step: () => undefined, end: () => undefined } };

/** The judgements of all folds as one; a class that a fold has not met has no probability there. */
export function joined(parts: readonly Judged[]): Judged {
  const classes = [...new Set(parts.flatMap(({ classes: own }) => own))].sort();
  const rows = parts.reduce((sum, { truth }) => sum + truth.length, 0);
  const data = new Float64Array(rows * classes.length).fill(Number.NEGATIVE_INFINITY);
  let at = 0;
  for (const { classes: own, logProba } of parts) {
    const columns = own.map((label) => classes.indexOf(label));
    for (let i = 0; i < logProba.rows; i++, at++) {
      for (const [c, column] of columns.entries()) data[at * classes.length + column] = logProba.at(i, c);
    }
  }
  return { classes, truth: parts.flatMap(({ truth }) => truth), logProba: new Matrix(rows, classes.length, data) };
}

/** Numbers of rows to train with and to evaluate with. */
export interface Part {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** What an evaluation by folds was done on. */
export const foldsText = (k: number, rows: number): string =>
  `${k} folds: ${count(rows)} rows, each evaluated by a model of the others`;

/** K folds with even classes; copies of a row, which have one number in `groups`, stay together. */
export function foldsOf(labels: readonly string[], groups: Int32Array, k: number, seed: number): Part[] {
  const distinct = new Set(groups).size;
  if (distinct < k) fail('E_USAGE', `There are ${distinct} different rows, too few for ${k} folds.`);
  const splitter = new StratifiedGroupKFold({ nSplits: k, shuffle: true, randomState: seed });
  const folds = splitter.split(Array.from(groups), labels, groups);
  return Array.from(folds, ([train, test]) => ({ train: Array.from(train), test: Array.from(test) }));
}
