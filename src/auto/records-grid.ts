import {
  type Candidate,
  dependence,
  linear,
  type NumberFamily,
  naiveBayes,
  regularized,
} from './records-candidates.ts';
import type { Lesson } from './records-lesson.ts';
import type { Cutting } from './records-views.ts';

/** The models of columns by name. */
export const columnModels = [
  'auto',
  'mixed',
  'gaussian',
  'kernel',
  'poisson',
  'categorical',
  'tan',
  'aode',
  'waode',
  'lda',
  'qda',
  'rda',
] as const;

/** Which models of columns are tried. */
export type ColumnModel = (typeof columnModels)[number];

/** Work beyond this, in steps of an inner loop over all rows, is not begun for one candidate. */
const MOST_WORK = 4e9;

/** With more columns, of the two averages only the weighted one is tried: it is rarely worse. */
const FEW_COLUMNS = 24;

/** The same for discriminants, which multiply rows by squares of features; quadratic ones do so for a grid. */
const MOST_LINEAR = 2e9;
const MOST_QUADRATIC = 2e8;
/** The most features a covariance is taken of. */
const MOST_WIDTH = 1000;
/** About how many bins a column of numbers is cut into. */
const BINS = 10;

const grid = [0, 0.2, 0.5].flatMap((lambda) => [0.1, 0.3, 0].map((gamma) => [lambda, gamma] as const));

/** The candidates of a kind of model. */
export function candidatesFor(
  lesson: Lesson,
  familyOf: (lesson: Lesson, column: number) => NumberFamily,
  model: ColumnModel,
): Candidate[] {
  const { classes, readings, frame } = lesson;
  const numbers = lesson.columns('number');
  const all = (family: NumberFamily) => () => family;
  const pairs = 5 * frame.rows * classes * readings.length ** 2 < MOST_WORK;
  const is = (...kinds: ColumnModel[]) => kinds.includes(model);
  const list: Candidate[] = [];
  if (is('auto', 'mixed')) list.push(naiveBayes('naive Bayes', familyOf));
  for (const family of ['gaussian', 'kernel', 'poisson'] as const) {
    if (is(family)) list.push(naiveBayes(`naive Bayes, ${family}`, all(family)));
  }
  for (const [cutting, suffix] of cuttings(numbers.length > 0)) {
    if (is('categorical') || (is('auto') && numbers.length > 0)) {
      list.push(naiveBayes(`naive Bayes${suffix}`, all(cutting)));
    }
    for (const kind of ['aode', 'waode', 'tan'] as const) {
      const auto = is('auto') && pairs && readings.length > 1 && (kind !== 'aode' || readings.length <= FEW_COLUMNS);
      if (is(kind) || auto) list.push(dependence(kind, cutting, kind + suffix));
    }
  }
  return [...list, ...discriminants(lesson, model)];
}

const cuttings = (numbers: boolean): [Cutting, string][] =>
  numbers
    ? [
        ['mdl', ', bins by description length'],
        ['frequency', ', bins of equal frequency'],
      ]
    : [['mdl', '']];

function discriminants(lesson: Lesson, model: ColumnModel): Candidate[] {
  const { rows, columns } = lesson.frame;
  const numbers = lesson.columns('number').length;
  const indicators = lesson.columns('level').reduce((sum, j) => sum + levelsIn(columns[j]), 0);
  // counting multiplies rows by squares, taking a covariance apart costs about ten cubes
  const affordable = (width: number, most: number) => width <= MOST_WIDTH && (rows + 10 * width) * width ** 2 < most;
  const width = numbers + indicators;
  const list: Candidate[] = [];
  const is = (...kinds: ColumnModel[]) => kinds.includes(model);
  if (is('lda') || (is('auto') && affordable(width, MOST_LINEAR))) list.push(linear('lda', false));
  if (is('auto') && numbers > 0 && affordable(BINS * numbers + indicators, MOST_LINEAR)) {
    list.push(linear('lda, bins of equal frequency', true));
  }
  if (is('qda')) list.push(regularized([[0, 0]]));
  if (is('rda') || (is('auto') && numbers > 0 && affordable(width, MOST_QUADRATIC / lesson.classes))) {
    list.push(regularized(grid));
  }
  return list;
}

const levelsIn = (column: Float64Array): number => new Set(column).size;
