import type { DataRow } from '../../auto/cells.ts';
import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { Matrix } from '../../data/matrix.ts';
import { type Judged, scoreRows } from '../../server/insight/judge.ts';
import type { Context } from '../context.ts';
import { texts } from '../texts/index.ts';
import { foldsOf, type Part } from './split.ts';

/** A way to fit: everything but the rows. */
export type Recipe = ClassifierOptions;

/** Learns from rows and shows how far it is. */
export function learn(
  rows: readonly DataRow[],
  recipe: Recipe,
  { progress }: Pick<Context, 'progress'>,
  phase = texts.phases.learning(),
): Classifier {
  const onProgress = (share: number, what: string) => progress.step(phase, { share, what });
  const model = Classifier.fit(rows, { ...recipe, onProgress });
  progress.end();
  return model;
}

/** What a model says of the rows of a part. */
export function answers(
  model: Classifier,
  rows: readonly DataRow[],
  labels: readonly string[],
  { progress }: Pick<Context, 'progress'>,
): Judged {
  const logProba = scoreRows(model, rows, (share) => progress.step(texts.phases.judging(), { share }));
  progress.end();
  return { classes: model.classes.map(String), truth: labels, logProba };
}

/** Evaluates a recipe by folds: every labelled row by a model that has learned the others, and all unlabelled ones. */
export function crossJudge(
  rows: readonly DataRow[],
  labels: readonly string[],
  recipe: Recipe,
  parts: readonly Part[],
  { progress }: Pick<Context, 'progress'>,
  unlabelled: readonly DataRow[] = [],
): Judged[] {
  return parts.map(({ train, test }, k) => {
    const what = texts.phases.fold(k + 1, parts.length);
    progress.step(texts.phases.folding(), { share: k / parts.length, what });
    const model = Classifier.fit([...train.map((i) => rows[i]), ...unlabelled], { ...recipe, evaluate: false });
    const logProba = scoreRows(
      model,
      test.map((i) => rows[i]),
      () => undefined,
    );
    return { classes: model.classes.map(String), truth: test.map((i) => labels[i]), logProba };
  });
}

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

export { foldsOf };
