import { fc } from '@fast-check/vitest';
import { AveragedOneDependenceNB } from '../../src/estimators/averaged-one-dependence-nb.ts';
import { KDependenceNB } from '../../src/estimators/k-dependence-nb.ts';
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

// parents and concentrations chosen from the first rows depend on which rows come first; k-dependence.test.ts covers
// those
const fixed = { parents: 'previous', k: 2, selectColumns: false, concentration: 'likelihood' } as const;

checkEstimator({
  name: 'KDependenceNB',
  sizes,
  make: (params) => new KDependenceNB({ ...fixed, ...params }),
  cells: levels,
  impossible: [
    { k: -1 },
    { k: 'all' },
    { concentration: 0 },
    { parents: [[0]] },
    { parents: 'some' },
    { unknown: 'guess' },
  ],
  rounding: 0,
  orderedColumns: true,
});

checkEstimator({
  name: 'KDependenceNB with missing cells and a given concentration',
  make: (params) =>
    new KDependenceNB({ ...fixed, k: 3, concentration: 0.5, missing: 'ignore', fitPrior: false, ...params }),
  cells: gaps,
  impossible: [{ missing: 'yes' }, { selectColumns: 1 }],
  rounding: 0,
  orderedColumns: true,
});
