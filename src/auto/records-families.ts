import { Matrix } from '../data/matrix.ts';
import { accuracyOf, logLossOf, takeRowsOf } from './pool-choose.ts';
import { familyPart, levelPart, type NumberFamily } from './records-candidates.ts';
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

/** How well each column alone tells the class, and in which family it does best. */
export function chooseFamilies(
  folds: readonly Fold[],
  lesson: Lesson,
  judged: Int32Array,
  check: () => void,
): Families {
  const codes = Int32Array.from(judged, (i) => lesson.codes[i]);
  const scores = lesson.readings.map((reading, column): ColumnScore => {
    check();
    const families = reading === 'level' ? (['categorical'] as const) : familiesFor(lesson.frame.columns[column]);
    const logLoss: Record<string, number> = {};
    let best: Pick<ColumnScore, 'family' | 'accuracy'> = { family: families[0], accuracy: 0 };
    for (const family of families) {
      const own = orNothing(() => columnScores(folds, lesson, column, family));
      if (!own) continue;
      const kept = takeRowsOf(own, judged);
      logLoss[family] = logLossOf(kept, codes);
      const least = Math.min(...Object.values(logLoss));
      if (logLoss[family] === least) best = { family, accuracy: accuracyOf(kept, codes) };
    }
    return { column, ...best, logLoss };
  });
  const nested = lesson.frame.rows > MANY_ROWS ? undefined : nestedFamilies(folds, scores, lesson, check);
  return {
    scores,
    familyOf: (part, column) => nested?.get(part)?.get(column) ?? (scores[column].family as NumberFamily),
  };
}

/**
 * The family of every column of numbers in the lesson of each fold. What is learned without the folds a and b judges b for the
 * lesson without a, and a for the lesson without b: ten lessons serve five choices of five folds.
 */
function nestedFamilies(folds: readonly Fold[], scores: readonly ColumnScore[], lesson: Lesson, check: () => void) {
  const losses = new Map(folds.map((fold) => [fold.lesson, new Map<number, Map<NumberFamily, number>>()]));
  const add = (part: Lesson, column: number, family: NumberFamily, loss: number) => {
    const own = losses.get(part)?.get(column) ?? new Map<NumberFamily, number>();
    losses.get(part)?.set(column, own.set(family, (own.get(family) ?? 0) + loss));
  };
  for (const [a, left] of folds.entries()) {
    for (const right of folds.slice(a + 1)) {
      check();
      const gone = new Set([...left.judge, ...right.judge]);
      const both = lesson.part(Int32Array.from(lesson.codes.keys()).filter((i) => !gone.has(i)));
      for (const column of lesson.columns('number')) {
        for (const family of Object.keys(scores[column].logLoss) as NumberFamily[]) {
          const member = orNothing(() => columnMember(both, column, family));
          add(left.lesson, column, family, member ? lossOf(member, right, lesson) : Infinity);
          add(right.lesson, column, family, member ? lossOf(member, left, lesson) : Infinity);
        }
      }
    }
  }
  const best = (own: Map<NumberFamily, number>) => [...own].reduce((a, b) => (b[1] < a[1] ? b : a))[0];
  const choice = (own: Map<number, Map<NumberFamily, number>>) => new Map([...own].map(([j, by]) => [j, best(by)]));
  return new Map([...losses].map(([part, own]) => [part, choice(own)]));
}

function lossOf(member: Member, { frame, judge }: Fold, lesson: Lesson): number {
  return (
    logLossOf(
      member.scores(frame),
      judge.map((i) => lesson.codes[i]),
    ) * judge.length
  );
}

function columnMember(lesson: Lesson, column: number, family: ColumnScore['family']): Member | undefined {
  const part = family === 'categorical' ? levelPart(lesson, [{ column }]) : familyPart(lesson, family, [column]);
  return part && new Member(family, [part], lesson.logPrior);
}

function columnScores(folds: readonly Fold[], lesson: Lesson, column: number, family: ColumnScore['family']) {
  const out = new Matrix(lesson.frame.rows, lesson.classes);
  for (const fold of folds) {
    const member = columnMember(fold.lesson, column, family);
    if (!member) return undefined;
    place(out, fold, member.scores(fold.frame));
  }
  return out;
}
