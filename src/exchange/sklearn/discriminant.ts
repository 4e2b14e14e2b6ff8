import { LinearDiscriminantAnalysis } from '../../estimators/linear-discriminant-analysis.ts';
import { QuadraticDiscriminantAnalysis } from '../../estimators/quadratic-discriminant-analysis.ts';
import { dot } from '../../math/arrays.ts';
import { weightedMean } from '../../models/discriminant.ts';
import { linearWeights, type Planes } from '../../models/linear-discriminant.ts';
import type { Ellipsoids } from '../../models/quadratic-discriminant.ts';
import { whiten } from '../../models/whitening.ts';
import {
  anything,
  type Entries,
  finite,
  flag,
  list,
  matrix,
  number,
  orNull,
  type Read,
  refuseFormat,
  vector,
  word,
} from './entries.ts';
import { type Known, readKnown, weight } from './known.ts';
import { withParameters } from './restored.ts';
import { axesWhitening, covarianceWhitening, pseudoCovariance, rotatedWhitening } from './whitening.ts';

const shrinkage: Read<'auto' | number | null> = (value, where) =>
  value === null || value === 'auto' ? value : finite(value, where);

/** Options of both discriminants; releases before 1.8 lack some of them for the quadratic one. */
function readOptions(params: Entries, classes: number) {
  params.maybe('covariance_estimator', anything); // what it estimated is among the learned numbers
  return {
    shrinkage: params.maybe('shrinkage', shrinkage) ?? null,
    priors: params.take(
      'priors',
      orNull((value, where) => Array.from(vector(classes, weight)(value, where))),
    ),
    storeCovariance: params.take('store_covariance', flag),
    tol: params.take('tol', weight),
  };
}

/** The linear discriminant of scikit-learn, by its own axes: parameters alone, since it stores no counts. */
export function linearDiscriminantOf(params: Entries, learned: Entries): LinearDiscriminantAnalysis {
  const known = readKnown(learned);
  const solver = params.take('solver', word('svd', 'lsqr', 'eigen'));
  const nComponents = params.take('n_components', orNull(finite));
  const options = { ...readOptions(params, known.classes.length), solver, nComponents };
  const planes = readPlanes(solver, learned, known);
  requireSameScores(planes, learned);
  learned.maybe('explained_variance_ratio_', anything);
  return withParameters(new LinearDiscriminantAnalysis(options), known, planes);
}

function readPlanes(solver: string, learned: Entries, { classes: labels, features }: Known): Planes {
  const classes = labels.length;
  const priors = learned.take('priors_', vector(classes, weight));
  const means = learned.take('means_', matrix(classes, features));
  const origin = learned.maybe('xbar_', vector(features)) ?? weightedMean(priors, means, features);
  const scalings = learned.maybe('scalings_', matrix(features, undefined));
  const given = learned.maybe('covariance_', matrix(features, features));
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
function requireSameScores(planes: Planes, learned: Entries): void {
  const { classes, features, means, origin, logPrior, centres, whitening } = planes;
  const single = classes === 2; // then there is one row, the second class minus the first
  const coef = learned.take('coef_', matrix(single ? 1 : classes, features));
  const intercept = learned.take('intercept_', vector(single ? 1 : classes, number));
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

/** The quadratic discriminant of scikit-learn: the axes of each class and the variances along them. */
export function quadraticDiscriminantOf(params: Entries, learned: Entries): QuadraticDiscriminantAnalysis {
  const known = readKnown(learned);
  const solver = params.maybe('solver', word('svd', 'eigen')) ?? 'svd';
  const options = { ...readOptions(params, known.classes.length), solver, regParam: params.take('reg_param', weight) };
  return withParameters(new QuadraticDiscriminantAnalysis(options), known, readEllipsoids(learned, known));
}

const variance: Read<number> = (value, where) => {
  const read = finite(value, where);
  return read > 0 ? read : refuseFormat(`${where} holds ${read}: a class has no spread along one of its axes`, where);
};

function readEllipsoids(learned: Entries, { classes: labels, features }: Known): Ellipsoids {
  const classes = labels.length;
  const logPrior = learned.take('priors_', vector(classes, weight)).map(Math.log);
  const means = learned.take('means_', matrix(classes, features));
  const rotations = learned.take('rotations_', list(matrix(features, features)));
  const variances = learned.take('scalings_', list(vector(features, variance)));
  if (rotations.length !== classes || variances.length !== classes) {
    refuseFormat(
      `there are ${rotations.length} rotations and ${variances.length} scalings for ${classes} classes`,
      'rotations_',
    );
  }
  const whitenings = rotations.map((rotation, c) => rotatedWhitening(rotation, variances[c], features));
  const covariances = whitenings.map(pseudoCovariance);
  return { classes, features, logPrior, means, covariances, whitenings };
}
