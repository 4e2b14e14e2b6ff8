import type { Labels } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { countCodes } from '../math/arrays.ts';
import type { Random } from '../math/random.ts';

/** Rows that stay together: a group, or one row alone. */
export type Unit = readonly number[];

/** Whole numbers that sum to `draws` in proportion to the counts: the largest remainders are rounded up, ties by lot. */
export function apportion(counts: ArrayLike<number>, draws: number, random: Random): Int32Array {
  let total = 0;
  for (let c = 0; c < counts.length; c++) total += counts[c];
  const exact = Array.from(counts, (count) => (total === 0 ? 0 : (count / total) * draws));
  const result = Int32Array.from(exact, Math.floor);
  const lots = random.permutation(exact.length);
  const order = exact.map((_, c) => c);
  order.sort((a, b) => exact[b] - result[b] - (exact[a] - result[a]) || lots[a] - lots[b]);
  let missing = draws - result.reduce((a, b) => a + b, 0);
  for (const c of order) {
    if (missing === 0) break;
    if (result[c] === counts[c]) continue;
    result[c]++;
    missing--;
  }
  return result;
}

/** Takes whole units in order while that brings the number of rows nearer to the target. */
function take(units: readonly Unit[], target: number): [taken: number[], left: Unit[]] {
  const taken: number[] = [];
  const left: Unit[] = [];
  for (const unit of units) {
    const nearer = Math.abs(taken.length + unit.length - target) < Math.abs(taken.length - target);
    if (nearer) for (const i of unit) taken.push(i);
    else left.push(unit);
  }
  return [taken, left];
}

/** Throws if a class is too small for both sides. */
function requireStrata({ classes, codes }: Labels, least: number): void {
  const counts = countCodes(codes, classes.length);
  const small = counts.findIndex((count) => count < 2);
  if (small >= 0) {
    refuse('E_CLASS_TOO_SMALL', `the class ${show(classes[small])} has one row and cannot be on both sides`, {
      class: classes[small],
      actual: 1,
      limit: 2,
    });
  }
  if (least < classes.length) {
    refuse('E_PARAM', `a part of ${least} rows cannot hold ${classes.length} classes`, {
      name: 'testSize',
      limit: classes.length,
      actual: least,
    });
  }
}

/** Puts units into strata: one belongs to the class of most of its rows. */
function stratify(units: readonly Unit[], { classes, codes }: Labels): Unit[][] {
  const strata: Unit[][] = classes.map(() => []);
  for (const unit of units) {
    const votes = new Map<number, number>();
    for (const i of unit) votes.set(codes[i], (votes.get(codes[i]) ?? 0) + 1);
    const [winner] = [...votes].reduce((best, vote) => (vote[1] > best[1] ? vote : best));
    strata[winner].push(unit);
  }
  return strata;
}

/**
 * Divides shuffled units into `train` and `test` rows. Each stratum gives in proportion to its rows; with units of more
 * than one row the numbers are met as nearly as whole units allow.
 */
export function partition(
  units: readonly Unit[],
  labels: Labels | null,
  [train, test]: readonly [number, number],
  random: Random,
): [train: number[], test: number[]] {
  if (labels !== null) requireStrata(labels, Math.min(train, test));
  const strata = labels === null ? [[...units]] : stratify(units, labels);
  const sizes = strata.map((stratum) => stratum.reduce((sum, unit) => sum + unit.length, 0));
  const rows = sizes.reduce((a, b) => a + b, 0);
  const trainSizes = apportion(sizes, train, random);
  const testSizes = apportion(
    sizes.map((count, c) => count - trainSizes[c]),
    test,
    random,
  );
  const parts: [number[], number[]] = [[], []];
  for (const [c, stratum] of strata.entries()) {
    const [held, left] = take(random.shuffle(stratum), testSizes[c]);
    // all remaining rows are training rows, unless trainSize asks for fewer
    const learned = train + test === rows ? left : [take(left, trainSizes[c])[0]];
    for (const i of held) parts[1].push(i);
    for (const unit of learned) for (const i of unit) parts[0].push(i);
  }
  return [random.shuffle(parts[0]), random.shuffle(parts[1])];
}
