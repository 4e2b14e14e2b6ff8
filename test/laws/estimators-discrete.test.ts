import { fc } from '@fast-check/vitest';
import { BernoulliNB } from '../../src/estimators/bernoulli-nb.ts';
import { CategoricalNB } from '../../src/estimators/categorical-nb.ts';
import { ComplementNB } from '../../src/estimators/complement-nb.ts';
import { MultinomialNB } from '../../src/estimators/multinomial-nb.ts';
import { PoissonNB } from '../../src/estimators/poisson-nb.ts';
import { checkEstimator } from './check-estimator.ts';

const counts = fc.integer({ min: 0, max: 4 });

checkEstimator({
  name: 'MultinomialNB',
  make: (params) => new MultinomialNB(params),
  cells: counts,
  impossible: [
    { alpha: -1 },
    { alpha: Number.NaN },
    { alpha: 'most' },
    { alpha: null },
    { alpha: [1, -1] },
    { alpha: [] },
    { priorAlpha: -1 },
    { smoothing: 'none' },
    { lambda: 1.5 },
    { mu: -1 },
    { delta: 2 },
  ],
  rounding: 0,
});

checkEstimator({
  name: 'MultinomialNB without smoothing',
  make: (params) => new MultinomialNB({ alpha: 0, priorAlpha: 0.5, ...params }),
  cells: counts,
  impossible: [],
  rounding: 0,
});

for (const smoothing of ['jelinek-mercer', 'dirichlet', 'absolute'] as const) {
  checkEstimator({
    name: `MultinomialNB with the smoothing ${smoothing}`,
    make: (params) => new MultinomialNB({ smoothing, ...params }),
    cells: counts,
    impossible: [],
    rounding: 0,
  });
}

checkEstimator({
  name: 'ComplementNB',
  make: (params) => new ComplementNB(params),
  cells: counts,
  impossible: [{ alpha: -1 }, { norm: 1 }],
  rounding: 0,
});

checkEstimator({
  name: 'ComplementNB with normalised weights',
  make: (params) => new ComplementNB({ norm: true, alpha: 0.5, ...params }),
  cells: counts,
  impossible: [],
  rounding: 0,
});

checkEstimator({
  name: 'BernoulliNB with a smoothed prior',
  make: (params) => new BernoulliNB({ priorAlpha: 1, ...params }),
  cells: fc.constantFrom(0, 1),
  impossible: [{ priorAlpha: -1 }],
  rounding: 0,
});

checkEstimator({
  name: 'BernoulliNB under Beta(3, 2), by the maximum of the posterior',
  make: (params) => new BernoulliNB({ alpha: 3, alphaAbsent: 2, estimate: 'map', priorAlpha: 2, ...params }),
  cells: fc.constantFrom(0, 1),
  impossible: [{ alphaAbsent: -1 }, { alphaAbsent: 'auto' }, { estimate: 'mode' }, { priorAlpha: [-1, 1] }],
  rounding: 0,
});

checkEstimator({
  name: 'PoissonNB',
  make: (params) => new PoissonNB(params),
  cells: counts,
  impossible: [{ shape: -1 }, { rate: -1 }, { rule: 'mean' }, { predictive: 1 }],
  rounding: 0,
});

checkEstimator({
  name: 'PoissonNB by likelihood, with missing cells',
  make: (params) => new PoissonNB({ rule: 'mle', missing: 'ignore', ...params }),
  cells: fc.oneof({ weight: 4, arbitrary: counts }, fc.constant(Number.NaN)),
  impossible: [],
  rounding: 0,
});

checkEstimator({
  name: 'PoissonNB that integrates over its rates',
  make: (params) => new PoissonNB({ predictive: true, shape: 0.5, missing: 'ignore', ...params }),
  cells: fc.oneof({ weight: 4, arbitrary: counts }, fc.constant(Number.NaN)),
  impossible: [],
  rounding: 0,
});

checkEstimator({
  name: 'CategoricalNB',
  make: (params) => new CategoricalNB(params),
  cells: fc.integer({ min: 0, max: 3 }),
  impossible: [
    { alpha: -1 },
    { alpha: [1, 1] },
    { minCategories: 0 },
    { minCategories: [2, 1.5] },
    { minCategories: [[1], [2]] },
    { unknown: 'guess' },
  ],
  rounding: 0,
});

checkEstimator({
  name: 'CategoricalNB with missing cells and no smoothing',
  make: (params) => new CategoricalNB({ alpha: 0, missing: 'ignore', minCategories: 3, ...params }),
  cells: fc.constantFrom(0, 1, 5, Number.NaN),
  impossible: [],
  rounding: 0,
});
