import { sum } from '../math/arrays.ts';
import { generalisedEigen } from '../math/eigen.ts';
import { thinSvd } from '../math/svd.ts';
import { type Quartic, quartic } from '../stats/quartic.ts';
import { type Scatter, scatter } from '../stats/scatter.ts';
import { completeScatter } from './complete-scatter.ts';
import type { LinearOptions, Planes } from './linear-discriminant.ts';
import { shrunkCovariance } from './shrinkage.ts';

/** The directions that separate the classes best, and the share of the separation that each accounts for. */
export interface Axes {
  readonly count: number;
  readonly scalings: Float64Array; // row-major features × count
  readonly explained: Float64Array;
}

/** All classes as one. */
function united(stats: Scatter, shrinkage: LinearOptions['shrinkage']): Scatter {
  const statistic = shrinkage === 'auto' ? quartic : scatter;
  const shape = { classes: 1, features: stats.features };
  const all = statistic.empty(shape);
  for (let c = 0; c < stats.classes; c++) {
    const place = new Int32Array(stats.classes).fill(-1);
    place[c] = 0;
    statistic.merge(all as Quartic, statistic.reshape(stats as Quartic, shape, { classes: place }) as Quartic);
  }
  return all;
}

/** Generalised eigenvectors of the scatter between classes, total less within, against that within (solver 'eigen'). */
function eigenAxes(stats: Scatter, { covariance, features }: Planes, { shrinkage }: LinearOptions): Axes | undefined {
  const total = shrunkCovariance(united(stats, shrinkage), 0, shrinkage);
  const between = total.map((value, cell) => value - covariance[cell]);
  const eigen = generalisedEigen(between, covariance, features);
  if (!eigen) return undefined;
  const all = sum(eigen.values);
  // Total and within are shrunk by themselves, so that their difference may have negative eigenvalues: they explain nothing.
  const explained = eigen.values.map((value) => Math.min(Math.max(value / all || 0, 0), 1));
  return { count: features, scalings: eigen.vectors, explained: explained.sort().reverse() };
}

/** Singular vectors of the class means in the space in which the covariance is round (solver 'svd'). */
function svdAxes(stats: Scatter, { classes, features, whitening, centres, logPrior }: Planes, tol: number): Axes {
  const { rank, rows } = whitening;
  const total = sum(stats.n);
  const scaled = centres.map((value, cell) => {
    const prior = Math.exp(logPrior[Math.floor(cell / rank)]);
    return Math.sqrt((total * prior) / Math.max(1, classes - 1)) * value;
  });
  const terms = Math.min(classes, rank);
  const { values, right } = rank > 0 ? thinSvd(scaled, classes, rank) : { values: new Float64Array(0), right: scaled };
  const squares = values.map((value) => value * value);
  const all = sum(squares);
  const kept = values.filter((value) => value > tol * values[0]).length;
  const scalings = new Float64Array(features * kept);
  for (let j = 0; j < features; j++) {
    for (let axis = 0; axis < kept; axis++) {
      let total = 0;
      for (let k = 0; k < rank; k++) total += rows[k * features + j] * right[k * terms + axis];
      scalings[j * kept + axis] = total;
    }
  }
  return { count: kept, scalings, explained: squares.map((square) => (all > 0 ? square / all : 0)) };
}

/** The discriminant axes; undefined where the covariance is singular and the solver needs its inverse. */
export function discriminantAxes(counted: Scatter, planes: Planes, options: LinearOptions): Axes | undefined {
  const stats = completeScatter(counted);
  return options.solver === 'eigen' ? eigenAxes(stats, planes, options) : svdAxes(stats, planes, options.tol);
}
