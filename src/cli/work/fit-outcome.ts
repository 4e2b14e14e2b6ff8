import { Classifier } from '../../auto/classifier.ts';
import { type Judged, type Judgement, judge } from '../../server/insight/judge.ts';
import type { Fit } from '../commands/fit.ts';
import { count, percent } from '../numbers.ts';
import { texts } from '../texts/index.ts';
import type { CountedLesson } from './counted-lesson.ts';
import { answers, crossJudge, foldsOf, joined, learn, type Recipe } from './learn.ts';
import type { Lesson } from './lesson.ts';
import { groupsOf, holdOut, type Part } from './split.ts';

/** A lesson of rows, or of words that are counted. */
export type Studied = Omit<Lesson, 'source'> &
  Pick<CountedLesson, 'source'> &
  Partial<Pick<CountedLesson, 'counted' | 'schema'>>;

/** A model, and how good it is where it was judged. */
export interface Outcome {
  readonly model: Classifier;
  readonly judged?: Judged;
  readonly judgement?: Judgement;
}

/** A model is judged by rows that were set aside; the one that is written has learned all, unless told otherwise. */
export function byHoldOut(context: Fit, lesson: Studied, recipe: Recipe): Outcome {
  const { holdout, seed, refit } = context.options;
  const { rows, labels, target } = lesson;
  const early = recipe.model === 'auto' ? recipe : { ...recipe, evaluate: false };
  const part = holdout === 0 ? undefined : holdOut(labels, copiesOf(rows, target), holdout, seed);
  if (lesson.counted) return countedOutcome(context, { ...lesson, counted: lesson.counted }, early, part);
  if (!part || part.test.length === 0) return { model: learn(rows, early, context) };
  const first = learn(
    part.train.map((i) => rows[i]),
    early,
    context,
  );
  const judged = answers(
    first,
    part.test.map((i) => rows[i]),
    part.test.map((i) => labels[i]),
    context,
  );
  const judgement = judgeHeld(context, judged);
  return { model: refit ? learn(rows, early, context, texts.phases.again()) : first, judged, judgement };
}

/** The same with words that are counted: those of the rows that were set aside are taken away again. */
function countedOutcome(
  context: Fit,
  { rows, labels, counted }: Studied & Pick<CountedLesson, 'counted'>,
  recipe: Recipe,
  part: Part | undefined,
): Outcome {
  const model = Classifier.fitCounted(rows, recipe, counted.words);
  if (!part || part.test.length === 0) return { model };
  const { words, others } = counted.without(part.test);
  const { classes, logProba } = model.predictCounted(words, others);
  const judged = { classes: classes.map(String), truth: part.test.map((i) => labels[i]), logProba };
  return { model, judged, judgement: judgeHeld(context, judged) };
}

const judgeHeld = ({ options }: Fit, judged: Judged): Judgement =>
  judge(judged, texts.fit.heldOut(count(judged.truth.length), percent(options.holdout, 0)));

/** A model is judged by folds: every row by a model of the others. */
export function byFolds(context: Fit, { rows, labels, target }: Studied, recipe: Recipe): Outcome {
  const { cv = 5, seed } = context.options;
  const parts = foldsOf(labels, copiesOf(rows, target), cv, seed);
  const judged = joined(crossJudge(rows, labels, recipe, parts, context));
  context.progress.end();
  const judgement = judge(judged, texts.fit.byFolds(cv, count(rows.length)));
  return { model: learn(rows, recipe, context), judged, judgement };
}

const copiesOf = (rows: Lesson['rows'], target: string) => groupsOf(rows, target, new Set());
