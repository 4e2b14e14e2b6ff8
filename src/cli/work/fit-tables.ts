import { Classifier } from '../../auto/classifier.ts';
import type { BegunFit } from '../../auto/classifier-stream.ts';
import { RecordLearner } from '../../auto/learner.ts';
import { familyNamed, makeEstimator } from '../../auto/learner-families.ts';
import { PolyaError } from '../../errors.ts';
import { planFolds, planSplit, type RowSplit } from '../../evaluate/held-out.ts';
import { sum } from '../../math/arrays.ts';
import { judge } from '../../server/insight/judge.ts';
import type { Evaluate } from '../commands/evaluate.ts';
import type { Fit } from '../commands/fit.ts';
import type { RowSource } from '../data.ts';
import { count } from '../numbers.ts';
import { fail } from '../problem.ts';
import { texts } from '../texts/index.ts';
import { inPlace, type Place } from './cell-problems.ts';
import { type FitResult, judgeHeld } from './fit-outcome.ts';
import { type LabelledData, openData, type Scored, scoreData } from './labelled-data.ts';
import { joined } from './learn.ts';
import { checkLabelled, type Labelled } from './lesson.ts';
import { judgeOf } from './model-input.ts';
import { recipeFor } from './recipe.ts';
import type { PartOfRows } from './score-work.ts';
import { withLabels } from './table-rows.ts';
import { run } from './works.ts';

/** Sums of fractions are added up in so many groups of pieces, whatever the number of threads. */
const LANES = 8;

/** A command that learns a named family from tables. */
type Learns = Fit | Evaluate;

/** Whether rows are learned in one pass: by a named family whose options need no second look at them. */
export function isOnePass({ options }: Learns): boolean {
  const { model = 'auto', alpha, calibrate } = options;
  if (model === 'auto' || alpha === 'auto' || !['auto', 'none'].includes(calibrate)) return false;
  if ('splitColumn' in options && (options.splitColumn !== undefined || options.unlabeled === 'use')) return false;
  return !makeEstimator(familyNamed(model), {}).settles;
}

/**
 * Learns a family from tables in one pass on every core. Held-out rows are counted apart in the same pass: a model of the others is
 * evaluated on them, for which they are read again, and the saved model is the sum of both.
 */
export async function fitTables(context: Fit, ready: (target: string) => void): Promise<FitResult> {
  const { args, options } = context;
  if (options.cv) return fitFolds(context, options.cv, ready);
  const share = options.stream ? 0 : options.holdout;
  const data = await openData(context as Labelled, args, share > 0);
  ready(data.target);
  const split = share > 0 ? planSplit(data.head.table, data.target, share, options.seed) : undefined;
  const begun = beginFit(context, data, options.model);
  const { parts, counts } = await learnPieces(context, data, begun, split);
  const [train, held] = parts;
  const [rows, heldRows] = [sum(counts), counts[1] ?? 0];
  const result = { source: data.source, target: data.target, guessed: data.guessed, rows };
  if (!split || heldRows === 0 || train.classes.length === 0) {
    if (heldRows > 0) train.merge(held);
    return { ...result, model: begun.finish(train, rows) };
  }
  const evaluated = begun.finish(train.prunes && options.refit ? train.copy() : train, rows);
  const judged = await scorePart(context, data, evaluated, { split, part: 1 });
  const verdict = { judged, judgement: judgeHeld(judged, rows) };
  if (options.refit) train.merge(held);
  return { ...result, model: options.refit ? begun.finish(train, rows) : evaluated, verdict };
}

/** Learns a family from tables, and evaluates it by folds. */
async function fitFolds(context: Fit, k: number, ready: (target: string) => void): Promise<FitResult> {
  const data = await openData(context as Labelled, context.args, true);
  const { source, target, guessed } = data;
  ready(target);
  const { judged, rows, all, begun } = await evaluateFolds(context, data, context.options.model, k);
  const verdict = { judged, judgement: judge(judged, texts.fit.byFolds(k, count(rows))) };
  return { source, target, guessed, rows, model: begun.finish(all, rows), verdict };
}

/**
 * Evaluates a family by folds. All folds are counted in one pass; the model of the rows outside a fold is the sum of the other folds, and
 * the rows of the fold are read again to be scored.
 */
export async function evaluateFolds(context: Learns, data: LabelledData, model: string, k: number, by?: string) {
  const split = planFolds(data.head.table, data.target, k, context.options.seed);
  const begun = beginFit(context, data, model);
  const { parts, counts } = await learnPieces(context, data, begun, split);
  const filled = counts.filter((rows) => rows > 0).length;
  if (filled < k) fail('E_USAGE', texts.fit.tooFewForFolds(k, sum(counts)));
  const rows = sum(counts);
  const scored: Scored[] = [];
  const after = parts.map(() => begun.learner.blank()); // what the folds after each have learned
  for (let part = k - 2; part >= 0; part--) after[part] = sumOf(parts[part + 1], after[part + 1]);
  const before = begun.learner.blank(parts[0]);
  for (const [part, own] of parts.entries()) {
    const others = sumOf(before, after[part]);
    const fitted = begun.finish(others, rows - counts[part]);
    scored.push(await scorePart(context, data, fitted, { split, part }, by));
    before.merge(own);
    for (const learner of [others, after[part], own]) learner.drop();
  }
  return { judged: joined(scored), scored, rows, all: before, begun };
}

/** What two learners have learned, as a third one. */
function sumOf(one: RecordLearner, other: RecordLearner): RecordLearner {
  const both = one.blank(one);
  both.merge(one);
  both.merge(other);
  return both;
}

/** What a model says of the rows of one part. */
function scorePart(
  context: Learns,
  data: LabelledData,
  model: Classifier,
  only: PartOfRows,
  by?: string,
): Promise<Scored> {
  const checks = { strict: false };
  const judge = judgeOf(model, data.source.name, checks);
  return scoreData(context, data, { judge, model: () => model.toBytes(), checks, only, by });
}

/** Settles what a sample settles. A bad cell of the sample is reported when its row is learned, with its line, unless it is among the first. */
function beginFit(context: Learns, { source, head, target }: LabelledData, model: string): BegunFit<Classifier> {
  const [first, sample] = [head.table, head.sample].map((table) =>
    withLabels(table, target, { unlabelled: 0, firstUnlabelled: undefined }),
  );
  const recipe = recipeFor(context as Fit, { table: sample, target }, model);
  try {
    return Classifier.beginFit(sample, recipe);
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return inPlace(first, placeOf(context, source), () => Classifier.beginFit(first, recipe));
  }
}

const placeOf = ({ options, words }: Learns, { name }: RowSource): Place => ({
  file: name,
  words,
  weights: options.weights,
});

/** Counts all pieces, each part of the rows apart. */
async function learnPieces(
  context: Learns,
  { source, head, target }: LabelledData,
  begun: BegunFit<Classifier>,
  split: RowSplit | undefined,
) {
  const { options, progress } = context;
  const counts = (split?.shares ?? [1]).map(() => 0);
  const found = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const setup = {
    plan: begun.learner.plan,
    learner: begun.learner.toState(),
    target,
    weight: options.weights,
    rows: source.rules,
    place: placeOf(context, source),
    split,
  };
  const totals = await run(context, source, head.pieces(), 'learn', setup, {
    lanes: begun.learner.exact ? undefined : LANES,
    onFound: ({ rows, unlabelled, firstUnlabelled }) => {
      for (const [part, own] of rows.entries()) counts[part] += own;
      found.unlabelled += unlabelled;
      found.firstUnlabelled ??= firstUnlabelled;
    },
  });
  progress.end();
  const parts = counts.map((_, part) => {
    const [first = begun.learner.blank(), ...others] = totals.map((all) => all[part]);
    const learner = first instanceof RecordLearner ? first : RecordLearner.fromState(setup.plan, first);
    for (const other of others) learner.mergeState(other instanceof RecordLearner ? other.toState() : other);
    return learner;
  });
  const labels = new Set(parts.flatMap((part) => part.classes.map(String)));
  checkLabelled(context as Labelled, { ...found, rows: sum(counts), labels, target, file: source.name });
  return { parts, counts };
}
