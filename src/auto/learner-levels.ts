import type { LevelCounts } from '../data/level-counter.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { isCountableLevels, learnedLevels } from '../estimators/counted-levels.ts';
import { isBlank } from './cells.ts';
import { RecordLearner } from './learner.ts';
import { readLevels } from './learner-cells.ts';
import type { ReadColumn } from './learner-columns.ts';
import type { Counting } from './learner-families.ts';

/** The cells of a table by column and label, counted as they are written. */
export interface CountedTable {
  /** The names of all columns but that of the labels, in their order. */
  readonly names: readonly string[];
  readonly counts: LevelCounts;
}

/** Whether what a learner learns of a table with these columns besides the labels follows from how often each cell is in each class. */
export function takesLevels({ plan, estimator }: RecordLearner, names: readonly string[]): boolean {
  const read = new Set(plan.columns.filter(({ reading }) => reading === 'level').map(({ name }) => name));
  return (
    plan.priors === 'empirical' &&
    estimator instanceof CategoricalNB &&
    isCountableLevels(estimator) &&
    read.size === names.length &&
    names.every((name) => read.has(name))
  );
}

/**
 * A learner of the same plan that has learned a counted table; nothing where a cell is blank, of which the rows have to tell what the
 * others are.
 */
export function learnLevels(blank: RecordLearner, { names, counts }: CountedTable): RecordLearner | undefined {
  if (counts.rows === 0 || counts.labels.some(isBlank)) return undefined;
  const places = new Map(names.map((name, j) => [name, j]));
  const { columns } = blank.plan;
  const read = columns.map((column) => readColumn(column, counts, places.get(column.name)!));
  if (read.some((column) => column === undefined)) return undefined;
  const table = { ...counts, columns: read as LevelCounts['columns'] };
  const own = columns.map(({ name }) => name);
  const estimator = learnedLevels(blank.estimator as unknown as CategoricalNB, own, table);
  return new RecordLearner(blank.plan, { vectorizers: [], estimator: estimator as unknown as Counting });
}

/** The levels of a column as learners read cells, where several ways of writing may be one level; nothing where one is blank. */
function readColumn(
  column: ReadColumn,
  { labels, columns }: LevelCounts,
  place: number,
): LevelCounts['columns'][number] | undefined {
  const { levels: written, counts } = columns[place];
  const words = readLevels(
    written.map((cell) => ({ [column.name]: cell })),
    column,
    true,
  );
  if (words.includes(null)) return undefined;
  const levels = [...new Set(words)] as string[];
  const numbers = new Map(levels.map((level, v) => [level, v]));
  const sums = new Float64Array(levels.length * labels.length);
  for (const [v, word] of words.entries()) {
    const to = numbers.get(word as string)! * labels.length;
    for (let c = 0; c < labels.length; c++) sums[to + c] += counts[v * labels.length + c];
  }
  return { levels, counts: sums };
}
