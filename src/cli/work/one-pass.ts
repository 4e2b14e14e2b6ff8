import { Classifier } from '../../auto/classifier.ts';
import type { BegunFit } from '../../auto/classifier-stream.ts';
import { RecordLearner } from '../../auto/learner.ts';
import { familyNamed, makeEstimator } from '../../auto/learner-families.ts';
import { PolyaError } from '../../errors.ts';
import { planFolds, type RowSplit } from '../../evaluate/held-out.ts';
import { sum } from '../../math/arrays.ts';
import { KeptRows, MOST_KEPT_BYTES } from '../../node/kept-rows.ts';
import type { RowSource } from '../data.ts';
import { fail } from '../problem.ts';
import { inPlace, type Place } from './cell-problems.ts';
import { type LabelledData, type Scored, scoreData } from './labelled-data.ts';
import { joined } from './learn.ts';
import { checkLabelled, type Labelled } from './lesson.ts';
import { judgeOf } from './model-input.ts';
import { type Learning, recipeFor } from './options.ts';
import { withLabels } from './table-rows.ts';
import { run } from './works.ts';

/** Sums of fractions are added up in so many groups of pieces, whatever the number of threads. */
const LANES = 8;

/** A command that learns a named family in one pass. */
export type OnePass = Learning & Labelled;

/** Whether a named family is learned in one pass: its options need no second look at the rows. */
export function isOnePass({ options: { alpha, calibrate } }: OnePass, model = 'auto'): boolean {
  if (model === 'auto' || alpha === 'auto' || !['auto', 'none'].includes(calibrate)) return false;
  return !makeEstimator(familyNamed(model), {}).settles;
}

/**
 * Evaluates a family by folds. All folds are counted in one pass, and their rows are kept; the model of the rows outside a fold is the sum of
 * the other folds.
 */
export async function evaluateFolds(context: OnePass, data: LabelledData, model: string, k: number, by?: string) {
  const split = planFolds(data.head.table, data.target, k, context.options.seed);
  const begun = beginFit(context, data, model);
  const folds = Array.from({ length: k }, (_, part) => part);
  const { parts, counts, kept } = await learnPieces(context, data, begun, split, folds);
  const filled = counts.filter((rows) => rows > 0).length;
  if (filled < k) fail('E_USAGE', `There are ${sum(counts)} different rows, too few for ${k} folds.`);
  const rows = sum(counts);
  const scored: Scored[] = [];
  const after = parts.map(() => begun.learner.blank()); // what the folds after each have learned
  for (let part = k - 2; part >= 0; part--) after[part] = sumOf(parts[part + 1], after[part + 1]);
  const before = begun.learner.blank(parts[0]);
  for (const [part, own] of parts.entries()) {
    const others = sumOf(before, after[part]);
    const fitted = begun.finish(others, rows - counts[part]);
    scored.push(await scorePart(context, data, fitted, kept[part], by));
    before.merge(own);
    for (const learner of [others, after[part], own]) learner.drop();
  }
  const places = kept.flatMap((own) => own.places);
  return { judged: joined(scored), scored, places, rows, all: before, begun };
}

/** What two learners have learned, as a third one. */
function sumOf(one: RecordLearner, other: RecordLearner): RecordLearner {
  const both = one.blank(one);
  both.merge(one);
  both.merge(other);
  return both;
}

/** The rows of one part, and their numbers among all that have a label. */
export interface KeptPart {
  readonly rows: KeptRows;
  readonly places: number[];
}

/** What a model says of the rows of one part, which are then dropped. */
export async function scorePart(
  context: OnePass,
  data: LabelledData,
  model: Classifier,
  { rows: kept }: KeptPart,
  by?: string,
): Promise<Scored> {
  const checks = { strict: false };
  const judge = judgeOf(model, data.source.name, checks);
  try {
    return await scoreData(context, data, { judge, model: () => model.toBytes(), checks, kept, by });
  } finally {
    await kept.close();
  }
}

/** Settles what a sample settles. A bad cell of the sample is reported when its row is learned, with its line, unless it is among the first. */
export function beginFit(
  context: OnePass,
  { source, head, target }: LabelledData,
  model: string,
): BegunFit<Classifier> {
  const [first, sample] = [head.table, head.sample].map((table) =>
    withLabels(table, target, { unlabelled: 0, firstUnlabelled: undefined }),
  );
  const recipe = recipeFor(context, { table: sample, target }, model);
  try {
    return Classifier.beginFit(sample, recipe);
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return inPlace(first, placeOf(context, source), () => Classifier.beginFit(first, recipe));
  }
}

const placeOf = ({ options, words }: OnePass, { name }: RowSource): Place => ({
  file: name,
  words,
  weights: options.weights,
});

/** Counts all pieces, each part of the rows apart, and keeps the rows of some parts. */
export async function learnPieces(
  context: OnePass,
  { source, head, target }: LabelledData,
  begun: BegunFit<Classifier>,
  split: RowSplit | undefined,
  keeps: readonly number[] = [],
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
    keeps,
  };
  const most = MOST_KEPT_BYTES / Math.max(1, keeps.length);
  const kept = counts.map((): KeptPart => ({ rows: new KeptRows(most), places: [] }));
  let before = 0;
  const totals = await run(context, source, head.pieces(), 'learn', setup, {
    lanes: begun.learner.exact ? undefined : LANES,
    onFound: async ({ rows, kept: own, unlabelled, firstUnlabelled }, piece) => {
      for (const { part, places, ...bytes } of own) {
        for (const place of places) kept[part].places.push(before + place);
        await kept[part].rows.add(bytes, piece);
      }
      before += sum(rows);
      for (const [part, many] of rows.entries()) counts[part] += many;
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
  checkLabelled(context, { ...found, rows: sum(counts), labels, target, file: source.name });
  return { parts, counts, kept };
}
