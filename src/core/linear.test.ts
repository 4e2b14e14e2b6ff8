import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { sliceRows, toSparse } from '../data/batch.ts';
import { Random } from '../math/random.ts';
import { scoreLinear } from './linear.ts';

const cases = fc.record({
  classes: fc.integer({ min: 1, max: 21 }),
  features: fc.integer({ min: 1, max: 12 }),
  rows: fc.integer({ min: 0, max: 4 }),
  seed: fc.nat(),
});

check.prop([cases])('linear scores add the cells in the order of the columns, dense or sparse', (shape) => {
  const { classes, features, rows, seed } = shape;
  const random = new Random(seed);
  const draw = (length: number) => Float64Array.from({ length }, () => -random.uniform());
  const linear = { classes, logPrior: draw(classes), weights: draw(classes * features) };
  linear.weights[0] = -Infinity;
  const x = Float64Array.from({ length: rows * features }, () => (random.integer(2) ? random.uniform() : 0));
  const wanted = new Float64Array(rows * classes).map((_, at) => {
    const [i, c] = [Math.floor(at / classes), at % classes];
    let sum = linear.logPrior[c];
    for (let j = 0; j < features; j++) {
      if (x[i * features + j] !== 0) sum += x[i * features + j] * linear.weights[j * classes + c];
    }
    return sum;
  });
  const dense = { rows, features, x };
  for (const given of [dense, toSparse(dense)]) {
    const out = new Float64Array(rows * classes);
    scoreLinear(linear, given, out);
    expect(out).toEqual(wanted);
  }
});

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

test('rows across several blocks, and one longer than a block, score the same before and after the weights are copied', () => {
  for (const own of [problem(900, 90, 20, 1), problem(40, 60_000, 2, 3), problem(16, 90, 45, 4)]) {
    const out = new Float64Array(own.rows.rows * own.linear.classes);
    for (let time = 0; time < 40; time++) {
      scoreLinear(own.linear, own.rows, out.fill(0));
      if (time % 13 === 0) expect(out).toEqual(plainly(own));
    }
  }
});

test('a slice of a matrix is scored from its first row', () => {
  const own = problem(50, 300, 9, 5);
  const out = new Float64Array(50 * 9);
  scoreLinear(own.linear, own.rows, out);
  const part = new Float64Array(20 * 9);
  scoreLinear(own.linear, sliceRows(own.rows, 30, 50), part);
  expect(part).toEqual(out.slice(30 * 9));
});
