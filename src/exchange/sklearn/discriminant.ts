import { Matrix } from '../../data/matrix.ts';
import { LinearDiscriminantAnalysis } from '../../estimators/linear-discriminant-analysis.ts';
import { QuadraticDiscriminantAnalysis } from '../../estimators/quadratic-discriminant-analysis.ts';
import { dot } from '../../math/arrays.ts';
import { weightedMean } from '../../models/discriminant.ts';
import type { Planes } from '../../models/linear-discriminant.ts';
import { whiten } from '../../models/whiten.ts';
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
    const model = withParameters(new LinearDiscriminantAnalysis(params), known, planes);
    requireSameScores(model, planes, learned.coef, learned.intercept);
    return model;
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

/** Throws unless the decision function is that of `coef_` and `intercept_` at the mean of every class. */
function requireSameScores(
  model: LinearDiscriminantAnalysis,
  { classes, features, means, origin }: Planes,
  coef: Float64Array,
  intercept: Float64Array,
): void {
  const ours = model.decisionFunction(new Matrix(classes, features, means));
  const row = (table: Float64Array, c: number) => table.subarray(c * features, (c + 1) * features);
  for (let k = 0; k < classes; k++) {
    const x = row(means, k);
    for (let c = 0; c < intercept.length; c++) {
      const weights = row(coef, c);
      const [own, other] = [ours.at(k, c), dot(weights, x) + intercept[c]];
      const scale = weights.reduce(
        (sum, weight, j) => sum + Math.abs(weight) * (Math.abs(x[j]) + Math.abs(origin[j])),
        1,
      );
      if (own === other || Math.abs(own - other) <= SAME * scale) continue;
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
