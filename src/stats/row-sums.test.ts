import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { Random } from '../math/random.ts';
import { moments } from './moments.ts';
import { addRows, countRows, type LabelledRows } from './row-sums.ts';
import { scatter } from './scatter.ts';
import { sums } from './sums.ts';

interface Case extends LabelledRows {
  readonly classes: number;
  readonly features: number;
}

/** Rows of some of the classes, in some cases more than one block. */
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
      y: Int32Array.from({ length: rows }, () => classes - 1 - random.integer(Math.ceil(classes / 2))),
      w: Float64Array.from({ length: rows }, () => (random.integer(3) === 0 ? random.uniform() : 1)),
    };
  });

describe('rows are added one after the other, bit for bit, to the classes that they have', () => {
  test.prop([cases, fc.nat()])('in moments, with cells that are missing', (drawn, gap) => {
    drawn.x[gap % drawn.x.length] = Number.NaN;
    const { features, rows, x, y, w } = drawn;
    const [stats, plain] = [moments.empty(drawn), moments.empty(drawn)];
    for (const each of [stats, plain]) countRows(each, drawn);
    addRows('moments', stats, drawn);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < features; j++) {
        const [value, cell] = [x[i * features + j], y[i] * features + j];
        if (Number.isNaN(value)) continue;
        plain.s1[cell] += w[i] * (value - plain.shift[cell]);
        plain.s2[cell] += w[i] * (value - plain.shift[cell]) * (value - plain.shift[cell]);
      }
    }
    expect(stats).toEqual(plain);
  });

  test.prop([cases, fc.nat()])('missing cells are counted, and the first value is the shift', (drawn, gap) => {
    const { features, y, w } = drawn;
    const at = gap % drawn.x.length;
    drawn.x[at] = Number.NaN;
    const stats = moments.empty({ ...drawn, missing: true });
    countRows(stats, drawn);
    const [row, j] = [Math.floor(at / features), at % features];
    expect([...stats.m].filter((weight) => weight > 0)).toEqual([w[row]]);
    const first = y.findIndex((c, i) => c === y[row] && i !== row);
    expect(stats.shift[y[row] * features + j]).toBe(first < 0 ? 0 : drawn.x[first * features + j]);
  });

  test.prop([cases])('in scatter', (drawn) => {
    const { features, rows, x, y, w } = drawn;
    const [stats, plain] = [scatter.empty(drawn), scatter.empty(drawn)];
    for (const each of [stats, plain]) countRows(each, drawn);
    addRows('scatter', stats, drawn);
    for (let i = 0; i < rows; i++) {
      const distance = (j: number) => x[i * features + j] - plain.shift[y[i] * features + j];
      let cell = (y[i] * features * (features + 1)) / 2;
      for (let j = 0; j < features; j++) {
        plain.s1[y[i] * features + j] += w[i] * distance(j);
        for (let k = 0; k <= j; k++) plain.s2[cell++] += w[i] * distance(j) * distance(k);
      }
    }
    expect(stats).toEqual(plain);
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

describe('sparse rows are summed in row order, bit for bit', () => {
  const sparse = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 5, 300), fc.nat())
    .map((drawn) => sparseRows(...drawn));
  test.prop([sparse, sparse])('few of them', (first, second) => expectPlainSums([first, second]));

  test('more of them than one block', () => expectPlainSums([sparseRows(3, 100_000, 1)]));
});
