import { type Piece, piece } from './piece.ts';

/** Logarithms, sums and gamma functions of the exported module, in the order of operations of the library's own. */
export const numberPieces: Readonly<Record<string, Piece>> = {
  softplus: piece(`
const softplus = (x) => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x)));`),

  log1mexp: piece(`
const log1mexp = (x) => (x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x)));`),

  greatest: piece(`
function greatest(values) {
  let most = -Infinity;
  for (const value of values) {
    if (value > most) most = value;
    else if (Number.isNaN(value)) return NaN;
  }
  return most;
}`),

  logRest: piece(`
/** ln of the sum of exponentials less the greatest, which stays out of the sum. */
function logRest(values, most) {
  let rest = 0;
  let seen = false;
  for (const value of values) {
    if (!seen && value === most) seen = true;
    else rest += Math.exp(value - most);
  }
  return Math.log1p(rest);
}`),

  logSumExp: piece(
    `
function logSumExp(values) {
  const most = greatest(values);
  return Number.isFinite(most) ? most + logRest(values, most) : most;
}`,
    'greatest',
    'logRest',
  ),

  argmax: piece(`
function argmax(values) {
  let best = 0;
  for (let c = 1; c < values.length; c++) if (values[c] > values[best] || Number.isNaN(values[best])) best = c;
  return best;
}`),

  total: piece(`
/** The sum, by halves where there are many. */
function total(values, from = 0, length = values.length) {
  if (length > 128) {
    const half = length >> 1;
    return total(values, from, half) + total(values, from + half, length - half);
  }
  let sum = 0;
  for (let i = from; i < from + length; i++) sum += values[i];
  return sum;
}`),

  polynomial: piece(`
function polynomial(terms, u) {
  const square = u * u;
  let [even, odd] = [0, 0];
  let k = terms.length - 1;
  if (k % 2 === 0) even = terms[k--];
  for (; k > 0; k -= 2) {
    odd = odd * square + terms[k];
    even = even * square + terms[k - 1];
  }
  return even + u * odd;
}`),

  stirling: piece(`
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];`),

  nearTwo: piece(
    `
const zeta = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645,
  0.0002460865533080483, 0.00012271334757848915, 0.00006124813505870483, 0.00003058823630702049, 0.00001528225940865187,
  0.000007637197637899763, 0.00000381729326499984, 0.000001908212716553939, 9.539620338727962e-7, 4.769329867878064e-7,
  2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
  7.45071178983543e-9, 3.725334024788457e-9,
].map((value, i) => (i % 2 === 0 ? value : -value) / (i + 2));
const nearTwo = (z) => z * (0.42278433509846713 + z * polynomial(zeta, z));`,
    'polynomial',
  ),

  lgamma: piece(
    `
/** ln of the gamma function of x >= 1. */
function lgamma(x) {
  if (x >= 10) return (x - 0.5) * (Math.log(x) - 1) + 0.4189385332046727 + polynomial(stirling, 1 / x / x) / x;
  if (x >= 2.5) {
    let product = 1;
    let z = x;
    while (z > 2.5) product *= --z;
    return Math.log(product) + nearTwo(z - 2);
  }
  return x >= 1.5 ? nearTwo(x - 2) : nearTwo(x - 1) - Math.log1p(x - 1);
}`,
    'polynomial',
    'stirling',
    'nearTwo',
  ),

  gammaRatio: piece(
    `
/** ln gamma(x + n) - ln gamma(x), for x > 0 and n >= 0. */
function gammaRatio(x, n) {
  if (n <= 16 && x < 1e15 && Number.isInteger(n)) {
    let product = 1;
    for (let k = 0; k < n; k++) product *= x + k;
    return Math.log(product);
  }
  let shifted = x;
  let below = 0;
  while (shifted < 10) {
    below += n / shifted === Infinity ? Math.log(n) - Math.log(shifted) : Math.log1p(n / shifted);
    shifted++;
  }
  const upper = shifted + n;
  const main = (shifted - 0.5) * Math.log1p(n / shifted) + n * (Math.log(upper) - 1);
  const [s, t] = [1 / shifted, 1 / upper];
  const step = -(n / shifted) * t;
  const rest = step * (polynomial(stirling, t * t) + s * (t + s) * dividedDifference(stirling, s * s, t * t));
  return main + rest - below;
}
function dividedDifference(terms, u, v) {
  let [value, slope] = [0, 0];
  for (let k = terms.length - 1; k >= 1; k--) {
    value = value * u + terms[k];
    slope = slope * v + value;
  }
  return slope;
}`,
    'polynomial',
    'stirling',
  ),

  doubles: piece(`
/** Numbers of 64 bits from base64. */
function doubles(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const values = new Float64Array(bytes.length / 8);
  for (let k = 0; k < values.length; k++) values[k] = view.getFloat64(8 * k, true);
  return values;
}`),
};
