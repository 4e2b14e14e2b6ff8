import { fc } from '@fast-check/vitest';
import { LinearDiscriminantAnalysis } from '../../src/estimators/linear-discriminant-analysis.ts';
import { QuadraticDiscriminantAnalysis } from '../../src/estimators/quadratic-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis } from '../../src/estimators/regularized-discriminant-analysis.ts';
import { checkEstimator, type Dataset } from './check-estimator.ts';

const LABELS = ['__proto__', '', 'b'];

/** Quarters keep sums of squares exact, so that a zero spread is zero in every order of additions. */
const quarters = (most: number) => fc.integer({ min: -4 * most, max: 4 * most }).map((n) => n / 4);

/**
 * Two or three classes around different centres, each with the vertices of a slightly blurred simplex, and a few more
 * rows: every class spans the whole space. With gaps, cells of the rows besides the vertices may be missing.
 */
const datasetsWith = (gaps: boolean, weights: fc.Arbitrary<number>): fc.Arbitrary<Dataset> =>
  fc
    .record({ features: fc.integer({ min: 1, max: 3 }), classes: fc.integer({ min: 2, max: 3 }), extra: fc.nat(2) })
    .chain(({ features, classes, extra }) => {
      const rows = classes * (features + 1 + extra);
      const several = <T>(item: fc.Arbitrary<T>, length: number) =>
        fc.array(item, { minLength: length, maxLength: length });
      return fc
        .record({
          places: several(several(quarters(3), features), classes),
          blur: several(several(quarters(0.25), features), rows),
          w: several(weights, rows),
          order: fc.shuffledSubarray([...Array(rows).keys()], { minLength: rows }),
          missing: several(several(gaps ? fc.integer({ min: 0, max: 2 }) : fc.constant(1), features), rows),
        })
        .map(({ places, blur, w, order, missing }) => {
          const X = blur.map((noise, i) => {
            const [c, corner] = [i % classes, Math.floor(i / classes)];
            const isMissing = (j: number) => corner > features && missing[i][j] === 0;
            return noise.map((value, j) =>
              isMissing(j) ? Number.NaN : places[c][j] + value + (corner % (features + 1) === j ? 4 : 0),
            );
          });
          return {
            X: order.map((i) => X[i]),
            y: order.map((i) => LABELS[i % classes]),
            w: order.map((i) => w[i]),
          };
        });
    });

const ample = (weights: fc.Arbitrary<number>) => datasetsWith(false, weights);
const ampleWithGaps = (weights: fc.Arbitrary<number>) => datasetsWith(true, weights);

/** Every class has more rows than features. */
const sizes = [
  { rows: 2000, features: 12, classes: 20 },
  { rows: 300, features: 40, classes: 6 },
];

const subject = { cells: quarters(3), ample, rounding: 1e-9, sizes };

checkEstimator({
  ...subject,
  name: 'LinearDiscriminantAnalysis',
  make: (params) => new LinearDiscriminantAnalysis(params),
  impossible: [
    { solver: 'qr' },
    { shrinkage: 0.5 },
    { shrinkage: 2, solver: 'lsqr' },
    { priors: [-1, 2] },
    { tol: -1 },
    { nComponents: 0 },
    { covarianceDenominator: 'n+1' },
  ],
});

checkEstimator({
  ...subject,
  name: 'LinearDiscriminantAnalysis with least squares and a given shrinkage',
  make: (params) => new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 0.25, ...params }),
  impossible: [{ shrinkage: 'half' }],
});

checkEstimator({
  ...subject,
  name: 'LinearDiscriminantAnalysis with the shrinkage of Ledoit and Wolf',
  make: (params) => new LinearDiscriminantAnalysis({ solver: 'eigen', shrinkage: 'auto', ...params }),
  impossible: [{ shrinkage: -1 }],
});

checkEstimator({
  ...subject,
  name: 'QuadraticDiscriminantAnalysis',
  make: (params) => new QuadraticDiscriminantAnalysis(params),
  impossible: [{ regParam: 2 }, { shrinkage: 0.5 }, { regParam: 0.1, solver: 'eigen' }, { solver: 'lsqr' }],
});

checkEstimator({
  ...subject,
  name: 'QuadraticDiscriminantAnalysis with a regularisation',
  make: (params) => new QuadraticDiscriminantAnalysis({ regParam: 0.1, ...params }),
  impossible: [{ regParam: -0.1 }],
});

checkEstimator({
  ...subject,
  name: 'RegularizedDiscriminantAnalysis',
  make: (params) => new RegularizedDiscriminantAnalysis({ lambda: 0.5, gamma: 0.1, standardize: true, ...params }),
  impossible: [{ lambda: -1 }, { gamma: 1.5 }, { diagonal: 1 }],
});

const withGaps = {
  cells: fc.oneof({ weight: 4, arbitrary: quarters(3) }, fc.constant(Number.NaN)),
  ample: ampleWithGaps,
  rounding: 1e-9,
};

checkEstimator({
  ...withGaps,
  name: 'LinearDiscriminantAnalysis with missing cells',
  make: (params) => new LinearDiscriminantAnalysis({ missing: 'ignore', ...params }),
  impossible: [{ missing: 'yes' }, { missing: 'ignore', solver: 'lsqr', shrinkage: 'auto' }],
});

checkEstimator({
  ...withGaps,
  name: 'QuadraticDiscriminantAnalysis with missing cells',
  make: (params) => new QuadraticDiscriminantAnalysis({ missing: 'ignore', ...params }),
  impossible: [{ missing: 'yes' }, { missing: 'ignore', solver: 'eigen', shrinkage: 'auto' }],
});

checkEstimator({
  ...withGaps,
  name: 'RegularizedDiscriminantAnalysis with missing cells',
  make: (params) => new RegularizedDiscriminantAnalysis({ missing: 'ignore', lambda: 0.5, gamma: 0.1, ...params }),
  impossible: [{ missing: 'yes' }],
});
