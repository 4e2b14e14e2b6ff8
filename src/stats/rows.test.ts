import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { Random } from '../math/random.ts';
import { moments } from './moments.ts';
import { countRows, addRowsFast as fastMoments, type LabelledRows, addRows as plainMoments } from './moments-rows.ts';
import { scatter } from './scatter.ts';
import { addRowsFast as fastScatter, addRows as plainScatter } from './scatter-rows.ts';
import { sums } from './sums.ts';

interface Case extends LabelledRows {
  readonly classes: number;
  readonly features: number;
}

/** Enough rows for the kernels, in some cases more than fit one block. */
const cases = fc
  .record({
    classes: fc.integer({ min: 1, max: 4 }),
    features: fc.integer({ min: 1, max: 9 }),
    more: fc.constantFrom(0, 1, 7, 2000),
    seed: fc.nat(),
    offset: fc.constantFrom(0, 1e6, -1e12),
  })
  .map(({ classes, features, more, seed, offset }): Case => {
    const random = new Random(seed);
    const rows = 8 * classes + more;
    return {
      classes,
      features,
      rows,
      x: Float64Array.from({ length: rows * features }, () => offset + random.uniform() - 0.5),
      y: Int32Array.from({ length: rows }, () => random.integer(classes)),
      w: Float64Array.from({ length: rows }, () => (random.integer(3) === 0 ? random.uniform() : 1)),
    };
  });

describe('rows added in WebAssembly are rows added by plain loops, bit for bit', () => {
  test.prop([cases, fc.nat()])('in moments, with cells that are missing', (drawn, gap) => {
    drawn.x[gap % drawn.x.length] = Number.NaN;
    const [fast, plain] = [moments.empty(drawn), moments.empty(drawn)];
    for (const stats of [fast, plain]) countRows(stats, drawn);
    expect(fastMoments(fast, drawn)).toBe(true);
    plainMoments(plain, drawn);
    expect(fast).toEqual(plain);
    expect(fast.s2.every((square) => square >= 0)).toBe(true);
  });

  test.prop([cases, fc.nat()])('in moments that count classes and missing cells too', (drawn, gap) => {
    const shape = { ...drawn, missing: true };
    const [fast, plain] = [moments.empty(shape), moments.empty(shape)];
    for (const stats of [fast, plain]) moments.add(stats, { ...shape, x: drawn.x.slice() });
    drawn.x[gap % drawn.x.length] = Number.NaN;
    expect(fastMoments(fast, drawn, { counting: true })).toBe(true);
    countRows(plain, drawn);
    plainMoments(plain, drawn);
    expect(fast).toEqual(plain);
    expect(fast.m.filter((weight) => weight > 0)).toHaveLength(1);
  });

  test.prop([cases])('in scatter', (drawn) => {
    const [fast, plain] = [scatter.empty(drawn), scatter.empty(drawn)];
    for (const stats of [fast, plain]) countRows(stats, drawn);
    expect(fastScatter(fast, drawn)).toBe(true);
    plainScatter(plain, drawn);
    expect(fast).toEqual(plain);
  });
});

/** Sparse rows with cells in half of twelve columns. */
function sparseRows(classes: number, rows: number, seed: number) {
  const random = new Random(seed);
  const features = 12;
  const cells = Array.from({ length: rows }, () => [...Array(features).keys()].filter(() => random.integer(2) === 0));
  const indptr = Uint32Array.from([0, ...cells.map(({ length }) => length)]);
  for (let i = 0; i < rows; i++) indptr[i + 1] += indptr[i];
  const indices = Uint32Array.from(cells.flat());
  const values = Float64Array.from(indices, () => (random.integer(9) === 0 ? Number.NaN : random.uniform()));
  const y = Int32Array.from({ length: rows }, () => random.integer(classes));
  const w = Float64Array.from({ length: rows }, () => random.uniform());
  return { classes, features, missing: true, rows, indptr, indices, values, y, w };
}

type Sparse = ReturnType<typeof sparseRows>;

function expectPlainSums(batches: readonly Sparse[]): void {
  const stats = sums.empty({ ...batches[0], classes: Math.max(...batches.map(({ classes }) => classes)) });
  const [n, s, m] = [stats.n.slice(), stats.s.slice(), stats.m.slice()];
  for (const { rows, features, indptr, indices, values, y, w } of batches) {
    for (let i = 0; i < rows; i++) {
      n[y[i]] += w[i];
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        if (Number.isNaN(values[k])) m[y[i] * features + indices[k]] += w[i];
        else s[y[i] * features + indices[k]] += w[i] * values[k];
      }
    }
  }
  for (const batch of batches) sums.add(stats, { ...batch, classes: stats.classes });
  expect(stats).toMatchObject({ n, s, m });
}

describe('sums of sparse rows are summed in the order of the rows, bit for bit', () => {
  const sparse = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 5, 300), fc.nat())
    .map((drawn) => sparseRows(...drawn));
  test.prop([sparse, sparse])('few of them', (first, second) => expectPlainSums([first, second]));

  test('more of them than one block takes', () => expectPlainSums([sparseRows(3, 100_000, 1)]));
});
