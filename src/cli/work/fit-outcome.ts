import type { DataRow } from '../../auto/cells.ts';
import { Classifier } from '../../auto/classifier.ts';
import { splitRows } from '../../auto/classifier-split.ts';
import { type Judged, type Judgement, judge } from '../../server/insight/judge.ts';
import type { Fit } from '../commands/fit.ts';
import { count, counted, percent } from '../numbers.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import type { CountedLesson } from './counted-lesson.ts';
import { answers, crossJudge, foldsOf, joined, learn, type Recipe } from './learn.ts';
import type { Lesson } from './lesson.ts';
import { groupsOf, holdOut, type Part, unlessMost } from './split.ts';

/** A lesson of rows, or of words that are counted. */
export type Studied = Omit<Lesson, 'source'> &
  Pick<CountedLesson, 'source'> &
  Partial<Pick<CountedLesson, 'counted' | 'crew' | 'schema'>>;

/** How good a model is. */
export interface Verdict {
  readonly judged: Judged;
  readonly judgement: Judgement;
}

/** A model, and the way to learn how good it is where it is judged. */
export interface Outcome {
  readonly model: Classifier;
  /** How many rows it has learned, where these are not all. */
  readonly learned?: number;
  readonly verdict?: () => Verdict | Promise<Verdict>;
}

/** A model is judged by rows that were set aside; the one that is written has learned all, unless told otherwise. */
export function byHoldOut(context: Fit, lesson: Studied, recipe: Recipe): Outcome | Promise<Outcome> {
  const { holdout, seed, refit, splitColumn } = context.options;
  const { rows, labels } = lesson;
  const early = recipe.model === 'auto' ? recipe : { ...recipe, evaluate: false };
  if (splitColumn !== undefined) return bySplit(context, lesson, recipe, splitColumn);
  const part = holdout === 0 ? undefined : holdOut(labels, copiesOf(lesson), holdout, seed);
  if (lesson.counted) return countedOutcome(context, { ...lesson, counted: lesson.counted }, early, part);
  const withUnlabelled = (some: readonly DataRow[]) => [...some, ...(lesson.unlabelled ?? [])];
  if (!part || part.test.length === 0) return { model: learn(withUnlabelled(rows), early, context) };
  const first = learn(withUnlabelled(part.train.map((i) => rows[i])), early, context);
  const judged = answers(
    first,
    part.test.map((i) => rows[i]),
    part.test.map((i) => labels[i]),
    context,
  );
  const verdict = { judged, judgement: judgeHeld(context, judged) };
  const model = refit ? learn(withUnlabelled(rows), early, context, texts.phases.again()) : first;
  return { model, verdict: () => verdict };
}

/** The same with words that are counted: those of the rows that were set aside are counted again, while others learn, and taken away. */
async function countedOutcome(
  context: Fit,
  { rows, labels, counted, crew }: Studied & Pick<CountedLesson, 'counted'>,
  recipe: Recipe,
  part: Part | undefined,
): Promise<Outcome> {
  const held = part && part.test.length > 0 ? counted.hold(part.test) : undefined;
  const model = await Classifier.fitCounted(rows, recipe, counted.words);
  if (!held || !part) return { model };
  const verdict = async () => {
    const words = await held.words();
    crew?.dismiss();
    const { classes, logProba } = model.predictCounted(words);
    const judged = { classes: classes.map(String), truth: part.test.map((i) => labels[i]), logProba };
    return { judged, judgement: judgeHeld(context, judged) };
  };
  return { model, verdict };
}

/** A model of the training rows of a split column, evaluated on its test rows; it is the one that is written. */
function bySplit(context: Fit, { rows, labels }: Studied, recipe: Recipe, column: string): Outcome {
  const { train, test } = splitRows(rows, column);
  const model = learn(rows, { ...recipe, evaluate: false }, context);
  const own = test.map((i) => rows[i]);
  const truth = test.map((i) => labels[i]);
  const judged = answers(model, own, truth, context);
  const judgement = judge(judged, texts.fit.bySplit(counted(test.length, 'row'), safe(column)));
  return { model, learned: train.length, verdict: () => ({ judged, judgement }) };
}

const judgeHeld = ({ options }: Fit, judged: Judged): Judgement =>
  judge(judged, texts.fit.heldOut(counted(judged.truth.length, 'row'), percent(options.holdout, 0)));

/** A model is judged by folds: every row by a model of the others. */
export function byFolds(context: Fit, lesson: Studied, recipe: Recipe): Outcome {
  const { cv = 5, seed } = context.options;
  const { rows, labels } = lesson;
  const parts = foldsOf(labels, copiesOf(lesson), cv, seed);
  const judged = joined(crossJudge(rows, labels, recipe, parts, context, lesson.unlabelled));
  context.progress.end();
  const judgement = judge(judged, texts.fit.byFolds(cv, count(rows.length)));
  const model = learn([...rows, ...(lesson.unlabelled ?? [])], recipe, context);
  return { model, verdict: () => ({ judged, judgement }) };
}

/** For each row a number that its copies share. */
function copiesOf({ rows, target, counted }: Studied): Int32Array {
  if (!counted) return groupsOf(rows, target, new Set());
  return unlessMost(counted.copies, new Set(counted.copies).size);
}
