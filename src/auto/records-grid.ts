import { countCells } from './records.ts';
import {
  type ColumnCandidate,
  type Dependence,
  dependence,
  linear,
  type NumberFamily,
  naiveBayes,
  regularized,
} from './records-candidates.ts';
import type { Lesson } from './records-lesson.ts';
import type { Cutting } from './records-views.ts';

/** Work beyond this, in steps of an inner loop over all rows, is not begun for one candidate. */
const MOST_WORK = 4e9;

/** The most columns whose pairs are counted: among more, tables of pairs cost more than the rows that fill them. */
const MOST_PAIRED = 500;

/** With more columns, of the two averages only the weighted one is tried: it is rarely worse. */
const FEW_COLUMNS = 24;

/** The same for discriminants, which multiply rows by squares of features; quadratic ones do so for a grid. */
const MOST_LINEAR = 2e9;
const MOST_QUADRATIC = 2e8;
/** The most features a covariance is taken of. */
const MOST_WIDTH = 1000;
/** About how many bins a column of numbers is cut into. */
const BINS = 10;

/** From a covariance for each class to one that leans on all, and from full ones to round ones. */
const quadratic = [0, 0.2].flatMap((lambda) => [0.1, 0.3, 0].map((gamma) => [lambda, gamma] as const));
/** One covariance for all classes, rounder than that of the linear discriminant. */
const shrunken = [0.1, 0.3].map((gamma) => [1, gamma] as const);

const leaning: readonly Dependence[] = ['aode', 'waode', 'tan'];

/** The candidates for a lesson, as far as their work is affordable. */
export function candidatesFor(lesson: Lesson, familyOf: (column: number) => NumberFamily): ColumnCandidate[] {
  const { classes, readings, frame } = lesson;
  const numbers = lesson.columns('number').length > 0;
  const pairs =
    readings.length > 1 &&
    readings.length <= MOST_PAIRED &&
    5 * frame.rows * classes * readings.length ** 2 < MOST_WORK;
  const list: ColumnCandidate[] = [naiveBayes('naive Bayes', familyOf)];
  for (const [cutting, suffix] of cuttings(numbers)) {
    if (numbers) list.push(naiveBayes(`naive Bayes${suffix}`, () => cutting));
    if (pairs) list.push(dependence(readings.length <= FEW_COLUMNS ? leaning : leaning.slice(1), cutting, suffix));
  }
  return [...list, ...discriminants(lesson)];
}

const cuttings = (numbers: boolean): [Cutting, string][] =>
  numbers
    ? [
        ['mdl', ', bins by description length'],
        ['frequency', ', bins of equal frequency'],
      ]
    : [['mdl', '']];

function discriminants(lesson: Lesson): ColumnCandidate[] {
  const { rows, columns } = lesson.frame;
  const numbers = lesson.columns('number').length;
  const indicators = lesson.columns('level').reduce((sum, j) => sum + new Set(columns[j]).size, 0);
  // counting multiplies rows by squares, factoring a covariance costs about ten cubes, and each row with missing cells a third of one
  const gaps = countCells(lesson.frame).filter((count) => count < columns.length).length;
  const affordable = (width: number, most: number) =>
    width <= MOST_WIDTH && (rows + (10 + gaps / 3) * width) * width ** 2 < most;
  const width = numbers + indicators;
  const list: ColumnCandidate[] = [];
  if (affordable(width, MOST_LINEAR)) list.push(linear('lda', false));
  if (numbers > 0 && affordable(BINS * numbers + indicators, MOST_LINEAR)) {
    list.push(linear('lda, bins of equal frequency', true));
  }
  if (numbers > 0 && affordable(width, MOST_QUADRATIC / lesson.classes)) {
    list.push(regularized(quadratic), regularized(shrunken));
  }
  return list;
}
