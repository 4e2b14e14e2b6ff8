import type { DensityName } from '../../models/log-densities.ts';
import type { TermOf } from '../plan.ts';
import { type Algebra, range, type Tensor } from './algebra.ts';
import { logGammaRatio } from './gamma.ts';

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

/** Negative binomial distributions take a function of x for each class. */
type LinearDistribution = Exclude<DensityName, 'negativebinomial' | 'zeroinflatednegativebinomial'>;

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
  zeroinflatedpoisson: ({ 0: rate, 1: zeros }) => ({
    zero: Math.log(zeros + (1 - zeros) * Math.exp(-rate)),
    above: Math.log1p(-zeros) - rate,
    x: Math.log(rate), // − ln x! is the same in all classes
  }),
};

/** ln p(x) + ln x! of negative binomial columns, with or without further zeros; see `logNegativeBinomial`. */
function negativeBinomial<T extends Tensor>(
  parameters: TermOf<'densities'>['parameters'],
  a: Algebra<T>,
  x: T,
  classes: number,
): T {
  const features = x.shape[0];
  const cells = range(classes * features).map((cell) => {
    const [size, mean, zeros = 0] = parameters[(cell % features) * classes + Math.floor(cell / features)];
    return { size, mean, zeros, logNone: -size * Math.log1p(mean / size) }; // of a count of zero
  });
  const grid = (of: (cell: (typeof cells)[number]) => number) =>
    a.constant(Float64Array.from(cells, of), classes, features);
  const sizes = Float64Array.from(cells, ({ size }) => size);
  const slope = grid(({ size, mean }) => Math.log(mean / (mean + size)));
  const constant = grid(({ logNone, zeros }) => logNone + Math.log1p(-zeros));
  const above = a.add(a.add(logGammaRatio(a, sizes, x, classes, features), a.mul(x, slope)), constant);
  const atZero = grid(({ logNone, zeros }) => Math.log(zeros + (1 - zeros) * Math.exp(logNone)));
  return a.sum(a.unlessMissing(x, a.where(a.equal(x, 0), atZero, above), 0), 1);
}

/** Columns of one distribution: functions of their cells, weighed. */
export function densities<T extends Tensor>(
  { distribution, parameters }: TermOf<'densities'>,
  a: Algebra<T>,
  x: T,
  classes: number,
): T {
  if (distribution === 'negativebinomial' || distribution === 'zeroinflatednegativebinomial') {
    return negativeBinomial(parameters, a, x, classes);
  }
  const cells = parameters.map(linear[distribution]);
  const names = [...new Set(cells.flatMap((own) => Object.keys(own) as (keyof Weights)[]))];
  const made = names.map((name) => a.unlessMissing(x, functions[name](a, x), 0));
  const weights = Float64Array.from(names.flatMap((name) => cells.map((own) => own[name] ?? 0)));
  return a.product(a.keep(a.concat(made)), weights, classes);
}
