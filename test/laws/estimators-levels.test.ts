import { fc } from '@fast-check/vitest';
import { AveragedOneDependenceNB } from '../../src/estimators/averaged-one-dependence-nb.ts';
import { TreeAugmentedNB } from '../../src/estimators/tree-augmented-nb.ts';
import { checkEstimator } from './check-estimator.ts';

const levels = fc.constantFrom(0, 1, 2, 4);
const gaps = fc.oneof({ weight: 4, arbitrary: levels }, fc.constant(Number.NaN));

/** The counts of pairs grow with the square of the features. */
const sizes = [
  { rows: 2000, features: 6, classes: 20 },
  { rows: 60, features: 16, classes: 20 },
];

checkEstimator({
  name: 'TreeAugmentedNB',
  sizes,
  make: (params) => new TreeAugmentedNB(params),
  cells: levels,
  impossible: [{ alpha: -1 }, { unknown: 'guess' }, { classPrior: ['a'] }, { fitPrior: 1 }],
  rounding: 0,
  orderedColumns: true,
});

checkEstimator({
  name: 'TreeAugmentedNB with missing cells',
  make: (params) => new TreeAugmentedNB({ missing: 'ignore', alpha: 0.5, fitPrior: false, ...params }),
  cells: gaps,
  impossible: [{ missing: 'yes' }],
  rounding: 0,
  orderedColumns: true,
});

checkEstimator({
  name: 'AveragedOneDependenceNB',
  sizes,
  make: (params) => new AveragedOneDependenceNB(params),
  cells: levels,
  impossible: [{ alpha: 0 }, { minimumFrequency: -1 }, { weighted: 1 }, { unknown: 'guess' }],
  rounding: 0,
});

checkEstimator({
  name: 'AveragedOneDependenceNB with weights, missing cells and rare levels',
  make: (params) => new AveragedOneDependenceNB({ missing: 'ignore', weighted: true, minimumFrequency: 3, ...params }),
  cells: gaps,
  impossible: [{ missing: 'yes' }],
  rounding: 0,
});
