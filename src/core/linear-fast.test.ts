import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { Random } from '../math/random.ts';
import { scoreLinear, useScorer } from './linear.ts';
import { scoreFast } from './linear-fast.ts';

useScorer(scoreFast);

/** Rows of random cells, and weights for them. */
function problem(rows: number, features: number, classes: number, seed: number) {
  const random = new Random(seed);
  const cells = Array.from({ length: rows }, () =>
    Array.from({ length: features }, (_, j) => j).filter(() => random.uniform() < 0.3),
  );
  const indptr = Uint32Array.from([0, ...cells.map(({ length }) => length)]);
  for (let i = 0; i < rows; i++) indptr[i + 1] += indptr[i];
  const indices = Uint32Array.from(cells.flat());
  const values = Float64Array.from(indices, () => Math.ceil(random.uniform() * 5));
  const draw = (length: number) => Float64Array.from({ length }, () => Math.log(random.uniform()));
  const linear = { classes, features, logPrior: draw(classes), weights: draw(classes * features) };
  return { linear, rows: { rows, features, indptr, indices, values } };
}

/** Term by term, in the order of the columns. */
function plainly({ linear, rows }: ReturnType<typeof problem>): Float64Array {
  const { classes, logPrior, weights } = linear;
  return Float64Array.from({ length: rows.rows * classes }, (_, cell) => {
    const [i, c] = [Math.floor(cell / classes), cell % classes];
    let sum = logPrior[c];
    for (let k = rows.indptr[i]; k < rows.indptr[i + 1]; k++)
      sum += rows.values[k] * weights[rows.indices[k] * classes + c];
    return sum;
  });
}

check.prop(
  [fc.integer({ min: 16, max: 90 }), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 45 }), fc.nat()],
  {
    numRuns: 60,
  },
)('many rows are scored as one by one, bit for bit', (rows, features, classes, seed) => {
  const own = problem(rows, features, classes, seed);
  const [first, second] = [new Float64Array(rows * classes), new Float64Array(rows * classes)];
  scoreLinear(own.linear, own.rows, first);
  scoreLinear(own.linear, own.rows, second); // the weights lie in the memory of the kernels by now
  expect(first).toEqual(plainly(own));
  expect(second).toEqual(first);
});

test('rows that fill several blocks are taken, few rows and a very long one are not', () => {
  const many = problem(900, 90, 20, 1);
  const out = new Float64Array(900 * 20);
  expect(scoreFast(many.linear, many.rows, out)).toBe(true);
  expect(out).toEqual(plainly(many));
  const few = problem(15, 90, 20, 2);
  expect(scoreFast(few.linear, few.rows, out)).toBe(false);
  const long = problem(16, 60_000, 2, 3);
  expect(scoreFast(long.linear, long.rows, out)).toBe(false);
});
