import { type Piece, piece } from './piece.ts';

/** What a vector adds to the scores `s`, term by term and in the order of the library. */
export const termPieces: Readonly<Record<string, Piece>> = {
  linear: piece(`
function linear(s, { at, of }, weights) {
  const classes = s.length;
  for (let k = 0; k < at.length; k++) {
    const from = at[k] * classes;
    for (let c = 0; c < classes; c++) s[c] += of[k] * weights[from + c];
  }
  return s;
}`),

  coins: piece(
    `
function coins(s, { at, of }, width, logOdds, certain) {
  return s.map((start, c) => {
    let [sum, owed] = [start, certain[c]];
    for (let k = 0; k < at.length; k++) {
      const odds = logOdds[c * width + at[k]];
      if (odds === Infinity) owed--;
      else sum += Number.isNaN(of[k]) ? softplus(odds) : odds;
    }
    return owed > 0 ? -Infinity : sum;
  });
}`,
    'softplus',
  ),

  table: piece(`
function table(s, x, levels, offsets, faces) {
  for (let j = 0; j < x.length; j++) {
    if (Number.isNaN(x[j])) continue;
    const from = (offsets[j] + Math.min(x[j], levels[j])) * s.length;
    for (let c = 0; c < s.length; c++) s[c] += faces[from + c];
  }
  return s;
}`),

  bells: piece(`
function bells(s, x, mean, variance, logPeak) {
  for (let c = 0; c < s.length; c++) {
    let squares = 0;
    for (let j = 0; j < x.length; j++) {
      if (Number.isNaN(x[j])) continue;
      const cell = c * x.length + j;
      const z = (x[j] - mean[cell]) * (1 / Math.sqrt(variance[cell]));
      s[c] += logPeak[cell];
      squares += z * z;
    }
    s[c] += -0.5 * squares;
  }
  return s;
}`),

  tails: piece(`
function tails(s, x, mean, variance, df, logPeak) {
  for (let c = 0; c < s.length; c++) {
    for (let j = 0; j < x.length; j++) {
      if (Number.isNaN(x[j])) continue;
      const cell = c * x.length + j;
      const distance = x[j] - mean[cell];
      const square = (distance * distance) / variance[cell];
      const tail = df[cell];
      s[c] += logPeak[cell] + (tail === Infinity ? -0.5 * square : -0.5 * (tail + 1) * Math.log1p(square / tail));
    }
  }
  return s;
}`),

  poisson: piece(
    `
function poisson(s, { at, of }, logRate) {
  const classes = s.length;
  for (let k = 0; k < at.length; k++) {
    const missing = Number.isNaN(of[k]);
    const factorial = missing ? 0 : lgamma(of[k] + 1);
    for (let c = 0; c < classes; c++) {
      const cell = logRate[at[k] * classes + c];
      s[c] += (missing ? Math.exp(cell) : of[k] * cell) - factorial;
    }
  }
  return s;
}`,
    'lgamma',
  ),

  negativeBinomial: piece(
    `
function negativeBinomial(s, { at, of }, counts, exposures) {
  const classes = s.length;
  const zero = (count, exposure) => (exposure > 0 ? 0 - count * Math.log1p(1 / exposure) : 0);
  const events = (count, exposure, x) =>
    count > 0 && exposure > 0 ? gammaRatio(count, x) - x * Math.log1p(exposure) : -Infinity;
  for (let k = 0; k < at.length; k++) {
    const missing = Number.isNaN(of[k]);
    const factorial = missing ? 0 : lgamma(of[k] + 1);
    for (let c = 0; c < classes; c++) {
      const cell = at[k] * classes + c;
      const own = missing ? 0 - zero(counts[cell], exposures[cell]) : events(counts[cell], exposures[cell], of[k]);
      s[c] += own - factorial;
    }
  }
  return s;
}`,
    'lgamma',
    'gammaRatio',
  ),

  kernels: piece(`
function kernels(s, x, cells) {
  const density = ([points, weights, bandwidth, total], value) => {
    const exponent = (k) => {
      const z = (value - points[k]) / bandwidth;
      return Math.log(weights[k]) - 0.5 * z * z;
    };
    let top = -Infinity;
    for (let k = 0; k < points.length; k++) top = Math.max(top, exponent(k));
    if (top === -Infinity) return top;
    let sum = 0;
    for (let k = 0; k < points.length; k++) sum += Math.exp(exponent(k) - top);
    return top + Math.log(sum) - Math.log(total) - Math.log(bandwidth) - 0.5 * Math.log(2 * Math.PI);
  };
  for (let c = 0; c < s.length; c++) {
    for (let j = 0; j < x.length; j++) {
      const cell = cells[c * x.length + j];
      if (cell && !Number.isNaN(x[j])) s[c] += density(cell, x[j]);
    }
  }
  return s;
}`),

  image: piece(`
/** rows (x - origin) */
function image(rank, rows, x, origin) {
  return Array.from({ length: rank }, (_, k) => {
    let sum = 0;
    for (let j = 0; j < x.length; j++) sum += rows[k * x.length + j] * (x[j] - origin[j]);
    return sum;
  });
}`),

  marginal: piece(`
/** What turns the cells that are present into independent ones of variance 1, and the logarithm of their peak. */
function marginal(x, covariance) {
  const d = x.length;
  const [kept, rows] = [[], []];
  let volume = 0;
  for (let j = 0; j < d; j++) {
    if (Number.isNaN(x[j])) continue;
    const variance = covariance[j * d + j];
    const told = rows.map((row) => row.reduce((sum, value, k) => sum + value * covariance[j * d + kept[k]], 0));
    const left = told.reduce((rest, value) => rest - value * value, variance);
    if (!(left > 2 ** -40 * variance)) continue;
    const own = new Array(kept.length + 1).fill(0);
    rows.forEach((row, i) => row.forEach((value, k) => (own[k] -= (told[i] * value) / Math.sqrt(left))));
    own[kept.length] = 1 / Math.sqrt(left);
    kept.push(j);
    rows.push(own);
    volume += Math.log(left);
  }
  const see = (of) => rows.map((row) => row.reduce((sum, value, k) => sum + value * of(kept[k]), 0));
  return { see, peak: -0.5 * (kept.length * Math.log(2 * Math.PI) + volume) };
}`),

  gappedPlanes: piece(
    `
function gappedPlanes(s, x, rank, rows, origin, centres, means, covariance) {
  if (!x.some(Number.isNaN)) return planes(s, x, rank, rows, origin, centres);
  const { see } = marginal(x, covariance);
  const z = see((j) => x[j] - origin[j]);
  return s.map((start, c) => {
    const centre = see((j) => means[c * x.length + j] - origin[j]);
    return centre.reduce((sum, m, k) => sum + m * (z[k] - 0.5 * m), start);
  });
}`,
    'marginal',
    'planes',
  ),

  gappedQuadrics: piece(
    `
function gappedQuadrics(s, x, forms, means, covariances, start) {
  if (!x.some(Number.isNaN)) return quadrics(s, x, forms);
  return s.map((_, c) => {
    const covariance = covariances.length === 1 ? covariances[0] : covariances[c];
    if (!covariance) return -Infinity;
    const { see, peak } = marginal(x, covariance);
    const z = see((j) => x[j] - means[c * x.length + j]);
    return start[c] + peak + -0.5 * z.reduce((sum, value) => sum + value * value, 0);
  });
}`,
    'marginal',
    'quadrics',
  ),

  planes: piece(
    `
function planes(s, x, rank, rows, origin, centres) {
  const z = image(rank, rows, x, origin);
  for (let c = 0; c < s.length; c++) {
    for (let k = 0; k < rank; k++) s[c] += centres[c * rank + k] * (z[k] - 0.5 * centres[c * rank + k]);
  }
  return s;
}`,
    'image',
  ),

  quadrics: piece(
    `
function quadrics(s, x, forms) {
  return s.map((start, c) => {
    if (!forms[c]) return -Infinity;
    const [rank, rows, mean, centre] = forms[c];
    const z = image(rank, rows, x, mean);
    let sum = 0;
    for (let k = 0; k < rank; k++) {
      const apart = centre ? z[k] - centre[k] : z[k];
      sum += apart * apart;
    }
    return start + (Number.isNaN(sum) ? -Infinity : -0.5 * sum);
  });
}`,
    'image',
  ),

  shift: piece(`
function shift(s, x, weights, constant) {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += x[j] * weights[j];
  return s.map((start) => start + (sum - constant));
}`),

  urns: piece(
    `
function urns(s, { at, of }, width, alpha, precision, edcm, complement) {
  let [n, repeats, counts] = [0, 0, 0];
  for (const count of of) {
    n += count;
    if (count === 1) continue;
    repeats += lgamma(count + 1);
    counts += Math.log(count);
  }
  const orders = lgamma(n + 1);
  return s.map((start, c) => {
    let sum = orders - (edcm[c] ? counts : repeats) - gammaRatio(precision[c], n);
    for (let k = 0; k < at.length; k++) {
      const a = alpha[c * width + at[k]];
      sum += edcm[c] || of[k] === 1 || a === 0 ? Math.log(a) : gammaRatio(a, of[k]);
    }
    return complement ? start - sum : start + sum;
  });
}`,
    'lgamma',
    'gammaRatio',
  ),
};
