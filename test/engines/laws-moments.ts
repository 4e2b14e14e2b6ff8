import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  GaussianNB,
  KernelNB,
  LinearDiscriminantAnalysis,
  MixedNB,
  QuadraticDiscriminantAnalysis,
} from '../../src/index.ts';
import { type Bench, column, expectSameCounts, realNames as names, realTable, records, refusal } from './law-tools.ts';
import type { Cell, TestTable } from './load.ts';

const reals = fc.array(
  fc.tuple(
    fc.constantFrom(1, 2, 7),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.double({ min: -1, max: 1, noNaN: true }).map((x) => 1e9 + x),
    fc.double({ min: -1e-6, max: 1e-6, noNaN: true }),
  ),
  { minLength: 12, maxLength: 60 },
);

/** Moments are close to those in memory, whatever the offset. */
export function momentLaws({ under, learned }: Bench): void {
  test('moments and scatter, to 1e-12 of the sum of absolute values', async () => {
    await fc.assert(
      fc.asyncProperty(reals, async (rows) => {
        const table = realTable(rows);
        const [X, y] = [records(table, names) as never, column(table, 'y') as number[]];
        const inEngine = await learned(new GaussianNB(), table, 'y', names);
        const inMemory = new GaussianNB().fit(X, y);
        expect(inEngine.classes).toEqual(inMemory.classes);
        expect(inEngine.classCount).toEqual(inMemory.classCount);
        expectCloseSums(statsOf(inEngine), statsOf(inMemory), table, y);
        const pair = [
          new QuadraticDiscriminantAnalysis({ regParam: 0.5 }),
          new QuadraticDiscriminantAnalysis({ regParam: 0.5 }),
        ];
        const [first, second] = [
          await refusal(learned(pair[0], table, 'y', names)),
          await refusal((async () => pair[1].fit(X, y))()),
        ];
        expect(first.code).toBe(second.code);
        if (first.code !== ('accepted' as never)) return;
        expect(Array.from(pair[0].means.data)).toEqual(
          Array.from(pair[1].means.data, (mean) => expect.closeTo(mean, 6)),
        );
      }),
      { numRuns: 3 },
    );
  });

  test('variances of numbers with a large offset, class by class', async () => {
    const rows = Array.from({ length: 200 }, (_, i): Cell[] => {
      const far = i % 4 === 0;
      return [far ? 1 : 2, (far ? 1e12 : -3) + (i % 7) / 8, i % 5, (far ? -1e9 : 1e9) + (i % 10)];
    });
    const table = realTable(rows);
    const [inEngine, inMemory] = [
      await learned(new GaussianNB({ varSmoothing: 0 }), table, 'y', names),
      new GaussianNB({ varSmoothing: 0 }).fit(records(table, names) as never, column(table, 'y') as number[]),
    ];
    inMemory.var.data.forEach((variance, k) => {
      expect(Math.abs(inEngine.var.data[k] / variance - 1)).toBeLessThan(1e-10);
    });
    const lda = await learned(new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 'auto' }), table, 'y', [
      'offset',
      'small',
    ]);
    const reference = new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 'auto' }).fit(
      records(table, ['offset', 'small']) as never,
      column(table, 'y') as number[],
    );
    reference.covariance.data.forEach((value, k) => {
      expect(Math.abs(lda.covariance.data[k] - value)).toBeLessThan(1e-8 * Math.max(1, Math.abs(value)));
    });
  });

  test('columns of every distribution, with missing cells and weights', async () => {
    const families = {
      waits: 'exponential',
      sizes: 'gamma',
      prices: 'lognormal',
      angles: 'vonmises',
      shares: 'beta',
      rain: 'zeroinflatedgamma',
      claims: 'zeroinflatedlognormal',
      visits: 'zeroinflatedpoisson',
      heights: 'studentt',
      density: 'kernel',
      goals: 'negativebinomial',
      losses: 'zeroinflatednegativebinomial',
    } as const;
    const features = Object.keys(families);
    const rows = Array.from({ length: 90 }, (_, i): Cell[] => {
      const c = i % 3;
      const u = (k: number) => (((i + 1) * (2 * k + 7) * 2654435761) % 1009) / 1010 + 0.0005;
      const cells = [
        u(0),
        u(1) + c,
        Math.exp(3 * u(2)),
        6 * u(3) - 3,
        u(4),
        Math.max(0, u(5) - 0.4),
        u(6) > 0.7 ? u(6) : 0,
      ];
      const counts = [u(7), u(10), u(11)].map((own) => Math.max(0, Math.floor(9 * own) - 3 + c));
      const own = [...cells, counts[0], u(8) - c, u(9) + c, counts[1], counts[2]].map((x, j) =>
        (i + j) % 17 === 0 ? null : x,
      );
      return [['a', 'b', 'c'][c], 1 + (i % 4) / 4, ...own];
    });
    const whole = ['visits', 'goals', 'losses'];
    const kinds = features.map((name) => [name, whole.includes(name) ? 'integer' : 'real'] as const);
    const table: TestTable = { columns: [['y', 'text'], ['w', 'real'], ...kinds], rows };
    const [X, y] = [records(table, features) as never, column(table, 'y') as string[]];
    const make = () => new MixedNB({ columns: families });
    const sampleWeight = column(table, 'w') as number[];
    const inMemory = make().fit(X, y, { sampleWeight }).predictProba(X);
    const inEngine = (await learned(make(), table, 'y', features, { weight: 'w' })).predictProba(X);
    for (const [k, p] of inEngine.data.entries()) expect(Math.abs(p - inMemory.data[k])).toBeLessThan(1e-9);
    const outside = {
      ...table,
      rows: [...rows, ['a', 1, ...rows[1].slice(2)].map((cell, j) => (j === 4 ? -1 : cell))],
    };
    expect((await refusal(learned(make(), outside, 'y', features))).code).toBe('E_NEGATIVE');
  });

  test('columns of all kinds in one pass, with missing cells, NaN and weights', async () => {
    const rows = Array.from({ length: 90 }, (_, i): Cell[] => [
      i % 3 > 0,
      i % 7 === 0 ? null : i % 11 === 0 ? Number.NaN : (i * 37) % 17,
      i % 5 === 0 ? null : ['red', 'green', '🎈', 'select'][i % 4],
      i % 8 === 0 ? null : i % 2,
      i % 9 === 0 ? null : i % 6,
      i % 4,
    ]);
    const table: TestTable = {
      columns: [
        ['y', under().bitsAreNumbers ? 'integer' : 'boolean'],
        ['size', 'real'],
        ['colour', 'text'],
        ['toss', 'integer'],
        ['events', 'integer'],
        ['w', 'real'],
      ],
      rows: under().bitsAreNumbers ? rows.map(([y, ...rest]) => [Number(y), ...rest]) : rows,
    };
    const features = ['size', 'colour', 'toss', 'events'];
    const options = { columns: { toss: 'bernoulli', events: 'poisson' } } as const;
    const [X, y] = [records(table, features) as never, column(table, 'y') as boolean[]];
    const sampleWeight = column(table, 'w') as number[];
    const inMemory = new MixedNB(options).fit(X, y, { sampleWeight });
    const inEngine = await learned(new MixedNB(options), table, 'y', features, { weight: 'w' });
    expect(inEngine.columns).toEqual(inMemory.columns);
    expect(inEngine.classCount).toEqual(inMemory.classCount);
    expectClose(inEngine.predictJointLogProba(X).data, inMemory.predictJointLogProba(X).data, 1e-9);
    const only = [['size'], table, 'y'] as const;
    const gaps = await learned(new GaussianNB({ missing: 'ignore' }), table, 'y', ['size']);
    const reference = new GaussianNB({ missing: 'ignore' }).fit(
      rows.map(([, size]) => [size === null ? Number.NaN : (size as number)]),
      y,
    );
    expectClose(gaps.theta.data, reference.theta.data, 1e-12);
    expect((await refusal(learned(new GaussianNB(), only[1], only[2], only[0]))).code).toBe('E_NOT_FINITE');
    const kernels = await learned(new KernelNB({ missing: 'ignore' }), table, 'y', ['size', 'events']);
    const cells = records(table, ['size', 'events']) as Record<string, number | null>[];
    const numbers = cells.map(({ size, events }) => ({ size: size ?? Number.NaN, events: events ?? Number.NaN }));
    expectSameCounts(kernels, new KernelNB({ missing: 'ignore' }).fit(numbers, y));
  });
}

interface MomentSums {
  readonly n: Float64Array;
  readonly shift: Float64Array;
  readonly s1: Float64Array;
  readonly s2: Float64Array;
}

const statsOf = (model: GaussianNB) => model.inside().counted().stats as unknown as MomentSums;

/** Sums about one shift, each within 1e-12 of the sum of absolute values. */
function expectCloseSums(actual: MomentSums, expected: MomentSums, table: TestTable, y: readonly number[]): void {
  const classes = [...new Set(y)].sort((a, b) => a - b);
  const features = expected.shift.length / classes.length;
  classes.forEach((label, c) => {
    for (let j = 0; j < features; j++) {
      const cell = c * features + j;
      const values = table.rows.filter((_, i) => y[i] === label).map((row) => row[j + 1] as number);
      const sum = ({ shift, s1, n }: MomentSums) => n[c] * shift[cell] + s1[cell];
      const absolute = values.reduce((all, x) => all + Math.abs(x), 0);
      expect(Math.abs(sum(actual) - sum(expected))).toBeLessThanOrEqual(1e-12 * absolute);
      const spread = ({ s1, s2, n }: MomentSums) => s2[cell] - (s1[cell] * s1[cell]) / n[c];
      const squares = values.reduce((all, x) => all + (x - expected.shift[cell]) ** 2, 0);
      expect(Math.abs(spread(actual) - spread(expected))).toBeLessThanOrEqual(
        1e-12 * Math.max(squares, Number.MIN_VALUE) + 1e-300,
      );
    }
  });
}

function expectClose(actual: Float64Array, expected: Float64Array, tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  expected.forEach((value, k) => {
    if (!(Math.abs(actual[k] - value) <= tolerance * Math.max(1, Math.abs(value)))) expect(actual[k]).toBe(value);
  });
}
