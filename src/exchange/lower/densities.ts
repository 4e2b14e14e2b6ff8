import { gammaPeak } from '../../math/gamma.ts';
import type { DensityName } from '../../models/log-densities.ts';
import type { DensityTerm } from '../plan.ts';
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

/** Below, ln(1 + u) is computed as 2 artanh(u / (2 + u)). */
const SMALL = 0.01;

/** ln(1 + u) for u ≥ 0, to the precision of u. */
function log1p<T extends Tensor>(a: Algebra<T>, u: T): T {
  const s = a.keep(a.div(u, a.add(u, 2)));
  const square = a.keep(a.mul(s, s));
  const series = [1 / 7, 1 / 5, 1 / 3, 1].reduce<T | number>((sum, c) => a.add(a.mul(square, sum), c), 0) as T;
  return a.where(a.less(u, SMALL), a.mul(a.mul(2, s), series), a.ln(a.add(u, 1)));
}

/** From here on Stirling's series of six terms has the precision of doubles. */
const STIRLING_FROM = 10;
const stirling = [-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12];

/** z ln z − z − ln Γ(z) for z > 0, by Stirling's series, to which smaller z are moved. */
function loweredPeak<T extends Tensor>(a: Algebra<T>, z: T): T {
  const peak = (w: T, logW: T) => {
    const inverse = a.keep(a.div(1, w));
    const square = a.keep(a.mul(inverse, inverse));
    const rest = stirling.reduce<T | number>((sum, c) => a.add(a.mul(square, sum), c), 0) as T;
    return a.sub(a.sub(a.mul(logW, 0.5), 0.5 * Math.log(2 * Math.PI)), a.mul(rest, inverse));
  };
  const moved = a.keep(a.add(z, STIRLING_FROM));
  const logMoved = a.keep(a.ln(moved));
  const product = Array.from({ length: STIRLING_FROM - 1 }, (_, k) => a.add(z, k + 1)).reduce(
    (all, next) => a.mul(all, next),
    z,
  );
  const logGamma = a.sub(a.sub(a.sub(a.mul(moved, logMoved), moved), peak(moved, logMoved)), a.ln(product));
  const logZ = a.keep(a.ln(z));
  const small = a.sub(a.sub(a.mul(z, logZ), z), logGamma);
  return a.where(a.less(z, STIRLING_FROM), small, peak(z, logZ));
}

/** ln p(x) + ln x! of negative binomial columns, with or without further zeros; see `logNegativeBinomial`. */
function negativeBinomial<T extends Tensor>(
  parameters: DensityTerm['parameters'],
  a: Algebra<T>,
  x: T,
  classes: number,
): T {
  const features = x.shape[0];
  const grid = (of: (size: number, mean: number, zeros: number) => number) =>
    a.constant(
      Float64Array.from({ length: classes * features }, (_, cell) => {
        const [size, mean, zeros = 0] = parameters[(cell % features) * classes + Math.floor(cell / features)];
        return of(size, mean, zeros);
      }),
      classes,
      features,
    );
  const size = grid((r) => r);
  const z = a.keep(a.add(x, size));
  const spread = a.sub(a.mul(size, log1p(a, a.keep(a.div(x, size)))), a.add(x, loweredPeak(a, z)));
  const slope = a.mul(
    x,
    a.ln(
      a.mul(
        z,
        grid((r, mean) => mean / (mean + r)),
      ),
    ),
  );
  const constant = grid((r, mean, zeros) => gammaPeak(r) - r * Math.log1p(mean / r) + Math.log1p(-zeros));
  const atZero = grid((r, mean, zeros) => Math.log(zeros + (1 - zeros) * Math.exp(-r * Math.log1p(mean / r))));
  const logDensity = a.where(a.equal(x, 0), atZero, a.add(a.add(spread, slope), constant));
  return a.sum(a.unlessMissing(x, logDensity, 0), 1);
}

/** Columns of one distribution: functions of their cells, weighed. */
export function densities<T extends Tensor>(
  { distribution, parameters }: DensityTerm,
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
