import { requireWeightedClasses } from '../core/class-weight.ts';
import { requireItems, requireKind } from '../data/arguments.ts';
import type { DataRow } from '../data/cells.ts';
import { type ColumnTable, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import { suggest } from '../data/suggest.ts';
import { requireGoing } from '../engines/memory.ts';
import { PolyaError, refuse } from '../errors.ts';
import { countingParts, reportFor } from './classifier-counting.ts';
import { gatherTable } from './classifier-dataset.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import { type ClassifierOptions, checkOptions, namedRecipe } from './classifier-options.ts';
import { FamilyPredictor } from './classifier-predictors.ts';
import type { RecordLearner } from './learner.ts';
import { type FamilyName, familyNamed } from './learner-families.ts';
import { blankLearner, settle } from './learner-recipe.ts';
import { weightsOf } from './learner-schema.ts';
import { labelCodes } from './records.ts';
import { requireRecords, schemaOfAll } from './schema.ts';

/** Rows in parts, as a file is read. */
export type RowBatches = AsyncIterable<readonly DataRow[]> | Iterable<readonly DataRow[]>;

/**
 * Learns a named family in one pass over rows that need not fit in memory. Kinds of columns, cuts and fills are settled by the
 * first part, or given; words and levels grow with the rows, and rules such as minDf apply to the whole at the end.
 */
export async function fitStream(batches: RowBatches, options: ClassifierOptions): Promise<ClassifierParts> {
  familyOfStream(options);
  requireKind(batches, 'batches of rows', 'stream');
  const { signal, onProgress } = options;
  let begun: BegunParts | undefined;
  let done = 0;
  for await (const given of batches) {
    requireGoing(signal);
    if (requireItems(given, 'a list of rows as every batch').length === 0) continue;
    requireRecords(given);
    const table = new RecordTable(flattenRows(given));
    begun ??= beginParts(table, options);
    learnTable(begun.learner, table, options, done);
    done += table.length;
    onProgress?.(0, `${done} rows`);
  }
  if (!begun) return refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  const parts = begun.finish(begun.learner, done);
  onProgress?.(1, 'done');
  return parts;
}

/** A fit whose rows are still to be learned. */
export interface BegunFit<Result> {
  /** A learner that has learned nothing, with all that a sample settles: kinds of columns, cuts, fills. */
  readonly learner: RecordLearner;
  readonly report: FitReport;
  /** Makes the result of a learner of the same plan, which has learned `rows` rows and must not be used afterwards. */
  finish(learner: RecordLearner, rows: number): Result;
}

type BegunParts = BegunFit<ClassifierParts>;

/** Settles what a named family needs to know of the columns by a sample of the rows. */
export function beginParts(sample: ColumnTable, options: ClassifierOptions): BegunParts {
  const model = familyOfStream(options);
  const dataset = gatherTable(sample, options, true);
  const { table, codes, classes } = dataset;
  const recipe = namedRecipe(model, dataset, options);
  const learner = blankLearner(recipe, settle(recipe, table, codes, classes.length), options.weight !== undefined);
  const found = {
    options,
    seed: options.seed ?? 0,
    evaluated: undefined,
    alone: [],
    division: undefined,
  };
  const report = reportFor(dataset, learner, found);
  const finish = (learned: RecordLearner, rows: number) => {
    learned.finish();
    requireWeightedClasses(options.classWeight ?? null, learned.classes, suggest);
    const schema = options.schema ? report.schema : schemaOfAll(report.schema, rows, learned.classes.length);
    return countingParts({ ...report, schema }, new FamilyPredictor(learned), options);
  };
  return { learner, report, finish };
}

/** The family that a stream is learned by; refuses options that need all rows at once. */
function familyOfStream(options: ClassifierOptions): FamilyName {
  checkOptions(options);
  const { model = 'auto', calibrate, evaluate, splitColumn } = options;
  if (model === 'auto')
    refuse('E_PARAM', 'a stream is read once, and nothing can be chosen: name a model', { name: 'model' });
  if (calibrate || evaluate) {
    const advice = 'calibrate and evaluate it afterwards on rows that it has not learned';
    refuse('E_PARAM', `a stream is read once, without folds: ${advice}`, {
      name: calibrate ? 'calibrate' : 'evaluate',
    });
  }
  if (splitColumn !== undefined)
    refuse('E_PARAM', 'a stream is read once, and is not split: leave out splitColumn', { name: 'splitColumn' });
  return familyNamed(model);
}

/** Learns a part of the rows, of which `before` came earlier: a refusal has the row number in the whole. */
export function learnTable(
  learner: RecordLearner,
  table: ColumnTable,
  { target, weight, signal }: Pick<ClassifierOptions, 'target' | 'weight' | 'signal'>,
  before = 0,
): void {
  shifted(before, () => {
    learner.partialFit({ table, labels: labelCodes(table, target), weights: weightsOf(table, weight), signal });
  });
}

/** Runs `work` on a part whose first row has the number `before` in the whole, to which row numbers of refusals are adapted. */
function shifted(before: number, work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (before === 0 || !(cause instanceof PolyaError) || typeof cause.details.row !== 'number') throw cause;
    const row = cause.details.row + before;
    const sentence = cause.message.replace(`row ${cause.details.row}`, () => `row ${row}`);
    refuse(cause.code, sentence, { ...cause.details, row }, cause);
  }
}
