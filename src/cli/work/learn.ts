import { setImmediate } from 'node:timers/promises';
import { Classifier } from '../../auto/classifier.ts';
import type { BegunFit } from '../../auto/classifier-family.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { RecordLearner } from '../../auto/learner.ts';
import { familyNamed, makeEstimator } from '../../auto/learner-families.ts';
import { splitRows } from '../../auto/schema-kinds.ts';
import { finishAsync } from '../../auto/steps.ts';
import type { DataRow } from '../../data/cells.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
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
import { type Place, withCellErrors, withCellErrorsAsync } from './cell-problems.ts';
import {
  checkLabelled,
  type Labelled,
  type LabelledData,
  type LabelledRows,
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

/** Labelled rows in parts, and the models of all rows or of all but one part. */
export interface Training {
  /** The number of rows with a label in each part. */
  readonly counts: readonly number[];
  /** Fits the rows outside a part, or all rows. Parts are left out in their order, and all rows are fitted last. */
  model(context: Fitting, without?: number, enough?: () => boolean): Promise<Classifier>;
  /** Scores the rows of a part, which are then released. */
  score(context: Context, model: Classifier, part: number, by?: string): Promise<Scored>;
}

/** How rows are divided. */
interface Division {
  /** Parts by the content of rows; without it, all rows are one part. */
  readonly split?: RowSplit | undefined;
  /** The parts whose rows are scored. */
  readonly scored?: readonly number[];
  /** A column that says which rows are for training, the first part, and which for evaluation, the second. */
  readonly splitColumn?: string | undefined;
}

/** Prepares the models of a type: the rows are counted in one pass, or kept in memory for models that need them again. */
export async function train(
  context: Fitting,
  data: LabelledData,
  model: string,
  division: Division = {},
): Promise<Training> {
  const passes = division.splitColumn === undefined && isOnePass(context, model);
  return passes
    ? countParts(context, data, model, division)
    : keepParts(context, await readLabelled(context, data), model, division);
}

/** Counts all parts in one pass; the model of the rows outside a part is the sum of the other parts. */
async function countParts(
  context: Fitting,
  data: LabelledData,
  model: string,
  { split, scored = [] }: Division,
): Promise<Training> {
  const begun = beginFit(context, data, model);
  const { parts, counts, rowsOfPart } = await learnPieces(context, data, begun, split, scored);
  const rows = sum(counts);
  const last = parts.length - 1;
  const after: RecordLearner[] = []; // the sum of all later parts
  let [next, before, outside]: [number, RecordLearner, RecordLearner | undefined] = [1, parts[0], undefined];
  const addUpTo = (part: number) => {
    for (; next < part; next++) {
      before.merge(parts[next]);
      parts[next].drop();
    }
  };
  const sumWithout = (part: number): RecordLearner => {
    addUpTo(part);
    if (part === last) return before.prunes ? before.copy() : before;
    if (after.length === 0) {
      after[last - 1] = sumOf(parts[last]);
      for (let k = last - 2; k >= part; k--) after[k] = sumOf(parts[k + 1], after[k + 1]);
    }
    if (part === 0) return after[0];
    const all = sumOf(before, after[part]);
    after[part].drop();
    return all;
  };
  return {
    counts,
    model: async (_, without) => {
      if (outside !== before) outside?.drop();
      outside = undefined;
      if (without === undefined) {
        addUpTo(parts.length);
        return begun.finish(before, rows);
      }
      outside = sumWithout(without);
      return begun.finish(outside, rows - counts[without]);
    },
    score: (own, fitted, part, by) => scorePart(own, data, fitted, rowsOfPart(part), by),
  };
}

/** A new learner with the sum of others. */
function sumOf(...learners: readonly RecordLearner[]): RecordLearner {
  const all = learners[0].blank(learners[0]);
  for (const learner of learners) all.merge(learner);
  return all;
}

/** Fits models to rows in memory. */
function keepParts(
  context: Fitting,
  data: LabelledRows,
  model: string,
  { split, splitColumn, scored = [] }: Division,
): Training {
  const { table, source, unlabelled } = data;
  const seen = unlabelled ? new RecordTable([...table.records(), ...unlabelled]) : table;
  const recipe = {
    ...recipeFor(context, { ...data, table: seen }, model, splitColumn),
    ...{ evaluate: false, ...(unlabelled && { unlabeled: 'use' as const }) },
  };
  const places = split
    ? splitTable(table, split)
    : splitColumn === undefined
      ? [rowsOf(table)]
      : columnParts(table, splitColumn);
  const place = { ...source.place, weights: context.options.weights };
  let partial: Classifier | undefined;
  return {
    counts: places.map(({ length }) => length),
    model: async (own, without, enough) => {
      // an ensemble stays as it was chosen and evaluated, and learns the held-out rows too
      if (partial && model === 'auto' && scored.length === 1)
        return partial.change('partialFit', table.take(places[scored[0]]));
      const rows = without === undefined || splitColumn !== undefined ? table : table.take(outside(places, without));
      const phase = without === undefined && split ? 'all rows' : 'learning';
      const all = unlabelled && splitColumn === undefined ? [...rows.records(), ...unlabelled] : rows;
      partial = await withCellErrorsAsync(table, place, () => learn(all, recipe, own, { phase, enough }));
      return partial;
    },
    score: (own, fitted, part, by) => scorePlaces(own, data, fitted, places[part], by),
  };
}

const rowsOf = ({ length }: BlockTable): number[] => Array.from({ length }, (_, i) => i);

/** The training rows and the rows to evaluate on, by a column. */
function columnParts(table: BlockTable, column: string): (readonly number[])[] {
  const { train: learned, test } = splitRows(table.records(), column);
  return [learned, test];
}

/** The numbers of the rows outside one part, ascending. */
const outside = (parts: readonly (readonly number[])[], part: number): number[] =>
  parts.flatMap((own, k) => (k === part ? [] : own)).sort((a, b) => a - b);

/** The scores of a model type by folds. */
export interface Folded {
  readonly scoredRows: ScoredRows;
  /** By fold. */
  readonly scored: readonly Scored[];
  readonly rows: number;
  /** The model of all rows. */
  whole(): Promise<Classifier>;
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
  { by, enough = () => false }: FoldOptions = {},
): Promise<Folded | undefined> {
  const split = planFolds(data.head.table, data.target, k, context.options.seed);
  const training = await train(context, data, model, { split, scored: [...split.shares.keys()] });
  requireFilled(training.counts);
  const scored: Scored[] = [];
  for (let part = 0; part < k; part++) {
    const own = { ...context, progress: partOf(context.progress, 'folds', part, k) };
    own.progress.step('', { what: `fold ${part + 1} of ${k}` });
    await setImmediate(); // signals are handled here
    if (model !== 'auto' && enough()) return undefined;
    scored.push(await training.score(own, await training.model(own, part, enough), part, by));
  }
  context.progress.end();
  return { scoredRows: joined(scored), scored, rows: sum(training.counts), whole: () => training.model(context) };
}

/** Numbers of rows to train with and to evaluate with. */
export interface Part {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** The rows of k folds; copies of a row stay together. */
export function foldsOf(table: BlockTable, target: string, k: number, seed: number): Part[] {
  const parts = splitTable(table, planFolds(table, target, k, seed));
  requireFilled(parts.map(({ length }) => length));
  return parts.map((test, part) => ({ test, train: outside(parts, part) }));
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

/** The rows of one part, which are read again to be scored. */
type KeptPart = Pick<KeptRows, 'pieces' | 'bytes' | 'close'> & { readonly length: number };

/** Some rows in memory, by their numbers. */
const memoryPart = (table: BlockTable, places: readonly number[]): KeptPart => ({
  ...{ pieces: () => piecesOf(table, places), bytes: 0, length: places.length, close: async () => undefined },
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
async function scorePart(
  context: Context,
  data: LabelledData,
  model: Classifier,
  kept: KeptPart,
  by?: string,
): Promise<Scored> {
  const checks = { strict: false };
  const scorer = scorerOf(model, data.source.name, checks);
  try {
    return await scoreData(context, data, { scorer, model: () => model.toBytes(), checks, kept, by });
  } finally {
    await kept.close();
  }
}

/** Chooses settings from a sample. A bad cell in the sample is reported with its line when its row is counted, or now if it is in the first rows. */
function beginFit(context: Fitting, { source, head, target }: LabelledData, model: string): BegunFit<Classifier> {
  const [first, sample] = [head.table, head.sample].map((table) =>
    withLabels(table, target, { unlabelled: 0, firstUnlabelled: undefined }),
  );
  const recipe = recipeFor(context, { table: sample, target, source }, model);
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
async function learnPieces(
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
  const kept = counts.map(() => new KeptRows(most));
  const totals = await run(context, source, head.pieces(), 'learn', setup, {
    lanes: begun.learner.exact ? undefined : LANES,
    onFound: async ({ rows, kept: own, unlabelled, firstUnlabelled }, piece) => {
      for (const { part, ...bytes } of own) await kept[part].add(bytes, piece);
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
  const table = withLabels(head.table, target, { unlabelled: 0, firstUnlabelled: undefined });
  const places = head.isAll && split ? splitTable(table, split) : undefined;
  const rowsOfPart = (part: number): KeptPart =>
    places
      ? memoryPart(table, places[part])
      : {
          pieces: () => kept[part].pieces(),
          bytes: kept[part].bytes,
          length: counts[part],
          close: () => kept[part].close(),
        };
  return { parts, counts, rowsOfPart };
}
