import { softplus } from '../../math/logs.ts';
import type { PlanTerm, TermOf } from '../plan.ts';
import { type Algebra, type Tensor, turned } from './algebra.ts';
import { densities } from './densities.ts';
import { planes, quadrics } from './discriminants.ts';
import { logGammaRatio } from './gamma.ts';
import { aode, contexts, tree } from './levels.ts';

/** The contribution of a term to the score of each class, from the numbers of its vector; its sum starts with `start`. */
type LowerTerm<Op extends PlanTerm['op']> = <T extends Tensor>(
  term: TermOf<Op>,
  a: Algebra<T>,
  x: T,
  classes: number,
  start: Float64Array,
) => T;

/** Σ x weights of the numbers that are present, and Σ instead of those that are missing. */
function productOf<T extends Tensor>(
  a: Algebra<T>,
  x: T,
  weights: Float64Array,
  instead: () => Float64Array,
  classes: number,
): T {
  if (!a.mayMiss(x)) return a.product(x, weights, classes);
  const gap = a.missing(x);
  const present = a.keep(a.where(gap, 0, x));
  return a.add(a.product(present, weights, classes), a.product(a.keep(a.indicator(gap)), instead(), classes));
}

const coins: LowerTerm<'coins'> = ({ logOdds, certain }, a, x, classes) => {
  const odds = turned(logOdds, classes, x.shape[0]);
  const finite = odds.map((own) => (own === Infinity ? 0 : own));
  const sum = productOf(a, x, finite, () => odds.map((own) => (own === Infinity ? 0 : softplus(own))), classes);
  if (certain.every((count) => count === 0)) return sum;
  const marks = odds.map((own) => Number(own === Infinity));
  const met = productOf(a, x, marks, () => marks, classes);
  return a.where(a.less(met, a.constant(certain)), -Infinity, sum);
};

/** Gamma functions take about this many values for each number. */
const GAMMA_VALUES = 16;

/** ln x! is the same for all classes, and left out. A missing cell takes its −λ back, or the score of no event. */
const poisson: LowerTerm<'poisson'> = ({ cells, exposures }, a, x, classes) => {
  if (!exposures) return productOf(a, x, cells, () => cells.map(Math.exp), classes);
  a.afford('a predictive Poisson model', 'values', GAMMA_VALUES * cells.length);
  const shape = [x.shape[0], classes];
  const own = a.reshape(x, x.shape[0], 1);
  const possible = cells.map((count, k) => Number(count > 0 && exposures[k] > 0));
  const ratio = logGammaRatio(a, cells.map((count) => count || 1), own, ...shape); // biome-ignore format: short
  const events = a.sub(ratio, a.mul(own, a.constant(exposures.map(Math.log1p), ...shape)));
  const some = a.where(a.constant(Array.from(possible, Boolean), ...shape), events, -Infinity);
  const gap = cells.map((count, k) => (exposures[k] > 0 ? count * Math.log1p(1 / exposures[k]) : 0));
  return a.sum(a.unlessMissing(own, a.where(a.equal(own, 0), 0, some), a.constant(gap, ...shape)));
};

/** What all classes share is left out: ln n!, and ln x! or ln x where all classes have the same form. */
const urns: LowerTerm<'urns'> = ({ alpha, precision, edcm, complement }, a, x, classes) => {
  a.afford("Pólya's urns", 'values', GAMMA_VALUES * alpha.length);
  const features = x.shape[0];
  const drawn = a.less(0, x);
  const ratio = logGammaRatio(a, alpha.map((own) => own || 1), x, classes, features); // biome-ignore format: short
  const simple = a.constant(Array.from(alpha, (own, k) => own === 0 || edcm[Math.floor(k / features)] === 1), classes, features); // biome-ignore format: one line
  const each = a.where(simple, a.constant(alpha.map(Math.log), classes, features), ratio);
  const draws = a.sum(a.where(drawn, each, 0), 1);
  let sum = a.sub(draws, logGammaRatio(a, precision, a.reshape(a.sum(x), 1), classes));
  if (edcm.includes(1) && edcm.includes(0)) {
    const factorials = a.sum(logGammaRatio(a, new Float64Array(features).fill(1), x, features));
    const counts = a.sum(a.where(drawn, a.ln(x), 0));
    sum = a.sub(sum, a.where(a.constant(Array.from(edcm, Boolean)), counts, factorials));
  }
  return complement ? a.mul(sum, -1) : sum;
};

const bells: LowerTerm<'bells'> = ({ mean, variance, df, logPeak }, a, x, classes) => {
  const grid = (values: ArrayLike<number | boolean>) => a.constant(values, classes, x.shape[0]);
  const apart = a.sub(x, grid(mean));
  const square = a.div(a.mul(apart, apart), grid(variance));
  const gaussian = a.mul(square, 0.5);
  const finite = df.map((own) => (own === Infinity ? 1 : own));
  const student = () => a.mul(a.ln(a.add(a.div(square, grid(finite)), 1)), grid(finite.map((own) => 0.5 * (own + 1))));
  const fall = df.every((own) => own === Infinity)
    ? gaussian
    : a.where(grid(Array.from(df, (own) => own === Infinity)), gaussian, student());
  return a.sum(a.unlessMissing(x, a.sub(grid(logPeak), fall), 0), 1);
};

/** All points of all kernels side by side, padded with points of weight zero. */
const kernels: LowerTerm<'kernels'> = ({ kernels: own }, a, x, classes) => {
  const features = x.shape[0];
  a.afford('kernels', 'values', own.reduce((sum, kernel) => sum + (kernel?.points.length ?? 0), 0)); // biome-ignore format: short
  const most = Math.max(1, ...own.map((kernel) => kernel?.points.length ?? 0));
  const filled = (fill: number, values: (kernel: NonNullable<(typeof own)[number]>) => Float64Array) => {
    const all = new Float64Array(own.length * most).fill(fill);
    own.forEach((kernel, cell) => {
      if (kernel) all.set(values(kernel), cell * most);
    });
    return a.constant(all, classes, features, most);
  };
  const points = filled(0, (kernel) => kernel.points);
  const logWeights = filled(-Infinity, (kernel) => kernel.weights.map(Math.log));
  const bandwidth = a.constant(own.map((kernel) => kernel?.bandwidth ?? 1), classes, features, 1); // biome-ignore format: short
  const constant = own.map((kernel) =>
    kernel ? Math.log(kernel.total) + Math.log(kernel.bandwidth) + 0.5 * Math.log(2 * Math.PI) : 0,
  );
  const z = a.div(a.sub(a.reshape(x, features, 1), points), bandwidth);
  const density = a.reduce('logSumExp', a.add(a.mul(a.mul(z, z), -0.5), logWeights), 2);
  const log = a.sub(density, a.constant(constant, classes, features));
  const empty = a.constant(own.map((kernel) => kernel === null), classes, features); // biome-ignore format: short
  return a.sum(a.unlessMissing(x, a.where(empty, 0, log), 0), 1);
};

const lowerings: { readonly [Op in PlanTerm['op']]: LowerTerm<Op> } = {
  linear: ({ weights }, a, x, classes) => a.product(x, weights, classes),
  coins,
  table: ({ faces }, a, x, classes) => a.sum(a.lookup(x, faces, classes)),
  bells,
  poisson,
  kernels,
  densities,
  planes,
  quadrics,
  urns,
  tree,
  aode,
  contexts,
};

/** The contribution of a term to the score of each class. */
export function lowerTerm<T extends Tensor>(a: Algebra<T>, term: PlanTerm, x: T, start: Float64Array): T {
  return lowerings[term.op](term as never, a, x, start.length, start);
}
