import { softplus } from '../../math/logs.ts';
import type { PlanTerm } from '../plan.ts';
import { type Algebra, type Tensor, turned } from './algebra.ts';
import { densities } from './densities.ts';
import { planes, quadrics } from './discriminants.ts';
import { aode, contexts, tree } from './levels.ts';

/** The contribution of a term to the score of each class, from the numbers of its vector. */
export type LowerTerm<Term> = <T extends Tensor>(term: Term, a: Algebra<T>, x: T, classes: number) => T;

type Of<Op extends PlanTerm['op']> = Extract<PlanTerm, { op: Op }>;

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

const coins: LowerTerm<Of<'coins'>> = ({ logOdds, certain }, a, x, classes) => {
  const odds = turned(logOdds, classes, x.shape[0]);
  const finite = odds.map((own) => (own === Infinity ? 0 : own));
  const sum = productOf(a, x, finite, () => odds.map((own) => (own === Infinity ? 0 : softplus(own))), classes);
  if (certain.every((count) => count === 0)) return sum;
  const marks = odds.map((own) => Number(own === Infinity));
  const met = productOf(a, x, marks, () => marks, classes);
  return a.where(a.less(met, a.constant(certain)), -Infinity, sum);
};

/** ln x! is the same for all classes, and left out. A missing cell takes its −λ back. */
const poisson: LowerTerm<Of<'poisson'>> = ({ cells, exposures }, a, x, classes) => {
  if (exposures) a.cannot('a predictive Poisson model', 'it takes gamma functions');
  return productOf(a, x, cells, () => cells.map(Math.exp), classes);
};

const table: LowerTerm<Of<'table'>> = ({ levels, offsets, faces }, a, x, classes) => {
  const tables = Array.from(levels, (count, j) =>
    faces.subarray(offsets[j] * classes, (offsets[j] + count + 1) * classes),
  );
  return a.sum(a.lookup(x, tables, classes));
};

const bells: LowerTerm<Of<'bells'>> = ({ mean, variance, df, logPeak }, a, x, classes) => {
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
const kernels: LowerTerm<Of<'kernels'>> = ({ kernels: own }, a, x, classes) => {
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

const lowerings: { readonly [Op in PlanTerm['op']]: LowerTerm<Of<Op>> } = {
  linear: ({ weights }, a, x, classes) => a.product(x, weights, classes),
  coins,
  table,
  bells,
  poisson,
  kernels,
  densities,
  planes,
  quadrics,
  shift: ({ weights, constant }, a, x) => a.sub(a.product(x, weights, 1), constant),
  urns: (_, a) => a.cannot("Pólya's urns", 'they take gamma functions'),
  tree,
  aode,
  contexts,
};

/** The contribution of a term to the score of each class. */
export function lowerTerm<T extends Tensor>(a: Algebra<T>, term: PlanTerm, x: T, classes: number): T {
  return lowerings[term.op](term as never, a, x, classes);
}
