import { LinearDiscriminantAnalysis } from '../../estimators/linear-discriminant-analysis.ts';
import { QuadraticDiscriminantAnalysis } from '../../estimators/quadratic-discriminant-analysis.ts';
import { dot } from '../../math/arrays.ts';
import { weightedMean } from '../../models/discriminant.ts';
import { linearWeights, type Planes } from '../../models/linear-discriminant.ts';
import { whiten } from '../../models/whitening.ts';
import {
  anything,
  type Field,
  field,
  finite,
  fixed,
  flag,
  type Known,
  list,
  matrix,
  number,
  optional,
  orNull,
  refuseFormat,
  sklearnClass,
  type ValuesOf,
  vector,
  weight,
  word,
} from './fields.ts';
import { withParameters } from './states.ts';
import { axesWhitening, covarianceWhitening, pseudoCovariance, rotatedWhitening } from './whitening.ts';

const shrinkage: Field<'auto' | number | null> = (value, where, known) =>
  value === null || value === 'auto' ? value : finite(value, where, known);

/** Parameters of both discriminants; releases before 1.8 lack some of them for the quadratic one. */
const options = {
  shrinkage: optional(shrinkage, null),
  priors: orNull<number[]>((value, where, known) => Array.from(vector('classes', weight)(value, where, known))),
  storeCovariance: flag,
  tol: weight,
};

/** What the estimator of covariances found is among the learned numbers. */
const estimated = { covarianceEstimator: fixed(optional(anything, null), null) };

const groups = { priors: vector('classes', weight), means: matrix('classes', 'features') };

const absent = <T>(read: Field<T>) => optional(read, undefined);

const axes = {
  ...groups,
  xbar: absent(vector('features')),
  scalings: field(absent(matrix('features', 'any')), {
    give: (model) => (model.getParams().solver === 'lsqr' ? undefined : model.scalings),
  }),
  covariance: absent(matrix('features', 'features')),
  coef: matrix('sides', 'features'),
  intercept: vector('sides', number),
  explainedVarianceRatio: fixed(absent(anything), undefined),
};

const linearOptions = { ...options, solver: word('svd', 'lsqr', 'eigen'), nComponents: orNull(finite) };

/** The linear discriminant of scikit-learn, by its own axes: parameters alone, since it stores no counts. */
const linear = sklearnClass({
  params: linearOptions,
  fixed: estimated,
  learned: axes,
  make(params, learned, known) {
    const planes = planesOf(params.solver, learned, known);
    requireSameScores(planes, learned.coef, learned.intercept);
    return withParameters(new LinearDiscriminantAnalysis(params), known, planes);
  },
});

function planesOf(
  solver: string,
  { priors, means, xbar, scalings, covariance: given }: ValuesOf<typeof axes>,
  { classes: labels, features }: Known,
): Planes {
  const classes = labels.length;
  const origin = xbar ?? weightedMean(priors, means, features);
  if (solver === 'lsqr' ? !given : !scalings?.length) {
    refuseFormat(`a discriminant by the solver ${solver} needs its axes`, 'scalings_');
  }
  const whitening = scalings ? axesWhitening(scalings, features) : covarianceWhitening(given!, features);
  const covariance = given ?? pseudoCovariance(whitening);
  const centres = new Float64Array(classes * whitening.rank);
  for (let c = 0; c < classes; c++) {
    whiten(whitening, means, c * features, origin, 0, centres.subarray(c * whitening.rank, (c + 1) * whitening.rank));
  }
  return { classes, features, logPrior: priors.map(Math.log), means, origin, covariance, whitening, centres };
}

/** The relative tolerance between two decision functions. */
const SAME = 1e-9;

const absoluteDot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, j) => sum + Math.abs(value * b[j]), 0);

/** Throws unless the planes agree with `coef_` and `intercept_` at the mean of every class. */
function requireSameScores(planes: Planes, coef: Float64Array, intercept: Float64Array): void {
  const { classes, features, means, origin, logPrior, centres, whitening } = planes;
  const single = classes === 2; // then there is one row, the second class minus the first
  const weights = linearWeights(planes);
  const row = (table: Float64Array, c: number) => table.subarray(c * features, (c + 1) * features);
  const ours = (c: number, x: Float64Array) => {
    const centre = centres.subarray(c * whitening.rank, (c + 1) * whitening.rank);
    return logPrior[c] - 0.5 * dot(centre, centre) + dot(row(weights, c), x) - dot(row(weights, c), origin);
  };
  const theirs = (c: number, x: Float64Array) => {
    if (single) return c === 0 ? 0 : dot(coef, x) + intercept[0];
    return dot(row(coef, c), x) + intercept[c];
  };
  const possible = [...logPrior.keys()].filter((c) => logPrior[c] > -Infinity);
  const [first] = possible;
  for (const c of possible) {
    for (let k = 0; k < classes; k++) {
      const x = row(means, k);
      const [own, other] = [ours(c, x) - ours(first, x), theirs(c, x) - theirs(first, x)];
      const size = (table: Float64Array, d: number) =>
        absoluteDot(row(table, d), x) + absoluteDot(row(table, d), origin);
      const scale =
        1 + size(weights, c) + size(weights, first) + size(coef, single ? 0 : c) + size(coef, single ? 0 : first);
      if (Math.abs(own - other) <= SAME * scale) continue;
      refuseFormat(`coef_ and intercept_ give ${other} where the axes give ${own}`, 'coef_');
    }
  }
}

const variance: Field<number> = (value, where, known) => {
  const read = finite(value, where, known);
  return read > 0 ? read : refuseFormat(`${where} holds ${read}: a class has no spread along one of its axes`, where);
};

const turns = {
  ...groups,
  rotations: list(matrix('features', 'features')),
  scalings: list(vector('features', variance)),
};

/** The quadratic discriminant of scikit-learn: the axes of each class and the variances along them. */
const quadratic = sklearnClass({
  params: { ...options, solver: optional(word('svd', 'eigen'), 'svd' as const), regParam: weight },
  fixed: estimated,
  learned: turns,
  make(params, { priors, means, rotations, scalings }, known) {
    const [classes, features] = [known.classes.length, known.features];
    if (rotations.length !== classes || scalings.length !== classes) {
      refuseFormat(
        `there are ${rotations.length} rotations and ${scalings.length} scalings for ${classes} classes`,
        'rotations_',
      );
    }
    const whitenings = rotations.map((rotation, c) => rotatedWhitening(rotation, scalings[c], features));
    const covariances = whitenings.map(pseudoCovariance);
    const parameters = { classes, features, logPrior: priors.map(Math.log), means, covariances, whitenings };
    return withParameters(new QuadraticDiscriminantAnalysis(params), known, parameters);
  },
});

export const discriminants = { LinearDiscriminantAnalysis: linear, QuadraticDiscriminantAnalysis: quadratic };
