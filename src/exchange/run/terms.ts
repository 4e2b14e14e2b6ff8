import { lgamma } from '../../math/gamma.ts';
import { logGammaRatio } from '../../math/gamma-ratio.ts';
import { softplus } from '../../math/logs.ts';
import { logPeakOf, whitenMarginal } from '../../models/whitening.ts';
import type {
  BellTerm,
  CoinTerm,
  EachTerm,
  KernelTerm,
  LinearTerm,
  Marginals,
  PlaneTerm,
  PlanKernel,
  PlanTerm,
  PoissonTerm,
  QuadricTerm,
  ShiftTerm,
  TableTerm,
  UrnTerm,
} from '../plan-terms.ts';
import { addAode } from './aode.ts';
import { addContexts } from './contexts.ts';
import { addTree } from './tree.ts';
import { type Cells, dense } from './vectors.ts';

type Add<T> = (term: T, cells: Cells, score: Float64Array) => void;

const addLinear: Add<LinearTerm> = ({ weights }, { indices, values }, score) => {
  indices.forEach((j, k) => {
    for (let c = 0; c < score.length; c++) score[c] += values[k] * weights[j * score.length + c];
  });
};

const addCoins: Add<CoinTerm> = ({ logOdds, certain }, { width, indices, values }, score) => {
  for (let c = 0; c < score.length; c++) {
    let owed = certain[c];
    indices.forEach((j, k) => {
      const odds = logOdds[c * width + j];
      if (odds === Infinity) owed--;
      else score[c] += Number.isNaN(values[k]) ? softplus(odds) : odds;
    });
    if (owed > 0) score[c] = -Infinity;
  }
};

const addTable: Add<TableTerm> = ({ levels, offsets, faces }, cells, score) => {
  dense(cells).forEach((level, j) => {
    if (Number.isNaN(level)) return;
    const from = (offsets[j] + Math.min(level, levels[j])) * score.length;
    for (let c = 0; c < score.length; c++) score[c] += faces[from + c];
  });
};

const addBells: Add<BellTerm> = ({ mean, variance, df, logPeak }, cells, score) => {
  dense(cells).forEach((x, j) => {
    if (Number.isNaN(x)) return;
    for (let c = 0; c < score.length; c++) {
      const cell = c * cells.width + j;
      const square = (x - mean[cell]) ** 2 / variance[cell];
      const fall = df[cell] === Infinity ? -0.5 * square : -0.5 * (df[cell] + 1) * Math.log1p(square / df[cell]);
      score[c] += logPeak[cell] + fall;
    }
  });
};

const addPoisson: Add<PoissonTerm> = ({ cells: table, exposures }, { indices, values }, score) => {
  indices.forEach((j, k) => {
    for (let c = 0; c < score.length; c++) {
      const cell = j * score.length + c;
      score[c] += events(table[cell], exposures?.[cell], values[k]);
    }
  });
};

/** What x events add to the score of none; a missing number takes the score of none away. */
function events(cell: number, exposure: number | undefined, x: number): number {
  if (Number.isNaN(x)) {
    if (exposure === undefined) return Math.exp(cell);
    return exposure > 0 ? cell * Math.log1p(1 / exposure) : 0;
  }
  if (exposure === undefined) return x * cell - lgamma(x + 1);
  const possible = cell > 0 && exposure > 0;
  return (possible ? logGammaRatio(cell, x) - x * Math.log1p(exposure) : -Infinity) - lgamma(x + 1);
}

function logDensity({ points, weights, bandwidth, total }: PlanKernel, x: number): number {
  const exponents = points.map((point, p) => Math.log(weights[p]) - 0.5 * ((x - point) / bandwidth) ** 2);
  const top = exponents.reduce((most, exponent) => Math.max(most, exponent), -Infinity);
  if (top === -Infinity) return top;
  const sum = exponents.reduce((all, exponent) => all + Math.exp(exponent - top), 0);
  return top + Math.log(sum) - Math.log(total) - Math.log(bandwidth) - 0.5 * Math.log(2 * Math.PI);
}

const addKernels: Add<KernelTerm> = ({ kernels }, cells, score) => {
  dense(cells).forEach((x, j) => {
    for (let c = 0; c < score.length; c++) {
      const kernel = kernels[c * cells.width + j];
      if (kernel && !Number.isNaN(x)) score[c] += logDensity(kernel, x);
    }
  });
};

/** rows · (x − origin). */
function image(rank: number, rows: Float64Array, x: Float64Array, origin: Float64Array): Float64Array {
  return Float64Array.from({ length: rank }, (_, k) =>
    x.reduce((sum, value, j) => sum + rows[k * x.length + j] * (value - origin[j]), 0),
  );
}

/** The places of the numbers that are there. */
const placesIn = (x: Float64Array) => [...x.keys()].filter((j) => !Number.isNaN(x[j]));

/** Σₖ m[c,k] (z[k] − ½ m[c,k]) over the cells that are present. */
function addMarginalPlanes({ origin }: PlaneTerm, marginals: Marginals, x: Float64Array, score: Float64Array): void {
  const { means, covariances } = marginals;
  const width = x.length;
  const { rank, rows } = whitenMarginal(covariances[0] as Float64Array, width, placesIn(x));
  const filled = x.map((value, j) => (Number.isNaN(value) ? origin[j] : value));
  const z = image(rank, rows, filled, origin);
  for (let c = 0; c < score.length; c++) {
    const centre = image(rank, rows, means.subarray(c * width, (c + 1) * width), origin);
    for (let k = 0; k < rank; k++) score[c] += centre[k] * (z[k] - 0.5 * centre[k]);
  }
}

/** ln p(c) + ln N of the cells that are present. */
function scoreMarginals({ means, covariances, start }: Marginals, x: Float64Array, score: Float64Array): void {
  const width = x.length;
  for (let c = 0; c < score.length; c++) {
    const covariance = covariances.length === 1 ? covariances[0] : covariances[c];
    if (!covariance) {
      score[c] = -Infinity;
      continue;
    }
    const whitening = whitenMarginal(covariance, width, placesIn(x));
    const mean = means.subarray(c * width, (c + 1) * width);
    const filled = x.map((value, j) => (Number.isNaN(value) ? mean[j] : value));
    const z = image(whitening.rank, whitening.rows, filled, mean);
    score[c] = start[c] + logPeakOf(whitening) - 0.5 * z.reduce((sum, value) => sum + value * value, 0);
  }
}

const addPlanes: Add<PlaneTerm> = (term, cells, score) => {
  const { rank, rows, origin, centres, marginals } = term;
  const x = dense(cells);
  if (marginals && x.some(Number.isNaN)) return addMarginalPlanes(term, marginals, x, score);
  const z = image(rank, rows, x, origin);
  for (let c = 0; c < score.length; c++) {
    for (let k = 0; k < rank; k++) score[c] += centres[c * rank + k] * (z[k] - 0.5 * centres[c * rank + k]);
  }
};

const addQuadrics: Add<QuadricTerm> = ({ forms, marginals }, cells, score) => {
  const x = dense(cells);
  if (marginals && x.some(Number.isNaN)) return scoreMarginals(marginals, x, score);
  forms.forEach((form, c) => {
    if (!form) {
      score[c] = -Infinity;
      return;
    }
    const z = image(form.rank, form.rows, x, form.mean);
    const sum = z.reduce((all, value, k) => all + (value - (form.centre?.[k] ?? 0)) ** 2, 0);
    score[c] += Number.isNaN(sum) ? -Infinity : -0.5 * sum;
  });
};

const addShift: Add<ShiftTerm> = ({ weights, constant }, cells, score) => {
  const shift = dense(cells).reduce((sum, x, j) => sum + x * weights[j], 0) - constant;
  for (let c = 0; c < score.length; c++) score[c] += shift;
};

const addUrns: Add<UrnTerm> = ({ alpha, precision, edcm, complement }, { width, indices, values }, score) => {
  const sumOf = (each: (x: number) => number) => values.reduce((sum, x) => sum + each(x), 0);
  const n = sumOf((x) => x);
  const orders = [lgamma(n + 1) - sumOf((x) => lgamma(x + 1)), lgamma(n + 1) - sumOf(Math.log)];
  for (let c = 0; c < score.length; c++) {
    const sum = indices.reduce((all, j, k) => {
      const a = alpha[c * width + j];
      return all + (edcm[c] || a === 0 ? Math.log(a) : logGammaRatio(a, values[k]));
    }, orders[edcm[c]] - logGammaRatio(precision[c], n));
    score[c] += complement ? -sum : sum;
  }
};

const adders: EachTerm<[cells: Cells, score: Float64Array], void> = {
  linear: addLinear,
  coins: addCoins,
  table: addTable,
  bells: addBells,
  poisson: addPoisson,
  kernels: addKernels,
  planes: addPlanes,
  quadrics: addQuadrics,
  shift: addShift,
  urns: addUrns,
  tree: addTree,
  aode: addAode,
  contexts: addContexts,
};

/** Adds what a term says to the scores. */
export function addTerm(term: PlanTerm, cells: Cells, score: Float64Array): void {
  adders[term.op](term as never, cells, score);
}
