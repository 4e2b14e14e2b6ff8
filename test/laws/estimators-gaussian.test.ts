import { fc } from '@fast-check/vitest';
import { GaussianNB } from '../../src/estimators/gaussian-nb.ts';
import { KernelNB } from '../../src/estimators/kernel-nb.ts';
import { checkEstimator } from './check-estimator.ts';

// Quarters: sums of squares are exact, so that a class without spread is detected in every order of additions. A floor
// of 1e-9 of the largest variance amplifies the last digit of a cancelled sum to more than any promise on
// log-probabilities.
const quarters = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);

checkEstimator({
  name: 'GaussianNB',
  sizes: [
    { rows: 2000, features: 36, classes: 8 }, // more cells than are checked before they are counted
    { rows: 24, features: 1000, classes: 20 },
  ],
  make: (params) => new GaussianNB(params),
  cells: quarters,
  impossible: [
    { varSmoothing: -1 },
    { varSmoothing: Number.NaN },
    { priors: [-0.5, 1.5] },
    { rule: 'map' },
    { rule: 'guess' },
    { prior: { mean: 0 } },
    { prior: { mean: 0, kappa: 0, a: 1, b: 1 } },
  ],
  rounding: 1e-9,
});

checkEstimator({
  name: 'GaussianNB with missing cells',
  make: (params) => new GaussianNB({ missing: 'ignore', ...params }),
  cells: fc.oneof({ weight: 4, arbitrary: quarters }, fc.constant(Number.NaN)),
  impossible: [{ missing: 'yes' }],
  rounding: 1e-9,
});

checkEstimator({
  name: 'GaussianNB with Student predictive densities',
  make: (params) => new GaussianNB({ rule: 'bayes', prior: { mean: 0, kappa: 1, a: 2, b: 1 }, ...params }),
  cells: fc.double({ min: -100, max: 100, noNaN: true }),
  impossible: [{ prior: { mean: [], kappa: 1, a: 1, b: 1 } }],
  rounding: 1e-9,
});

checkEstimator({
  name: 'GaussianNB at the mode',
  make: (params) => new GaussianNB({ rule: 'map', prior: { mean: 1, kappa: 0.1, a: 1, b: 2 }, ...params }),
  cells: fc.double({ min: -100, max: 100, noNaN: true }),
  impossible: [{ prior: 'weak' }],
  rounding: 1e-9,
});

checkEstimator({
  name: 'KernelNB',
  sizes: [
    { rows: 300, features: 4, classes: 20 },
    { rows: 24, features: 160, classes: 20 }, // more than 65,536 weights, which are read from a file on demand
  ],
  make: (params) => new KernelNB(params),
  cells: fc.double({ min: -100, max: 100, noNaN: true }),
  impossible: [{ bandwidth: 0 }, { bandwidth: 'wide' }, { leastBandwidth: -1 }, { priors: [-1, 2] }],
  rounding: 0,
});

checkEstimator({
  name: 'KernelNB with missing cells and the rule of Weka',
  make: (params) => new KernelNB({ missing: 'ignore', bandwidth: 'weka', ...params }),
  cells: fc.oneof({ weight: 4, arbitrary: quarters }, fc.constant(Number.NaN)),
  impossible: [{ missing: 'yes' }],
  rounding: 0,
});
