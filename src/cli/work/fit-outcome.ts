import type { Classifier } from '../../auto/classifier.ts';
import { splitRows } from '../../auto/classifier-split.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import { copiesOf, planSplit, splitTable } from '../../evaluate/held-out.ts';
import { type Judged, type Judgement, judge } from '../../server/insight/judge.ts';
import type { Fit } from '../commands/fit.ts';
import { nameOf, type RowSource } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { count, counted, percent } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { inPlace } from './cell-problems.ts';
import { answers, crossJudge, foldsOf, joined, learn, type Recipe } from './learn.ts';
import { type Labelled, type Lesson, readLesson } from './lesson.ts';
import { recipeFor } from './recipe.ts';

/** How good a model is. */
export interface Verdict {
  readonly judged: Judged;
  readonly judgement: Judgement;
}

/** A model, and how good it is where it was evaluated. */
export interface Outcome {
  readonly model: Classifier;
  /** How many rows it has learned, where these are not all. */
  readonly learned?: number;
  readonly verdict?: Verdict | undefined;
}

/** Evaluates a model on held-out rows; the model that is written has learned all rows, unless `--no-refit` is given. */
function byHoldOut(context: Fit, lesson: Lesson, recipe: Recipe): Outcome {
  const { holdout, seed, refit, splitColumn } = context.options;
  const { table, target, unlabelled } = lesson;
  const early = recipe.model === 'auto' ? recipe : { ...recipe, evaluate: false };
  if (splitColumn !== undefined) return bySplit(context, lesson, recipe, splitColumn);
  const split = planSplit(lesson.all, target, holdout, seed);
  const [train, test] = splitTable(table, split);
  const withUnlabelled = (some: BlockTable) => (unlabelled ? [...some.records(), ...unlabelled] : some);
  if (test.length === 0) return { model: learn(withUnlabelled(table), early, context) };
  const first = learn(withUnlabelled(table.take(train)), early, context);
  const judged = answers(first, lesson, test, context);
  const verdict = { judged, judgement: judgeHeld(judged, table.length) };
  if (!refit) return { model: first, verdict };
  // an ensemble stays as it was chosen and evaluated, and learns the held-out rows too
  if (recipe.model === 'auto') return { model: first.change('partialFit', table.take(test)), verdict };
  return { model: learn(withUnlabelled(table), early, context, texts.phases.again()), verdict };
}

/** A model of the training rows of a split column, evaluated on its test rows; it is the one that is written. */
function bySplit(context: Fit, lesson: Lesson, recipe: Recipe, column: string): Outcome {
  const { train, test } = splitRows(lesson.rows, column);
  const model = learn(lesson.table, { ...recipe, evaluate: false }, context);
  const judged = answers(model, lesson, test, context);
  const judgement = judge(judged, texts.fit.bySplit(counted(test.length, 'row'), safe(column)));
  return { model, learned: train.length, verdict: { judged, judgement } };
}

/** The evaluation on held-out rows, of so many rows in all. */
export function judgeHeld(judged: Judged, rows: number): Judgement {
  const held = judged.truth.length;
  return judge(judged, texts.fit.heldOut(count(held), counted(rows, 'row'), percent(held / rows, 0)));
}

/** A model is judged by folds: every row by a model of the others. */
function byFolds(context: Fit, lesson: Lesson, recipe: Recipe): Outcome {
  const { cv = 5, seed } = context.options;
  const { rows, labels, target } = lesson;
  const parts = foldsOf(labels, copiesOf(lesson.table, target), cv, seed);
  const judged = joined(crossJudge(lesson, recipe, parts, context));
  context.progress.end();
  const judgement = judge(judged, texts.fit.byFolds(cv, count(rows.length)));
  const model = learn([...rows, ...(lesson.unlabelled ?? [])], recipe, context);
  return { model, verdict: { judged, judgement } };
}

/** What `polya fit` has made of its data. */
export interface FitResult extends Outcome {
  readonly source: RowSource;
  readonly target: string;
  /** Why the target is believed to be it, where it was not given. */
  readonly guessed: string | undefined;
  /** How many rows there are. */
  readonly rows: number;
}

/** Learns from rows that are all in memory, as a choice among models, folds and calibration need them. */
export async function fitRows(context: Fit, ready: (target: string) => void): Promise<FitResult> {
  const { options, args } = context;
  const lesson = await readLesson(context as Labelled, args);
  const { source, target, guessed, unlabelled } = lesson;
  if (options.splitColumn !== undefined) requireColumn(context, options.splitColumn, lesson.table.names, nameOf(args));
  ready(target);
  const table = unlabelled ? new RecordTable([...lesson.rows, ...unlabelled]) : lesson.table;
  const named = recipeFor(context, { table, target }, options.model, options.splitColumn);
  const recipe = unlabelled ? { ...named, unlabeled: 'use' as const } : named;
  if (unlabelled) requireFamily(context, unlabelled.length);
  const outcome = inPlace(lesson.table, { file: nameOf(args), weights: options.weights }, () =>
    options.cv ? byFolds(context, lesson, recipe) : byHoldOut(context, lesson, recipe),
  );
  return { ...outcome, source, target, guessed, rows: lesson.table.length };
}

/** Unlabelled rows are for a model that keeps its counts. */
function requireFamily({ options, words, print }: Fit, rows: number): void {
  if (options.model === 'auto') {
    fail('E_USAGE', texts.fit.unlabeledNeedsFamily(), { command: commandLine([...words, '--model', 'multinomial']) });
  }
  print.talk(texts.fit.unlabeledUsed(counted(rows, 'row')));
}
