import { type Piece, piece } from './piece.ts';

/** Curves that make probabilities of scores, as the exported module draws them. */
export const curvePieces: Readonly<Record<string, Piece>> = {
  certainOdds: piece(
    `
/** Log-odds of the classes, within 10 000 either way; that of the most probable one comes from the others. */
function certainOdds(logs) {
  const bounded = (value) => Math.max(-1e4, Math.min(1e4, value));
  const best = argmax(logs);
  const others = logs.map((log, c) => (c === best ? -Infinity : log));
  return logs.map((log, c) => bounded(c === best ? log - logSumExp(others) : log - Math.log1p(-Math.exp(log))));
}`,
    'argmax',
    'logSumExp',
  ),

  tempered: piece(
    `
const tempered = (logs, beta) => softmax(logs.map((log) => beta * Math.max(-1e4, Math.min(1e4, log))));`,
    'softmax',
  ),

  onCurve: piece(
    `
/** Logarithms of calibrated shares: a curve for each class, or one for the second of two. */
function onCurve(logs, sides) {
  const odds = certainOdds(logs);
  if (logs.length !== 2) return softmax(odds.map((value, c) => sides(c, value)[0]));
  const [yes, no] = sides(0, odds[1]);
  return softmax([no, yes]);
}`,
    'certainOdds',
    'softmax',
  ),

  sigmoidSides: piece(
    `
const sigmoidSides = (a, b) => (k, value) => [-softplus(a[k] * value + b[k]), -softplus(-(a[k] * value + b[k]))];`,
    'softplus',
  ),

  lineSides: piece(
    `
const lineSides = (lines, floor) => (k, value) => {
  const p = Math.min(1 - floor, Math.max(floor, heightAt(lines[k], value)));
  return [Math.log(p), Math.log1p(-p)];
};`,
    'heightAt',
  ),

  platt: piece(
    `
/** Curves over the log-odds of the classes. */
function platt(s, a, b) {
  const logs = softmax(s);
  const first = argmax(logs);
  const others = logs.filter((_, c) => c !== first);
  const odds = logs.map((value, c) => value - (c === first ? logSumExp(others) : log1mexp(value)));
  return softmax(odds.map((value, c) => -softplus(a[c] * value + b[c])));
}`,
    'softmax',
    'argmax',
    'logSumExp',
    'log1mexp',
    'softplus',
  ),

  heightAt: piece(`
/** The height of a rising line. */
function heightAt([x, y], value) {
  const last = x.length - 1;
  if (value <= x[0]) return y[0];
  if (value >= x[last]) return y[last];
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  const height = y[low - 1] + ((y[low] - y[low - 1]) / (x[low] - x[low - 1])) * (value - x[low - 1]);
  return Math.min(height, y[low]);
}`),

  curved: piece(
    `
/** A curve for each class, normalised; or one for the second of two classes. */
function curved(s, curves, height) {
  if (curves === 1 && s.length === 2) {
    const p = height(0, s[1]);
    return [1 - p, p];
  }
  const heights = s.map((value, c) => height(c, value));
  const sum = total(heights);
  return heights.map((value) => (sum === 0 ? 1 / s.length : value / sum));
}`,
    'total',
  ),

  logistic: piece(`
const logistic = (z) => (z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z)));`),

  sigmoid: piece(
    `
const sigmoid = (s, a, b) => curved(s, a.length, (k, value) => logistic(-(a[k] * value + b[k])));`,
    'curved',
    'logistic',
  ),

  isotonic: piece(
    `
const isotonic = (s, lines) => curved(s, lines.length, (k, value) => heightAt(lines[k], value));`,
    'curved',
    'heightAt',
  ),

  temperature: piece(
    `
const temperature = (logits, beta) => softmax(logits.map((value) => beta * value)).map(Math.exp);`,
    'softmax',
  ),

  average: piece(`
/** Logarithms of the mean of several answers. */
const average = (answers) =>
  answers[0].map((_, c) => Math.log(Math.min(1, answers.reduce((sum, p) => sum + p[c], 0) / answers.length)));`),
};
