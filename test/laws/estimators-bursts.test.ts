import { fc } from '@fast-check/vitest';
import { DirichletMultinomialNB } from '../../src/estimators/dirichlet-multinomial-nb.ts';
import { DiscriminativeMultinomialNB } from '../../src/estimators/discriminative-multinomial-nb.ts';
import { RobinsonFisherFilter } from '../../src/estimators/robinson-fisher-filter.ts';
import { checkEstimator } from './check-estimator.ts';

const counts = fc.constantFrom(0, 0, 1, 2, 3, 7);

checkEstimator({
  name: 'DirichletMultinomialNB',
  make: (params) => new DirichletMultinomialNB(params),
  cells: counts,
  impossible: [
    { method: 'guess' },
    { epsilon: -1 },
    { epsilon: 1.5 },
    { maxPrecision: 0 },
    { maxIter: 0 },
    { tol: Number.NaN },
    { classPrior: ['a'] },
  ],
  rounding: 0,
});

checkEstimator({
  name: 'DirichletMultinomialNB by fixed point, with a floor for unseen words',
  make: (params) => new DirichletMultinomialNB({ method: 'fixed-point', smoothing: 'floor', ...params }),
  cells: counts,
  impossible: [{ complement: 1 }],
  rounding: 0,
});

checkEstimator({
  name: 'DirichletMultinomialNB by leaving words out, with a constant for all',
  make: (params) => new DirichletMultinomialNB({ method: 'leave-one-out', smoothing: 'add', ...params }),
  cells: fc.constantFrom(0, 0.25, 1, 1.5, 4),
  impossible: [{ smoothing: 'none' }],
  rounding: 0,
});

checkEstimator({
  name: 'DirichletMultinomialNB in its fast form, on the complement',
  make: (params) =>
    new DirichletMultinomialNB({ method: 'edcm', complement: true, smoothing: 'floor', epsilon: 1, ...params }),
  cells: counts,
  impossible: [{ epsilon: 0 }],
  rounding: 0,
});

checkEstimator({
  name: 'DiscriminativeMultinomialNB',
  make: (params) => new DiscriminativeMultinomialNB(params),
  cells: counts,
  discriminative: true,
  impossible: [{ passes: 0 }, { seed: 0.5 }, { shuffle: 1 }, { weighting: 'tf' }],
  rounding: 0,
});

checkEstimator({
  name: 'DiscriminativeMultinomialNB of frequencies, in three passes',
  make: (params) => new DiscriminativeMultinomialNB({ weighting: 'frequency', passes: 3, seed: 7, ...params }),
  cells: fc.constantFrom(0, 0.5, 1, 4),
  discriminative: true,
  impossible: [{ passes: Infinity }],
  rounding: 0,
});

checkEstimator({
  name: 'RobinsonFisherFilter',
  make: (params) => new RobinsonFisherFilter(params),
  cells: counts,
  impossible: [
    { preset: 'razor' },
    { strength: 0 },
    { assumed: 1 },
    { tokens: 0 },
    { hamCutoff: 0.995 },
    { spamCutoff: 0.1 },
  ],
  rounding: 0,
});

checkEstimator({
  name: 'RobinsonFisherFilter that uses every token',
  make: (params) => new RobinsonFisherFilter({ preset: 'spamassassin', minDeviation: 0, tokens: 3, ...params }),
  cells: fc.constantFrom(0, 1),
  impossible: [{ minDeviation: -1 }],
  rounding: 0,
});
