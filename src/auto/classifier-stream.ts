import { requireItems, requireKind } from '../data/arguments.ts';
import { flattenRows } from '../data/flatten.ts';
import type { LevelCounts } from '../data/level-counter.ts';
import { requireGoing } from '../engines/memory.ts';
import { PolyaError, refuse } from '../errors.ts';
import type { DataRow } from './cells.ts';
import { countingParts } from './classifier-counting.ts';
import type { ClassifierParts, FitReport } from './classifier-fit.ts';
import { gather } from './classifier-material.ts';
import { CountingOpinion } from './classifier-opinions.ts';
import { type ClassifierOptions, checkOptions, classWeightOf, namedRecipe } from './classifier-options.ts';
import type { RecordLearner } from './learner.ts';
import { settledSchema } from './learner-columns.ts';
import { familyNamed } from './learner-families.ts';
import { learnLevels, takesLevels } from './learner-levels.ts';
import { blankLearner, settle } from './learner-recipe.ts';
import { weightsOf } from './learner-schema.ts';
import { readTarget } from './records.ts';

/** Rows in parts, as a file is read. */
export type RowBatches = AsyncIterable<readonly DataRow[]> | Iterable<readonly DataRow[]>;

/**
 * Learns a named family in one pass over rows that need not fit in memory. Kinds of columns, cuts and fills are settled by the
 * first part, or given; words and levels grow with the rows, and rules such as minDf apply to the whole at the end.
 */
export async function fitStream(batches: RowBatches, options: ClassifierOptions): Promise<ClassifierParts> {
  checkOptions(options);
  requireKind(batches, 'batches of rows', 'stream');
  const { model = 'auto', signal, onProgress, calibrate, evaluate } = options;
  if (model === 'auto')
    refuse('E_PARAM', 'a stream is read once, and nothing can be chosen: name a model', { name: 'model' });
  if (calibrate || evaluate) {
    const advice = 'calibrate and judge it afterwards by rows that it has not learned';
    refuse('E_PARAM', `a stream is read once, without folds: ${advice}`, {
      name: calibrate ? 'calibrate' : 'evaluate',
    });
  }
  if (options.splitColumn !== undefined)
    refuse('E_PARAM', 'a stream is read once, and is not split: leave out splitColumn', { name: 'splitColumn' });
  const family = familyNamed(model);
  let begun: { learner: RecordLearner; report: FitReport } | undefined;
  let done = 0;
  for await (const given of batches) {
    requireGoing(signal);
    if (requireItems(given, 'a list of rows as every batch').length === 0) continue;
    const rows = flattenRows(given);
    begun ??= begin(rows, options, family);
    learnRows(begun.learner, rows, options, done);
    done += rows.length;
    onProgress?.(0, `${done} rows`);
  }
  if (!begun) return refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  begun.learner.prune();
  onProgress?.(1, 'done');
  return countingParts(begun.report, new CountingOpinion(begun.learner), options);
}

/**
 * The same for a table whose first part is at hand and whose cells are counted where they lie; nothing where that is too little, and
 * the rows have to be read.
 */
export async function fitStreamCounted(
  first: readonly DataRow[],
  names: readonly string[],
  options: ClassifierOptions,
  count: () => Promise<LevelCounts | undefined>,
): Promise<ClassifierParts | undefined> {
  if (first.length === 0 || options.weight !== undefined) return undefined;
  const { learner, report } = begin(first, options, familyNamed(String(options.model)));
  const counts = takesLevels(learner, names) ? await count() : undefined;
  const learned = counts && learnLevels(learner, { names, counts });
  return learned && countingParts(report, new CountingOpinion(learned), options);
}

function begin(rows: readonly DataRow[], options: ClassifierOptions, family: ReturnType<typeof familyNamed>) {
  const material = gather(rows, options, true);
  const { schema, codes, classes } = material;
  const recipe = namedRecipe(family, material, options);
  const learner = blankLearner(recipe, settle(recipe, rows, codes, classes.length));
  const report: FitReport = {
    target: options.target,
    model: family,
    seed: options.seed ?? 0,
    schema: settledSchema(schema, learner.plan.columns),
    tried: [],
    columns: [],
    evaluation: null,
    warnings: [],
    ...classWeightOf(options),
  };
  return { learner, report };
}

/** Learns one part; a refusal tells the row by its number in the whole stream. */
function learnRows(learner: RecordLearner, rows: readonly DataRow[], options: ClassifierOptions, before: number): void {
  const { target, weight, signal } = options;
  shifted(before, () => {
    const { classes, codes } = readTarget(rows, target);
    const labels = Array.from(codes, (c) => classes[c]);
    learner.partialFit({ rows, labels, weights: weightsOf(rows, weight), signal });
  });
}

/** Work on a part that begins at a row of the whole: refusals count rows from the beginning. */
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
