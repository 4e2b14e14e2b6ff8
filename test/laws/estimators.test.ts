import { fc } from '@fast-check/vitest';
import { BernoulliNB } from '../../src/estimators/bernoulli-nb.ts';
import { checkEstimator } from './check-estimator.ts';

checkEstimator({
  name: 'BernoulliNB',
  make: (params) => new BernoulliNB(params),
  cells: fc.constantFrom(0, 1, 2, -1),
  impossible: [{ alpha: -1 }, { alpha: Number.NaN }, { binarize: -1 }, { classPrior: ['a'] }, { fitPrior: 1 }],
  rounding: 0,
});

checkEstimator({
  name: 'BernoulliNB with missing cells and no smoothing',
  make: (params) => new BernoulliNB({ missing: 'ignore', alpha: 0, fitPrior: false, ...params }),
  cells: fc.constantFrom(0, 1, Number.NaN),
  impossible: [{ missing: 'yes' }],
  rounding: 0,
});
