import { fc } from '@fast-check/vitest';
import { MixedNB } from '../../src/estimators/mixed-nb.ts';
import { columnModel } from '../../src/models/column-model.ts';
import { registerFamily } from '../../src/models/mixed.ts';
import { checkEstimator } from './check-estimator.ts';

// Quarters, as for GaussianNB: sums of squares are exact, so that a class without spread is detected in every order.
const quarters = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);
const gaps = fc.oneof({ weight: 4, arbitrary: quarters }, fc.constant(Number.NaN));

checkEstimator({
  name: 'MixedNB',
  sizes: [
    { rows: 2000, features: 12, classes: 20 },
    { rows: 24, features: 300, classes: 20 },
  ],
  make: (params) => new MixedNB(params),
  cells: gaps,
  impossible: [
    { columns: 'gaussian' },
    { columns: { a: 'normal' } },
    { alpha: -1 },
    { wordAlpha: -1 },
    { varSmoothing: Number.NaN },
    { rate: -1 },
    { unknown: 'guess' },
    { classPrior: ['a'] },
  ],
  rounding: 1e-9,
});

checkEstimator({
  name: 'MixedNB of numbers, words and booleans',
  make: (params) => new MixedNB({ priorAlpha: 1, ...params }),
  cells: quarters,
  columns: [gaps, quarters, fc.constantFrom('x', '__proto__', ''), fc.boolean()],
  impossible: [{ priorAlpha: -1 }],
  rounding: 1e-9,
});

checkEstimator({
  name: 'MixedNB of counts, numbered levels and words in a bag',
  make: (params) =>
    new MixedNB({
      columns: ['poisson', 'categorical', 'multinomial', 'multinomial'],
      fitPrior: false,
      wordAlpha: 0.1,
      ...params,
    }),
  cells: fc.nat(3),
  impossible: [{ shape: -1 }],
  rounding: 0,
  orderedColumns: true,
});

// Eighths of a turn and of a unit: equal values are equal to the bit, and others differ by more than rounding.
const eighths = fc.integer({ min: 1, max: 40 }).map((n) => n / 8);

checkEstimator({
  name: 'MixedNB of waiting times, angles, durations and amounts',
  make: (params) =>
    new MixedNB({ columns: ['exponential', 'vonmises', 'gamma', 'lognormal'], priorAlpha: 1, ...params }),
  cells: eighths,
  impossible: [{ poolWeight: -1 }, { columns: ['weibull'] }, { bandwidth: 0 }],
  rounding: 1e-9,
  orderedColumns: true,
});

checkEstimator({
  name: 'MixedNB of outliers, kernels, shares and rainfall',
  make: (params) =>
    new MixedNB({ columns: ['studentt', 'kernel', 'beta', 'zeroinflatedgamma'], priorAlpha: 1, ...params }),
  cells: fc.integer({ min: 1, max: 15 }).map((n) => n / 16),
  impossible: [{ leastBandwidth: -1 }],
  rounding: 1e-9,
  orderedColumns: true,
});

checkEstimator({
  name: 'MixedNB of counts with many zeros',
  make: (params) =>
    new MixedNB({
      columns: ['negativebinomial', 'zeroinflatedpoisson', 'zeroinflatednegativebinomial', 'zeroinflatedlognormal'],
      priorAlpha: 1,
      ...params,
    }),
  cells: fc.oneof(fc.constant(0), fc.nat(9)),
  impossible: [{ columns: ['zeroinflated'] }],
  rounding: 1e-9,
  orderedColumns: true,
});

registerFamily(
  columnModel({
    name: 'speeds',
    support: 'positive',
    statistics: { square: (x) => x * x },
    parameters: ['variance'],
    estimate: ([square]) => [Math.max(square / 2, 1e-300)],
    logDensity: ({ 0: variance }, x) => (x > 0 ? Math.log(x / variance) - (x * x) / (2 * variance) : -Infinity),
    sample: ({ 0: variance }, random) => Math.sqrt(-2 * variance * Math.log(1 - random.uniform())),
  }),
);

checkEstimator({
  name: 'MixedNB with a registered family',
  make: (params) => new MixedNB({ columns: ['gaussian', 'exponential', 'speeds'], priorAlpha: 1, ...params }),
  cells: eighths,
  impossible: [{ columns: ['Speeds'] }],
  rounding: 1e-9,
  orderedColumns: true,
});
