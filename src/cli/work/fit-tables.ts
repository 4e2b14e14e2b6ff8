import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import type { BegunFit } from '../../auto/classifier-stream.ts';
import { RecordLearner } from '../../auto/learner.ts';
import { familyNamed, makeEstimator } from '../../auto/learner-families.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { PolyaError } from '../../errors.ts';
import { planSplit, type RowSplit } from '../../evaluate/held-out.ts';
import type { Fit } from '../commands/fit.ts';
import type { RowSource } from '../data.ts';
import { inPlace, type Place } from './cell-problems.ts';
import { type FitResult, judgeHeld } from './fit-outcome.ts';
import { type LabelledData, openData, scoreData } from './labelled-data.ts';
import { checkLabelled, type Labelled } from './lesson.ts';
import { judgeOf } from './model-input.ts';
import { recipeFor } from './recipe.ts';
import { withLabels } from './table-rows.ts';
import { run } from './works.ts';

/** Sums of fractions are added up in so many groups of pieces, whatever the number of threads. */
const LANES = 8;

/** Whether a model is learned in one pass: a named family whose options need no second look at the rows. */
export function isOnePass({ options }: Fit): boolean {
  return (
    options.model !== 'auto' &&
    !options.cv &&
    options.splitColumn === undefined &&
    options.unlabeled !== 'use' &&
    options.alpha !== 'auto' &&
    !makeEstimator(familyNamed(options.model), {}).settles &&
    (options.calibrate === 'auto' || options.calibrate === 'none')
  );
}

/**
 * Learns a family from tables in one pass on every core. Held-out rows are counted apart in the same pass: a model of the others is
 * evaluated on them, for which they are read again, and the saved model is the sum of both.
 */
export async function fitTables(context: Fit, ready: (target: string) => void): Promise<FitResult> {
  const { args, options } = context;
  const share = options.stream ? 0 : options.holdout;
  const data = await openData(context as Labelled, args, share > 0);
  const { source, head, target, guessed } = data;
  ready(target);
  const [first, sample] = [head.table, head.sample].map((table) =>
    withLabels(table, target, { unlabelled: 0, firstUnlabelled: undefined }),
  );
  const split = share > 0 ? planSplit(head.table, target, share, options.seed) : undefined;
  const recipe = recipeFor(context, { table: sample, target });
  const begun = beginFit(context, source, recipe, [sample, first]);
  const learned = await learnPieces(context, data, { begun, split });
  const { train, held, rows, heldRows } = learned;
  if (!split || heldRows === 0 || train.classes.length === 0) {
    train.merge(held);
    return { source, target, guessed, rows, model: begun.finish(train, rows) };
  }
  const evaluated = begun.finish(train.prunes && options.refit ? train.copy() : train, rows);
  const checks = { strict: false };
  const judge = judgeOf(evaluated, source.name, checks);
  const judged = await scoreData(context, data, { judge, model: evaluated.toBytes(), checks, split });
  const verdict = { judged, judgement: judgeHeld(judged, rows) };
  if (options.refit) train.merge(held);
  const model = options.refit ? begun.finish(train, rows) : evaluated;
  return { source, target, guessed, rows, model, verdict };
}

/** Settles what a sample settles. A bad cell of the sample is reported when its row is learned, with its line, unless it is among the first. */
function beginFit(
  context: Fit,
  source: RowSource,
  recipe: ClassifierOptions,
  [sample, first]: readonly BlockTable[],
): BegunFit<Classifier> {
  try {
    return Classifier.beginFit(sample, recipe);
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return inPlace(first, placeOf(context, source), () => Classifier.beginFit(first, recipe));
  }
}

const placeOf = ({ options, words }: Fit, { name }: RowSource): Place => ({
  file: name,
  words,
  weights: options.weights,
});

/** Counts all pieces; training rows and held-out rows apart. */
async function learnPieces(
  context: Fit,
  { source, head, target }: LabelledData,
  { begun, split }: { readonly begun: BegunFit<Classifier>; readonly split: RowSplit | undefined },
) {
  const { options, progress } = context;
  const found = { rows: 0, held: 0, unlabelled: 0, firstUnlabelled: undefined as number | undefined };
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
    onFound: (own) => {
      found.rows += own.rows;
      found.held += own.held;
      found.unlabelled += own.unlabelled;
      found.firstUnlabelled ??= own.firstUnlabelled;
    },
  });
  progress.end();
  const [train, held] = [0, 1].map((part) => {
    const [first = begun.learner.blank(), ...others] = totals.flatMap((parts) => parts[part] ?? []);
    const learner = first instanceof RecordLearner ? first : RecordLearner.fromState(setup.plan, first);
    for (const other of others) learner.mergeState(other instanceof RecordLearner ? other.toState() : other);
    return learner;
  });
  const labels = new Set([...train.classes, ...held.classes].map(String));
  checkLabelled(context as Labelled, { ...found, labels, target, file: source.name });
  return { train, held, rows: found.rows, heldRows: found.held };
}
