import { digammaRest, polynomial, STIRLING_FROM, stirlingRest, trigammaSeries } from './stirling.ts';

const ONE_MINUS_EULER = 0.42278433509846713;
const HALF_LOG_2PI_LESS_HALF = 0.4189385332046727;

// ζ(k) − 1 for k = 2 … 28 (Abramowitz & Stegun, table 23.3; recomputed to 18 digits).
const zetaMinusOne = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645,
  0.0002460865533080483, 0.00012271334757848915, 0.00006124813505870483, 0.00003058823630702049, 0.00001528225940865187,
  0.000007637197637899763, 0.00000381729326499984, 0.000001908212716553939, 9.539620338727962e-7, 4.769329867878064e-7,
  2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
  7.45071178983543e-9, 3.725334024788457e-9,
];
const logGammaAtTwo = zetaMinusOne.map((value, i) => (i % 2 === 0 ? value : -value) / (i + 2));
const digammaAtTwo = zetaMinusOne.map((value, i) => (i % 2 === 0 ? value : -value));

/** lnΓ(2 + z) = (1 − γ) z + Σ (−1)ᵏ (ζ(k) − 1) zᵏ / k for |z| ≤ ½ (DLMF 5.7.3). */
function logGammaNearTwo(z: number): number {
  return z * (ONE_MINUS_EULER + z * polynomial(logGammaAtTwo, z));
}

/** ψ(2 + z), the derivative of the series above. */
function digammaNearTwo(z: number): number {
  return ONE_MINUS_EULER + z * polynomial(digammaAtTwo, z);
}

/** The signed distance of x to the nearest integer: all that sin πx needs, and exact. */
function fraction(x: number): number {
  return x - Math.round(x);
}

/** lnΓ(1 + z) for |z| ≤ ½ with full relative accuracy, also where 1 + z would round. */
export function lgamma1p(z: number): number {
  return logGammaNearTwo(z) - Math.log1p(z);
}

/**
 * ln |Γ(x)|: Stirling's series from 10 on (DLMF 5.11.1), below it the series about 2 (DLMF 5.7.3) after recurrence,
 * so that the zeros at 1 and 2 keep relative accuracy. +Infinity at the poles 0, −1, −2 …; other negative x by
 * reflection (DLMF 5.5.3), with absolute accuracy near its zeros there.
 */
export function lgamma(x: number): number {
  if (x >= STIRLING_FROM) return (x - 0.5) * (Math.log(x) - 1) + HALF_LOG_2PI_LESS_HALF + stirlingRest(x);
  if (x >= 2.5) {
    let product = 1;
    let z = x;
    while (z > 2.5) product *= --z;
    return Math.log(product) + logGammaNearTwo(z - 2);
  }
  if (x >= 1.5) return logGammaNearTwo(x - 2);
  if (x >= 0.5) return lgamma1p(x - 1);
  if (x > 0) return lgamma1p(x) - Math.log(x);
  if (Number.isNaN(x)) return x;
  if (Number.isInteger(x) || x === -Infinity) return Infinity;
  return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * fraction(x)))) - lgamma(1 - x);
}

// The positive zero of ψ in two pieces, and ψ⁽ᵏ⁾ / k! there, k = 1 … 16 (computed with 60 digits).
const DIGAMMA_ZERO = 1.4616321449683622;
const DIGAMMA_ZERO_REST = 9.549995429965697e-17;
const digammaAtZero = [
  0.9676722454476212, -0.4427631689835921, 0.258499760955651, -0.16394270544240652, 0.10782405069126237,
  -0.07219956125645471, 0.04880428816414311, -0.03316112647484736, 0.022597648232218104, -0.01542476590494896,
  0.010538791616612175, -0.007204534386356869, 0.004926781395729853, -0.003369801655439328, 0.002305126326734928,
  -0.0015769367714301972,
];

/**
 * ψ(x) = d/dx lnΓ(x): asymptotic from 10 on (DLMF 5.11.2), below it the series about 2, and about its zero 1.4616… a
 * Taylor series, so that relative accuracy holds on all x > 0. ∓Infinity at ±0, NaN at the negative whole numbers (a
 * pole has no sign); other negative x by reflection (DLMF 5.5.4).
 */
export function digamma(x: number): number {
  if (x >= STIRLING_FROM) return Math.log(x) - 0.5 / x + digammaRest(x);
  if (x > 2.5) {
    let total = 0;
    let z = x;
    while (z > 2.5) total += 1 / --z;
    return total + digammaNearTwo(z - 2);
  }
  if (x >= 1.57) return digammaNearTwo(x - 2);
  if (x > 1.35) {
    const distance = x - DIGAMMA_ZERO - DIGAMMA_ZERO_REST;
    return distance * polynomial(digammaAtZero, distance);
  }
  if (x >= 0.5) return digammaNearTwo(x - 1) - 1 / x;
  if (x > 0) return digammaNearTwo(x) - 1 / (1 + x) - 1 / x;
  if (x === 0) return -1 / x;
  if (Number.isNaN(x) || Number.isInteger(x) || x === -Infinity) return Number.NaN;
  return digamma(1 - x) - Math.PI / Math.tan(Math.PI * fraction(x));
}

/**
 * ψ′(x), by recurrence upwards to the asymptotic series (DLMF 5.15.5, 5.15.8).
 * +Infinity at 0 and the negative whole numbers; other negative x by reflection (DLMF 5.15.6).
 */
export function trigamma(x: number): number {
  if (x <= 0) {
    if (Number.isInteger(x) || x === -Infinity) return Infinity;
    const sine = Math.sin(Math.PI * fraction(x));
    return (Math.PI / sine) ** 2 - trigamma(1 - x);
  }
  let total = 0;
  let z = x;
  while (z < STIRLING_FROM) {
    total += 1 / (z * z);
    z++;
  }
  return total + trigammaSeries(z);
}

/** ln x − ψ(x) for x > 0, without cancellation where x is large. */
export function logLessDigamma(x: number): number {
  return x >= STIRLING_FROM ? 0.5 / x - digammaRest(x) : Math.log(x) - digamma(x);
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** x ln x − x − lnΓ(x) for x > 0, without cancellation where x is large. */
export function gammaPeak(x: number): number {
  return x >= STIRLING_FROM ? 0.5 * Math.log(x) - HALF_LOG_2PI - stirlingRest(x) : x * Math.log(x) - x - lgamma(x);
}
