import { type Piece, piece } from './piece.ts';

/** Vectors of the exported module: lists of numbers, or { at, of } of the cells that are not zero. */
export const cellPieces: Readonly<Record<string, Piece>> = {
  pack: piece(`
/** The cells of a list that are not zero. */
function pack(x) {
  const at = [];
  for (let j = 0; j < x.length; j++) if (x[j] !== 0) at.push(j);
  return { at, of: at.map((j) => x[j]) };
}`),

  spread: piece(`
/** All cells as a list. */
function spread({ at, of }, width) {
  const x = new Array(width).fill(0);
  for (let k = 0; k < at.length; k++) x[at[k]] = of[k];
  return x;
}`),

  join: piece(`
/** Vectors one after the other. */
function join(parts, widths) {
  const [at, of] = [[], []];
  let start = 0;
  parts.forEach((part, p) => {
    for (let k = 0; k < part.at.length; k++) at.push(start + part.at[k]);
    of.push(...part.of);
    start += widths[p];
  });
  return { at, of };
}`),

  weigh: piece(`
/** Counts to weights: a curve, the inverse document frequency, and the norm of the row. */
function weigh({ at, of }, curve, idf, norm) {
  const weights = of.map((count, k) => curve(count) * (idf ? idf[at[k]] : 1));
  let sum = 0;
  for (const weight of weights) sum += norm === 2 ? weight * weight : norm === 1 ? Math.abs(weight) : 0;
  const length = sum === 0 ? 1 : norm === 2 ? Math.sqrt(sum) : sum;
  const divided = weights.map((weight) => weight / length);
  return { at: at.filter((_, k) => divided[k] !== 0), of: divided.filter((weight) => weight !== 0) };
}`),

  rootShare: piece(`
/** Square roots of shares. */
function rootShare({ at, of }) {
  let sum = 0;
  for (const count of of) sum += count;
  return { at, of: of.map((count) => Math.sqrt(count / sum)) };
}`),

  pickSome: piece(`
/** Some of the columns, in their order. */
function pickSome({ at, of }, places) {
  const picked = { at: [], of: [] };
  for (let k = 0; k < at.length; k++) {
    const j = places.get(at[k]);
    if (j !== undefined) {
      picked.at.push(j);
      picked.of.push(of[k]);
    }
  }
  return picked;
}`),

  above: piece(`
/** 1 where a cell is above the threshold; what is missing stays so. */
function above({ at, of }, threshold) {
  const kept = { at: [], of: [] };
  for (let k = 0; k < at.length; k++) {
    if (of[k] <= threshold) continue;
    kept.at.push(at[k]);
    kept.of.push(Number.isNaN(of[k]) ? NaN : 1);
  }
  return kept;
}`),

  binOf: piece(`
/** How many cuts are at or below a value. */
function binOf(x, cuts, missing) {
  if (Number.isNaN(x)) return missing;
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cuts[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}`),

  limit: piece(`
/** Numbers of levels, at most the number of levels. */
function limit(x, levels, unknown, missing) {
  return x.map((value, j) => {
    if (Number.isNaN(value) && missing) return value;
    if (!Number.isInteger(value) || value < 0) throw new RangeError(value + " is no level of column " + j);
    if (value < levels[j]) return value;
    if (unknown === undefined) throw new RangeError("level " + value + " of column " + j + " was never learned");
    return unknown ? levels[j] : NaN;
  });
}`),

  hot: piece(`
/** 1 at the place that each number names, 0 elsewhere. */
function hot(x, widths) {
  const at = [];
  let start = 0;
  for (let j = 0; j < x.length; j++) {
    if (x[j] >= 0 && x[j] < widths[j]) at.push(start + x[j]);
    start += widths[j];
  }
  return { at, of: at.map(() => 1) };
}`),
};
