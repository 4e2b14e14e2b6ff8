import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import { load } from '../auto/load.ts';
import { count, score } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { KernelNB, type KernelNBOptions } from '../estimators/kernel-nb.ts';
import { leaveOneOut } from '../estimators/leave-one-out.ts';
import { valuesOf } from '../stats/multiset.ts';
import { type Values, values } from '../stats/values.ts';
import { kernel, kernelInsight } from './kernel.ts';

const cells = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -40, max: 40 }).map((n) => n / 8) },
  fc.constant(Number.NaN),
);
const tables = fc
  .record({ features: fc.integer({ min: 1, max: 3 }), rows: fc.integer({ min: 2, max: 8 }) })
  .chain(({ features, rows }) =>
    fc.record({
      X: fc.array(fc.array(cells, { minLength: features, maxLength: features }), { minLength: rows, maxLength: rows }),
      y: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: rows, maxLength: rows }),
      w: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: rows, maxLength: rows }),
    }),
  );
const rules = fc.constantFrom<'silverman' | 'scott' | 'weka' | number>('silverman', 'scott', 'weka', 0.5);

check.prop([tables, rules])('leaving one out equals fitting to the others', ({ X, y, w }, bandwidth) => {
  const options: KernelNBOptions = { bandwidth, missing: 'ignore' };
  const { classes, counted, batch } = new KernelNB(options).fit(X, y, { sampleWeight: w }).inside();
  const out = new Float64Array(X.length * classes.length);
  kernelInsight.leaveOneOut!(counted().stats, counted().options as never, batch(X, y, w), out, kernel);
  const expected = X.flatMap((row, i) => {
    const others = [...X.keys()].filter((k) => k !== i);
    const rest = new KernelNB(options).partialFit(
      others.map((k) => X[k]),
      others.map((k) => y[k]),
      { sampleWeight: others.map((k) => w[k]), classes },
    );
    return [...rest.predictJointLogProba([row]).data];
  });
  expectClose(out, expected, 1e-11, 1);
});

test('the statistic keeps every value once, with its weight in each class', () => {
  const stats = count(values, batch([[2], [-0], [2], [0]], [0, 0, 1, 1], [1, 1, 3, 0.5]));
  const entries = (of: Values) => {
    const { cells, values: own, weights } = valuesOf(of);
    return Array.from(cells, (cell, k) => [cell, own[k], weights[k]]);
  };
  expect(entries(stats)).toEqual([
    [0, 0, 1],
    [0, 2, 1],
    [1, 0, 0.5],
    [1, 2, 3],
  ]);
  values.subtract(stats, count(values, batch([[2], [2]], [1, 0], [3, 1])));
  expect(entries(stats)).toEqual([
    [0, 0, 1],
    [1, 0, 0.5],
  ]);
  const strange = count(values, { ...batch([[7]], [0]), classes: 2 });
  expect(refusalOf(() => values.subtract(stats, strange)).code).toBe('E_UNLEARN_UNDERFLOW');
  const moved = values.reshape(
    count(values, batch([[1, 5]], [0])),
    { classes: 1, features: 3 },
    {
      features: Int32Array.of(2, 0),
    },
  );
  expect(entries(moved)).toEqual([
    [0, 5, 1],
    [2, 1, 1],
  ]);
  const gone = values.reshape(moved, { classes: 1, features: 1 }, { features: Int32Array.of(-1, -1, 0) });
  expect(entries(gone)).toEqual([[0, 1, 1]]);
});

test('two values by hand: the mean of two bells', () => {
  const stats = count(values, batch([[0], [0], [3]], [0, 0, 0]));
  const kernels = kernel.estimate(stats, { bandwidth: 1, leastBandwidth: 0 });
  const bell = (z: number) => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
  expectClose(score(kernel, kernels, batch([[1]])), [Math.log((2 / 3) * bell(1) + (1 / 3) * bell(2))], 1e-14);
});

interface KernelCase {
  values: number[];
  rule: 'silverman' | 'scott' | 'weka' | number;
  width: number;
  at: number[];
  logDensity: (number | string)[];
}

test.each(
  fixture<{ kernel: KernelCase[] }>('gaussian').kernel.map(
    (record) => [record.values.length, record.rule, record] as const,
  ),
)('%i values, rule %s: bandwidth and densities as SciPy has them', (_, rule, { values, width, at, logDensity }) => {
  const estimator = new KernelNB({ bandwidth: rule }).fit(
    values.map((value) => [value]),
    values.map(() => 'a'),
  );
  expectClose(estimator.bandwidth.data, [width], 1e-12);
  const joint = estimator.predictJointLogProba(at.map((x) => [x])).data;
  // SciPy's density underflows far from the values; ours does not
  logDensity.forEach((expected, k) => {
    if (typeof expected === 'number') expectClose([joint[k]], [expected], 1e-9, 1);
  });
});

describe('extremes', () => {
  test('far from all values the score falls but stays a number, and the nearer class wins', () => {
    const estimator = new KernelNB().fit([[0], [1], [2], [10], [11], [12]], ['a', 'a', 'a', 'b', 'b', 'b']);
    expect(estimator.predict([[-1e6], [1e6], [1e100]])).toEqual(['a', 'b', 'a']);
    for (const p of estimator.predictProba([[-1e6], [1e6], [1e150], [-1e150]]).data)
      expect(Number.isFinite(p)).toBe(true);
    for (const s of estimator.predictJointLogProba([[-1e6], [1e6], [1e150]]).data) expect(Number.isNaN(s)).toBe(false);
  });
  test('one row and constant columns give finite probabilities, huge values too, larger ones are refused', () => {
    for (const value of [0, 5e-324, -3, 1e150]) {
      const estimator = new KernelNB().fit([[value], [value], [value]], ['a', 'a', 'b']);
      expectClose(estimator.predictProba([[value]]).data, [2 / 3, 1 / 3], 1e-12);
    }
    expect(refusalOf(() => new KernelNB().fit([[2e150]], ['a'])).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => new KernelNB().fit(SparseMatrix.fromRows([[[0, 1]]], 2), ['a'])).code).toBe('E_TYPE');
  });
  test('a value alone in its class is as wide as the least bandwidth says', () => {
    const estimator = new KernelNB({ leastBandwidth: 0.5 }).fit([[0], [1], [3]], ['a', 'b', 'b']);
    const deviation = Math.sqrt(14) / 3; // of 0, 1, 3
    expectClose([estimator.bandwidth.at(0, 0)], [0.5 * deviation], 1e-14);
  });
  test('a class that never showed a feature takes the density of all, and where none did it says nothing', () => {
    const rows = [
      [Number.NaN, Number.NaN],
      [1, Number.NaN],
      [2, Number.NaN],
    ];
    const estimator = new KernelNB({ missing: 'ignore' }).fit(rows, ['a', 'b', 'b']);
    expectClose(estimator.predictProba([[1.5, 7]]).data, [1 / 3, 2 / 3], 1e-14);
    expect(estimator.bandwidth.row(0)[1]).toBeNaN();
    expect([...estimator.sample(2, { class: 'a' }).X.data].every(Number.isFinite)).toBe(true);
  });
  test('what was saved goes on learning and unlearning to the bit', () => {
    const { X, y } = fixture<Iris>('iris');
    const half = new KernelNB().fit(X.slice(0, 75), y.slice(0, 75));
    const whole = load<KernelNB>(half.toBytes()).partialFit(X.slice(75), y.slice(75));
    expect(Buffer.compare(whole.toBytes(), new KernelNB().fit(X, y).toBytes())).toBe(0);
    expect(Buffer.compare(whole.unlearn(X.slice(75), y.slice(75)).toBytes(), half.toBytes())).toBe(0);
  });
});

test('iris: as many leave-one-out errors as explicit refits with densities of SciPy', () => {
  const { X, y, kernelErrors } = fixture<Iris>('iris');
  for (const bandwidth of ['silverman', 'scott', 'weka'] as const) {
    const { predictions } = leaveOneOut(new KernelNB({ bandwidth }), X, y);
    expect(predictions.filter((label, i) => label !== y[i])).toHaveLength(kernelErrors[bandwidth]);
  }
});

test('rows drawn have the two peaks of the values', () => {
  const estimator = new KernelNB({ bandwidth: 0.1 }).fit([[0], [0], [0], [5]], ['a', 'a', 'a', 'a']);
  const drawn = [...estimator.sample(2000, { seed: 4 }).X.data];
  expect(drawn.every((x) => Math.abs(x) < 1 || Math.abs(x - 5) < 1)).toBe(true);
  expect(Math.abs(drawn.filter((x) => x > 2).length / 2000 - 0.25)).toBeLessThan(0.03);
});
