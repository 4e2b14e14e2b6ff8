import { setImmediate } from 'node:timers/promises';
import { Classifier } from '../../auto/classifier.ts';
import type { BegunFit } from '../../auto/classifier-family.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { RecordLearner } from '../../auto/learner.ts';
import { familyNamed, makeEstimator } from '../../auto/learner-families.ts';
import { finishAsync } from '../../auto/steps.ts';
import type { DataRow } from '../../data/cells.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { Matrix } from '../../data/matrix.ts';
import { PolyaError } from '../../errors.ts';
import type { ScoredRows } from '../../evaluate/evaluation.ts';
import { planFolds, type RowSplit, splitTable } from '../../evaluate/held-out.ts';
import { sum } from '../../math/arrays.ts';
import { KeptRows, MOST_KEPT_BYTES } from '../../node/kept-rows.ts';
import type { RowSource } from '../data.ts';
import type { Context } from '../declare.ts';
import { count } from '../numbers.ts';
import { fail, misuse } from '../problem.ts';
import { partOf } from '../progress.ts';
import { commandLine } from '../shell.ts';
import { choose } from './budget.ts';
import { type Place, withCellErrors } from './cell-problems.ts';
import {
  checkLabelled,
  type Labelled,
  type LabelledData,
  type LabelledRows,
  openData,
  piecesOf,
  readLabelled,
  type Scored,
  scoreData,
} from './labelled.ts';
import { scorerOf } from './model-input.ts';
import { type Learning, recipeFor } from './options.ts';
import { withLabels } from './table-rows.ts';
import { run } from './works.ts';

/** A command that fits models to labelled rows. */
export type Fitting = Learning & Labelled;

/** How rows in memory are fitted. */
interface LearnRun {
  /** The name on the progress line. */
  readonly phase?: string;
  /** Whether to finish with the best models so far; if not given, the first Ctrl-C does that. */
  readonly enough?: (() => boolean) | undefined;
}

/** Fits rows in memory and reports progress. Signals are handled between steps. */
export async function learn(
  rows: readonly DataRow[] | BlockTable,
  recipe: ClassifierOptions,
  context: Pick<Context, 'progress' | 'io' | 'options' | 'words'>,
  { phase = 'learning', enough }: LearnRun = {},
): Promise<Classifier> {
  const { progress } = context;
  const onProgress = (share: number, what: string) => progress.step(phase, { share, what });
  const make = (stop: () => boolean) => {
    const steps = Classifier.fitSteps(rows, { ...recipe, onProgress });
    return finishAsync(steps, { onProgress, enough: stop }, () => setImmediate());
  };
  try {
    if (enough || recipe.model !== 'auto') return await make(enough ?? (() => false));
    return await choose(context, make);
  } catch (error) {
    if (!(error instanceof PolyaError) || error.code !== 'E_CLASS_TOO_SMALL' || recipe.model !== 'auto') throw error;
    const sentence = 'There are too few rows to choose a model: no class has two different ones.';
    return fail(error.code, sentence, {
      ...{ details: error.details, cause: error },
      notes: ['Add rows, or name a model:'],
      command: commandLine([...context.words, '--model', 'mixed']),
    });
  } finally {
    progress.end();
  }
}

/** Whether a model is fitted in one pass: no option needs the rows a second time. */
export function isOnePass({ options: { alpha, calibrate, unlabeled } }: Fitting, model = 'auto'): boolean {
  if (model === 'auto' || alpha === 'auto' || unlabeled === 'use') return false;
  return ['auto', 'none'].includes(calibrate) && !makeEstimator(familyNamed(model), {}).settles;
}

/** Opens the data of a command that evaluates models by folds, with all rows in memory if one of the models needs that. */
export async function openFolds(context: Fitting, inMemory: boolean): Promise<LabelledData | LabelledRows> {
  const data = await openData(context, context.args, true);
  return inMemory ? readLabelled(context, data) : data;
}

/** The scores of a model type by folds. */
export interface Folded {
  readonly scoredRows: ScoredRows;
  /** By fold, in the order of `places`. */
  readonly scored: readonly Scored[];
  /** The numbers of the rows among those with a label, fold by fold. */
  readonly places: readonly number[];
  readonly rows: number;
  /** The model of all rows. */
  whole(): Classifier | Promise<Classifier>;
}

interface FoldOptions {
  /** A column whose cells are returned too. */
  readonly by?: string | undefined;
  /** Whether to stop: after the current fold, or in it with the best models so far if models are chosen. */
  readonly enough?: (() => boolean) | undefined;
}

/**
 * Evaluates a model type by folds: every row is scored by a model of the other folds and of all rows without a label. Undefined if it was
 * stopped.
 */
export async function evaluateFolds(
  context: Fitting,
  data: LabelledData,
  model: string,
  k: number,
  options: FoldOptions = {},
): Promise<Folded | undefined> {
  const { target, head } = data;
  const split = planFolds(head.table, target, k, context.options.seed);
  const fold = isOnePass(context, model) ? countFolds : learnFolds;
  const found = await fold(context, data, model, split, options);
  context.progress.end();
  return found && { ...found, scoredRows: joined(found.scored), rows: found.places.length };
}

type FoldScores = Pick<Folded, 'scored' | 'places' | 'whole'>;

/** All folds are counted in one pass; the model of the rows outside a fold is the sum of the other folds. */
async function countFolds(
  context: Fitting,
  data: LabelledData,
  model: string,
  split: RowSplit,
  { by, enough }: FoldOptions,
): Promise<FoldScores | undefined> {
  const begun = beginFit(context, data, model);
  const { parts, counts, kept } = await learnPieces(context, data, begun, split, [...split.shares.keys()]);
  requireFilled(counts);
  const rows = sum(counts);
  const scored: Scored[] = [];
  const after = parts.map(() => begun.learner.blank()); // the counts of all later folds
  for (let part = parts.length - 2; part >= 0; part--) after[part] = sumOf(parts[part + 1], after[part + 1]);
  const before = begun.learner.blank(parts[0]);
  for (const [part, counted] of parts.entries()) {
    const own = { ...context, progress: partOf(context.progress, 'folds', part, parts.length) };
    own.progress.step('', { what: `fold ${part + 1} of ${parts.length}` });
    await setImmediate(); // signals are handled here
    if (enough?.()) return undefined;
    const others = sumOf(before, after[part]);
    const fitted = begun.finish(others, rows - counts[part]);
    scored.push(await scorePart(own, data, fitted, kept[part], by));
    before.merge(counted);
    for (const learner of [others, after[part], counted]) learner.drop();
  }
  return { scored, places: kept.flatMap((own) => own.places), whole: () => begun.finish(before, rows) };
}

/** The sum of two learners. */
function sumOf(one: RecordLearner, other: RecordLearner): RecordLearner {
  const both = one.blank(one);
  both.merge(one);
  both.merge(other);
  return both;
}

/** Each fold is scored by a model that is fitted to the others, with all rows in memory. */
async function learnFolds(
  context: Fitting,
  data: LabelledData,
  model: string,
  split: RowSplit,
  { by, enough = () => false }: FoldOptions,
): Promise<FoldScores> {
  const labelledRows = await readLabelled(context, data);
  const { table, unlabelled } = labelledRows;
  const recipe = { ...recipeFor(context, labelledRows, model), ...(unlabelled && { unlabeled: 'use' as const }) };
  const rowsOf = (some: BlockTable) => (unlabelled ? [...some.records(), ...unlabelled] : some);
  const folds = partsOf(table, split);
  const scored: Scored[] = [];
  for (const [part, { train, test }] of folds.entries()) {
    const own = { ...context, progress: partOf(context.progress, 'folds', part, folds.length) };
    const fitted = await learn(rowsOf(table.take(train)), { ...recipe, evaluate: false }, own, { enough });
    scored.push(await scorePlaces(own, labelledRows, fitted, test, by));
  }
  const whole = () => learn(rowsOf(table), recipe, context, { phase: 'all rows' });
  return { scored, places: folds.flatMap(({ test }) => test), whole };
}

/** Numbers of rows to train with and to evaluate with. */
export interface Part {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** The rows of k folds; copies of a row stay together. */
export const foldsOf = (table: BlockTable, target: string, k: number, seed: number): Part[] =>
  partsOf(table, planFolds(table, target, k, seed));

function partsOf(table: BlockTable, split: RowSplit): Part[] {
  const parts = splitTable(table, split);
  requireFilled(parts.map(({ length }) => length));
  const foldOf = new Int32Array(table.length);
  for (const [part, rows] of parts.entries()) for (const row of rows) foldOf[row] = part;
  const all = [...foldOf.keys()];
  return parts.map((test, part) => ({ test, train: all.filter((row) => foldOf[row] !== part) }));
}

function requireFilled(counts: readonly number[]): void {
  if (counts.every((rows) => rows > 0)) return;
  misuse(`There are ${sum(counts)} distinct rows, too few for ${counts.length} folds.`);
}

/** Joins the scores of all folds; a class that is missing in a fold has probability 0 there. */
export function joined(parts: readonly ScoredRows[]): ScoredRows {
  const classes = [...new Set(parts.flatMap(({ classes: own }) => own))].sort();
  const rows = parts.reduce((all, { truth }) => all + truth.length, 0);
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

/** Describes an evaluation by folds. */
export const foldsText = (k: number, rows: number): string =>
  `${k} folds: ${count(rows)} rows, each evaluated by a model trained on the other folds`;

/** The rows of one part, and their numbers among all that have a label. */
export interface KeptPart {
  readonly rows: Pick<KeptRows, 'pieces' | 'bytes' | 'close'>;
  readonly places: readonly number[];
}

/** Some rows of a table in memory, as a part. */
const memoryPart = (table: BlockTable, places: readonly number[]): KeptPart => ({
  places,
  rows: { pieces: () => piecesOf(table, places), bytes: 0, close: async () => undefined },
});

/** Scores some rows in memory, by their numbers. */
export const scorePlaces = (
  context: Context,
  data: LabelledRows,
  model: Classifier,
  places: readonly number[],
  by?: string,
): Promise<Scored> => scorePart(context, data, model, memoryPart(data.table, places), by);

/** Scores the rows of one part, which are then released. */
export async function scorePart(
  context: Context,
  data: LabelledData,
  model: Classifier,
  { rows, places: { length } }: KeptPart,
  by?: string,
): Promise<Scored> {
  const checks = { strict: false };
  const scorer = scorerOf(model, data.source.name, checks);
  try {
    const kept = { pieces: () => rows.pieces(), bytes: rows.bytes, length };
    return await scoreData(context, data, { scorer, model: () => model.toBytes(), checks, kept, by });
  } finally {
    await rows.close();
  }
}

/** Chooses settings from a sample. A bad cell in the sample is reported with its line when its row is counted, or now if it is in the first rows. */
export function beginFit(
  context: Fitting,
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
    return withCellErrors(first, placeOf(context, source), () => Classifier.beginFit(first, recipe));
  }
}

const placeOf = ({ options, words }: Fitting, { place }: RowSource): Place => ({
  ...place,
  words,
  weights: options.weights,
});

/** Sums of fractions are added up in this many groups of pieces, whatever the number of threads. */
const LANES = 8;

/** Counts all pieces, each part of the rows separately, and keeps the rows of some parts. */
export async function learnPieces(
  context: Fitting,
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
    keeps: head.isAll ? [] : keeps,
  };
  const most = MOST_KEPT_BYTES / Math.max(1, keeps.length);
  const kept = counts.map(() => ({ rows: new KeptRows(most), places: [] as number[] }));
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
  checkLabelled(context, { ...found, rows: sum(counts), labels, target, place: source.place });
  if (!head.isAll || !split) return { parts, counts, kept };
  const table = withLabels(head.table, target, { unlabelled: 0, firstUnlabelled: undefined });
  return { parts, counts, kept: splitTable(table, split).map((places) => memoryPart(table, places)) };
}
