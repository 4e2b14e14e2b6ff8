import { type Linear, linearTerms, scoreLinear } from '../core/linear.ts';
import type { Model, Moves, Statistic } from '../core/model.ts';
import { type Batch, type Shape, type SparseRows, toSparse } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { emptyArrays, reshapeArrays } from '../stats/additive.ts';

/**
 * What was learned from mistakes: for each class the words, rows and total added by documents of the class (`own`) and of the others
 * (`rest`). `strange` belongs to a class that has not occurred yet: every document so far counts as one of the others, so that a class that
 * occurs late has the same counts as if it had been listed from the start.
 */
export interface Sides extends Shape {
  readonly n: Float64Array; // the weight of each class
  readonly own: Float64Array; // own[j * classes + c]
  readonly rest: Float64Array; // like own
  readonly ownTotal: Float64Array;
  readonly restTotal: Float64Array;
  readonly ownRows: Float64Array;
  readonly restRows: Float64Array;
  readonly strange: Float64Array; // one per feature
  readonly strangeTotal: Float64Array; // one number
  readonly strangeRows: Float64Array; // one number
}

const arrays = {
  n: ['classes'],
  own: ['features', 'classes'],
  rest: ['features', 'classes'],
  ownTotal: ['classes'],
  restTotal: ['classes'],
  ownRows: ['classes'],
  restRows: ['classes'],
  strange: ['features'],
  strangeTotal: [],
  strangeRows: [],
} as const;

/** The initial count of every word and side: ln V, at least ln 2. The total starts at V times that. */
const startOf = (features: number) => Math.log(Math.max(2, features));

const logistic = (z: number) => 1 / (1 + Math.exp(-z));

/**
 * The log-odds of every class against the others, and last those of a class that has not occurred:
 *
 *   r[c] = ln (1 + ownRows)/(1 + restRows) + Σⱼ xⱼ [ln (a + own[j])/(a + rest[j]) − ln (aV + ownTotal)/(aV + restTotal)]
 *
 * with a = ln V.                                                                                            (1)
 */
function logOdds(sides: Sides, { indptr, indices, values }: SparseRows, i: number, odds: Float64Array): number {
  const { classes, features, own, rest, ownTotal, restTotal, ownRows, restRows } = sides;
  const start = startOf(features);
  let length = 0;
  for (let k = indptr[i]; k < indptr[i + 1]; k++) length += values[k];
  for (let c = 0; c < classes; c++) {
    const byLength = Math.log((features * start + ownTotal[c]) / (features * start + restTotal[c]));
    odds[c] = Math.log((1 + ownRows[c]) / (1 + restRows[c])) - length * byLength;
  }
  const byLength = Math.log((features * start) / (features * start + sides.strangeTotal[0]));
  odds[classes] = Math.log(1 / (1 + sides.strangeRows[0])) - length * byLength;
  for (let k = indptr[i]; k < indptr[i + 1]; k++) {
    const from = indices[k] * classes;
    for (let c = 0; c < classes; c++) {
      odds[c] += values[k] * Math.log((start + own[from + c]) / (start + rest[from + c]));
    }
    odds[classes] += values[k] * Math.log(start / (start + sides.strange[indices[k]]));
  }
  return length;
}

/** Row by row: computes (1), then adds the row to the true side of each class with weight w (1 − p(true side | x)). */
function learn(sides: Sides, batch: Batch): void {
  const { classes, n, own, rest, ownTotal, restTotal, ownRows, restRows, strange, strangeTotal, strangeRows } = sides;
  const rows = toSparse(batch);
  const { indptr, indices, values } = rows;
  const odds = new Float64Array(classes + 1);
  for (let i = 0; i < batch.rows; i++) {
    const [truth, weight] = [batch.y[i], batch.w[i]];
    const length = logOdds(sides, rows, i, odds);
    const gains = odds.map((r, c) => weight * logistic(c === truth ? -r : r));
    n[truth] += weight;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const from = indices[k] * classes;
      for (let c = 0; c < classes; c++) (c === truth ? own : rest)[from + c] += gains[c] * values[k];
      strange[indices[k]] += gains[classes] * values[k];
    }
    for (let c = 0; c < classes; c++) {
      (c === truth ? ownTotal : restTotal)[c] += gains[c] * length;
      (c === truth ? ownRows : restRows)[c] += gains[c];
    }
    strangeTotal[0] += gains[classes] * length;
    strangeRows[0] += gains[classes];
  }
}

/** Changes the shape; a new class starts with the counts of `strange`. */
function reshape(sides: Sides, shape: Shape, moves: Moves): Sides {
  const moved = reshapeArrays<Sides>(arrays, sides, shape, moves);
  const places = new Set(moves.classes ?? Array.from({ length: sides.classes }, (_, c) => c));
  for (let c = 0; c < shape.classes; c++) {
    if (places.has(c)) continue;
    moved.restTotal[c] = moved.strangeTotal[0];
    moved.restRows[c] = moved.strangeRows[0];
    for (let j = 0; j < shape.features; j++) moved.rest[j * shape.classes + c] = moved.strange[j];
  }
  return moved;
}

/** Throws for operations that only sums support. */
export function refuseAlgebra(): never {
  return refuse('E_CONFLICT', 'what is learned row by row from mistakes cannot be merged, unlearned or weakened', {
    mergeable: false,
  });
}

/**
 * Not a sum over rows: what a row adds depends on all rows before it. It counts in order and is saved like other statistics, but throws
 * E_CONFLICT for merging and subtraction.
 */
const sides: Statistic<Sides> = {
  name: 'sides',
  arrays,
  counts: ['n'],
  sparse: true,
  empty: (shape) => emptyArrays<Sides>(arrays, shape),
  add: learn,
  merge: refuseAlgebra,
  subtract: refuseAlgebra,
  scale: refuseAlgebra,
  reshape,
  get exact() {
    return refuseAlgebra();
  },
};

/**
 * Discriminative multinomial naive Bayes: one problem per class against all others, with the counts of a multinomial, to
 * which a document adds only as much as it was misclassified. The score of a class is its log-odds (1); with two classes, whose
 * odds are each other's inverse, half of it, so that p(c | x) is the probability that was learned from. With more, p(c | x)
 * is the softmax of the log-odds, as in Weka. Su, Zhang, Ling & Matwin, Discriminative Parameter Learning for Bayesian
 * Networks (2008); Weka's DMNBtext.
 */
export const discriminative: Model<Sides, Linear, unknown> = {
  name: 'discriminative',
  statistic: sides,
  form: { arrays: { logPrior: ['log', 'classes'], weights: ['log', 'features', 'classes'] } },

  estimate(stats) {
    const { classes, features, own, rest, ownTotal, restTotal, ownRows, restRows } = stats;
    if ([own, rest, ownTotal, restTotal, ownRows, restRows].some((sums) => sums.some((sum) => sum < 0))) {
      refuse('E_VALUE_RANGE', 'the weights added by mistakes are never negative'); // possible in a damaged file
    }
    const start = startOf(features);
    const half = classes === 2 ? 0.5 : 1;
    const byLength = ownTotal.map((mine, c) => Math.log((features * start + mine) / (features * start + restTotal[c])));
    const weights = own.map((mine, cell) => {
      return half * (Math.log((start + mine) / (start + rest[cell])) - byLength[cell % classes]);
    });
    const logPrior = ownRows.map((mine, c) => half * Math.log((1 + mine) / (1 + restRows[c])));
    return { classes, features, logPrior, weights };
  },

  score: scoreLinear,
  logPrior: ({ logPrior }) => logPrior,

  terms: linearTerms,

  sample() {
    refuse('E_CONFLICT', 'a discriminative model has no density to draw rows from');
  },
};
