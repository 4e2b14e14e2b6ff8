import { type Piece, piece } from './piece.ts';

/** From scores to log-probabilities, as the exported module does it. */
export const scorePieces: Readonly<Record<string, Piece>> = {
  add: piece(`
const add = (s, part, less) => s.map((value, c) => value + (less ? part[c] - less[c] : part[c]));`),

  either: piece(`
const either = (first, second, needed) =>
  first.every((value, c) => Number.isFinite(value) || !needed[c]) ? first : second();`),

  place: piece(`
function place(s, places, classes, fill) {
  const all = new Array(classes).fill(fill);
  s.forEach((value, c) => {
    all[places[c]] = value;
  });
  return all;
}`),

  opposed: piece(`
function opposed([a, b]) {
  const apart = b - a;
  return [-1 * apart, 1 * apart];
}`),

  softmax: piece(
    `
/** Scores less the logarithm of the sum of their exponentials; scores of Infinity share all alike. */
function softmax(s) {
  const most = greatest(s);
  if (Number.isFinite(most)) {
    const rest = logRest(s, most);
    return s.map((value) => value - most - rest);
  }
  const ties = s.filter((value) => value === Infinity).length;
  return s.map((value) => (ties > 0 && value === Infinity ? -Math.log(ties) : -Infinity));
}`,
    'greatest',
    'logRest',
  ),

  together: piece(
    `
/** The same, with all exponentials in one sum. */
function together(s) {
  const top = s[argmax(s)];
  if (top === -Infinity) return s;
  if (top === Infinity) {
    const certain = s.filter((value) => value === Infinity).length;
    return s.map((value) => (value === Infinity ? -Math.log(certain) : -Infinity));
  }
  let sum = 0;
  for (const value of s) sum += Math.exp(value - top);
  const logSum = Math.log(sum);
  return s.map((value) => value - top - logSum);
}`,
    'argmax',
  ),

  possible: piece(`
/** The scores, or where every class is impossible the prior, or a refusal. */
function possible(s, prior) {
  if (s.some((value) => value > -Infinity)) return s;
  if (!prior) throw new RangeError("the row is impossible under every class");
  return prior;
}`),

  pool: piece(
    `
function pool(bias, weights, members) {
  const s = Array.from(bias);
  members.forEach((member, m) => {
    for (let c = 0; c < s.length; c++) s[c] += weights[m] * member[c];
  });
  return softmax(s);
}`,
    'softmax',
  ),

  present: piece(`
/** How many cells are present: numbers that are not missing, and texts with a known term. */
function present(lists, texts) {
  let count = 0;
  for (const x of lists) for (const value of x) if (!Number.isNaN(value)) count++;
  for (const views of texts) if (views.some(({ at }) => at.length > 0)) count++;
  return count;
}`),

  shareOf: piece(`
/** The share of the cells of an ordinary row. */
const shareOf = (count, ordinary) => (count === 0 ? 0 : Math.min(1, count / ordinary));`),

  between: piece(`
/** Between what was fitted and what it is made of, by the share of the cells that a row has. */
const between = (share, fitted, before) => (share >= 1 ? fitted : share * fitted + (1 - share) * before);`),

  mixed: piece(
    `
const mixed = (share, fitted, before) => Array.from(fitted, (value, k) => between(share, value, before[k]));`,
    'between',
  ),

  curveBetween: piece(
    `
const curveBetween = (share, fitted, before) =>
  share >= 1 ? fitted : softmax(share === 0 ? Array.from(before) : mixed(share, fitted, before));`,
    'mixed',
    'softmax',
  ),

  soften: piece(
    `
/** No score below the least, heavy tails where there is a tail, and one number for classes that were never met. */
const soften = (s, least, tail, unmet, unmetScore, share) =>
  s.map((value, c) => {
    if (unmet[c]) return unmetScore;
    const bounded = Math.max(least, value);
    return tail === null ? bounded : between(share, -tail * Math.log1p(-bounded / tail), bounded);
  });`,
    'between',
  ),
};
