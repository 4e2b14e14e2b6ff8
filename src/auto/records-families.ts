import type { Matrix } from '../data/matrix.ts';
import { familyPart, levelPart, type NumberFamily } from './records-candidates.ts';
import { ColumnCounts, type Tally } from './records-counts.ts';
import type { Fold, Lesson } from './records-lesson.ts';
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

/** Writes the scores of the judged rows of a fold to their places. */
export function place(out: Matrix, { judge }: Fold, { cols, data }: Matrix): void {
  judge.forEach((i, k) => {
    out.row(i).set(data.subarray(k * cols, (k + 1) * cols));
  });
}

/** What columns say alone, and the family of each in a lesson. */
export interface Families {
  readonly scores: readonly ColumnScore[];
  /** In the lesson of a fold, a family is chosen by the rows of the lesson alone. */
  familyOf(lesson: Lesson, column: number): NumberFamily;
}

/** Beyond so many rows a family is no longer chosen by luck, and the choice by all rows serves every fold. */
const MANY_ROWS = 5000;

/** Beyond so many columns of numbers all get one family: to choose for each takes minutes, and is luck for many of them. */
const MANY_COLUMNS = 1000;

/** How well each column alone tells the class, and in which family it does best. */
export function chooseFamilies(
  folds: readonly Fold[],
  assignment: Int32Array,
  lesson: Lesson,
  check: () => void,
): Families {
  const nested = new Map(folds.map((fold) => [fold.lesson, new Map<number, NumberFamily>()]));
  const one = lesson.columns('number').length > MANY_COLUMNS;
  const numbers = (column: number) => (one ? (['gaussian'] as const) : familiesFor(lesson.frame.columns[column]));
  const scores = lesson.readings.map((reading, column): ColumnScore => {
    check();
    const counts = new ColumnCounts(lesson, column, assignment);
    const families = reading === 'level' ? (['categorical'] as const) : numbers(column);
    const score = { column, ...judgeFamilies(counts, families, folds.length) };
    if (reading === 'number' && lesson.frame.rows <= MANY_ROWS && !one) {
      const tried = Object.keys(score.logLoss) as NumberFamily[];
      nestedFamilies(counts, tried, folds.length).forEach((family, fold) => {
        nested.get(folds[fold].lesson)!.set(column, family);
      });
    }
    return score;
  });
  return {
    scores,
    familyOf: (part, column) => nested.get(part)?.get(column) ?? (scores[column].family as NumberFamily),
  };
}

type Family = ColumnScore['family'];

/** The out-of-fold loss of a column alone in every family that can learn it. */
function judgeFamilies(counts: ColumnCounts, families: readonly Family[], folds: number) {
  const logLoss: Record<string, number> = {};
  const lessons = Array.from({ length: folds }, (_, fold) => counts.lesson(fold));
  let best = { family: families[0], accuracy: 0 };
  for (const family of families) {
    const tallies = orNothing(() => lessons.map((lesson, fold) => tallyOf(counts, lesson, family, fold)));
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

/**
 * The family of a column of numbers in the lesson of each fold. What is learned without the folds a and b judges b for the
 * lesson without a, and a for the lesson without b: ten lessons serve five choices of five folds.
 */
function nestedFamilies(counts: ColumnCounts, families: readonly NumberFamily[], folds: number): NumberFamily[] {
  const losses = Array.from({ length: folds }, () => new Map(families.map((family) => [family, 0])));
  const add = (fold: number, family: NumberFamily, loss: number) => {
    losses[fold].set(family, losses[fold].get(family)! + loss);
  };
  for (let a = 0; a < folds; a++) {
    for (let b = a + 1; b < folds; b++) {
      const lesson = counts.lesson(a, b);
      for (const family of families) {
        const member = orNothing(() => memberOf(lesson, family));
        add(a, family, member ? counts.judge(member, b).loss : Infinity);
        add(b, family, member ? counts.judge(member, a).loss : Infinity);
      }
    }
  }
  return losses.map((own) => [...own].reduce((best, next) => (next[1] < best[1] ? next : best))[0]);
}

/** A member that looks at the only column of a lesson. */
function memberOf(lesson: Lesson, family: Family): Member | undefined {
  const part = family === 'categorical' ? levelPart(lesson, [{ column: 0 }]) : familyPart(lesson, family, [0]);
  return part && new Member(family, [part], lesson.logPrior);
}
