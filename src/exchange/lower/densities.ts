import type { LinearDistribution } from '../../models/log-densities.ts';
import type { TermOf } from '../plan.ts';
import type { Algebra, Tensor } from './algebra.ts';

/** Functions of the numbers that are present. A logarithm of a number without one is 0. */
const functions = {
  one: (a, x) => a.constant(new Float64Array(x.shape[0]).fill(1)),
  zero: (a, x) => a.indicator(a.equal(x, 0)),
  above: (a, x) => a.indicator(a.less(0, x)),
  x: (_, x) => x,
  logX: (a, x) => a.where(a.less(0, x), a.ln(x), 0),
  logSquare(a, x) {
    const log = a.keep(functions.logX(a, x));
    return a.mul(log, log);
  },
  logRest: (a, x) => a.where(a.less(x, 1), a.ln(a.sub(1, x)), 0),
  sine: (a, x) => a.sin(x),
  versine(a, x) {
    const half = a.keep(a.sin(a.div(x, 2)));
    return a.mul(2, a.mul(half, half));
  },
} as const satisfies Readonly<Record<string, <T extends Tensor>(a: Algebra<T>, x: T) => T>>;

/** Coefficients of functions; of the others they are 0. */
type Weights = Partial<Readonly<Record<keyof typeof functions, number>>>;

const lognormal = ({ 0: mu, 1: variance }: ArrayLike<number>): Weights => ({
  one: -0.5 * (Math.log(2 * Math.PI) + Math.log(variance)) - (mu * mu) / (2 * variance),
  logX: mu / variance - 1,
  logSquare: -1 / (2 * variance),
});

const gamma = ({ 0: shape, 1: mean, 2: peak }: ArrayLike<number>): Weights => ({
  one: peak + shape * (1 - Math.log(mean)),
  x: -shape / mean,
  logX: shape - 1,
});

/** A share of zeros beside a distribution above zero. */
const inflated = ({ one = 0, ...others }: Weights, zeros: number): Weights => ({
  ...others,
  zero: Math.log(zeros),
  above: Math.log1p(-zeros) + one,
});

/** ln p(x) as a sum of functions of x, which the classes share, with coefficients that follow from the parameters. */
const linear: Readonly<Record<LinearDistribution, (parameters: ArrayLike<number>) => Weights>> = {
  exponential: ({ 0: logRate }) => ({ one: logRate, x: -Math.exp(logRate) }),
  gamma,
  lognormal,
  vonmises: ({ 0: mu, 1: kappa, 2: lognormalizer }) => ({
    one: -2 * kappa * Math.sin(mu / 2) ** 2 - lognormalizer,
    versine: -kappa * Math.cos(mu),
    sine: kappa * Math.sin(mu),
  }),
  beta: ({ 0: a, 1: b, 2: peak }) => ({
    one: peak - a * Math.log(a / (a + b)) - b * Math.log(b / (a + b)),
    logX: a - 1,
    logRest: b - 1,
  }),
  zeroinflatedgamma: (parameters) => inflated(gamma(parameters), parameters[3]),
  zeroinflatedlognormal: (parameters) => inflated(lognormal(parameters), parameters[2]),
};

/** Columns of one distribution: functions of their cells, weighed. */
export function densities<T extends Tensor>(
  { distribution, parameters }: TermOf<'densities'>,
  a: Algebra<T>,
  x: T,
  classes: number,
): T {
  const cells = parameters.map(linear[distribution]);
  const names = [...new Set(cells.flatMap((own) => Object.keys(own) as (keyof Weights)[]))];
  const made = names.map((name) => a.unlessMissing(x, functions[name](a, x), 0));
  const weights = Float64Array.from(names.flatMap((name) => cells.map((own) => own[name] ?? 0)));
  return a.product(a.keep(a.concat(made)), weights, classes);
}
