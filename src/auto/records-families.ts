import { familyPart, levelPart, type NumberFamily } from './records-candidates.ts';
import { ColumnCounts, type Tally } from './records-counts.ts';
import type { Lesson } from './records-lesson.ts';
import { Member, orNothing } from './records-members.ts';

/** What one column alone says about the class, out of fold. */
export interface ColumnScore {
  readonly column: number;
  readonly family: NumberFamily | 'categorical';
  /** Log-loss of the class given this column, by family; the least decides. */
  readonly logLoss: Readonly<Record<string, number>>;
  readonly accuracy: number;
}

/** Kernels are tried where rows times different values are fewer than this. */
const MOST_KERNELS = 5e7;

/** The families that could describe a column of numbers. */
function familiesFor(column: Float64Array): NumberFamily[] {
  const values = new Set(column);
  const counts = [...values].every(
    (value) => Number.isNaN(value) || (Number.isInteger(value) && value >= 0 && value < 1e6),
  );
  return [
    'gaussian',
    ...(column.length * values.size <= MOST_KERNELS ? (['kernel'] as const) : []),
    'mdl',
    'frequency',
    ...(counts ? (['poisson'] as const) : []),
  ];
}

/** Beyond so many columns of numbers all get one family: to choose for each takes minutes, and is luck for many of them. */
const MANY_COLUMNS = 1000;

/** How well each column alone predicts the class of the held-out folds, and in which family it does best. */
export function columnScores(
  lesson: Lesson,
  folds: Int32Array,
  held: readonly number[],
  check: () => void,
): ColumnScore[] {
  const one = lesson.columns('number').length > MANY_COLUMNS;
  const numbers = (column: number) => (one ? (['gaussian'] as const) : familiesFor(lesson.frame.columns[column]));
  return lesson.readings.map((reading, column) => {
    check();
    const families = reading === 'level' ? (['categorical'] as const) : numbers(column);
    return { column, ...judgeFamilies(new ColumnCounts(lesson, column, folds), families, held) };
  });
}

type Family = ColumnScore['family'];

/** The out-of-fold loss of a column alone in every family that can learn it. */
function judgeFamilies(counts: ColumnCounts, families: readonly Family[], held: readonly number[]) {
  const logLoss: Record<string, number> = {};
  const lessons = held.map((fold) => counts.lesson(fold));
  let best = { family: families[0], accuracy: 0 };
  for (const family of families) {
    const tallies = orNothing(() => lessons.map((lesson, k) => tallyOf(counts, lesson, family, held[k])));
    if (!tallies?.every((tally) => tally !== undefined)) continue;
    const total = (of: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[of], 0);
    logLoss[family] = total('loss') / total('rows');
    const least = Math.min(...Object.values(logLoss));
    if (logLoss[family] === least) best = { family, accuracy: total('right') / total('rows') };
  }
  return { ...best, logLoss };
}

function tallyOf(counts: ColumnCounts, lesson: Lesson, family: Family, fold: number): Tally | undefined {
  const member = memberOf(lesson, family);
  return member && counts.judge(member, fold);
}

/** A member that looks at the only column of a lesson. */
function memberOf(lesson: Lesson, family: Family): Member | undefined {
  const part = family === 'categorical' ? levelPart(lesson, [{ column: 0 }]) : familyPart(lesson, family, [0]);
  return part && new Member(family, [part], lesson.logPrior);
}
