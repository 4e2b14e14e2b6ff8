// The maximum likelihood of a normal distribution, found by counting and seen on its surface.
import { batch, count, gaussian, loadIris } from 'polya';

const lengths = loadIris()
  .rows.slice(0, 50)
  .map((row) => [Number(row.petal_length)]);
const n = lengths.length;

// Count: n, Σx and Σ(x − shift)²; estimate: the mean, and the mean of squares about it.
const stats = count(
  gaussian.statistic,
  batch(
    lengths,
    lengths.map(() => 0),
  ),
);
const mean = lengths.reduce((sum, [x]) => sum + x, 0) / n;
const variance = lengths.reduce((sum, [x]) => sum + (x - mean) ** 2, 0) / n;
const logLikelihood = (mu: number, sigma2: number) =>
  lengths.reduce((sum, [x]) => sum - 0.5 * Math.log(2 * Math.PI * sigma2) - (x - mu) ** 2 / (2 * sigma2), 0);
const best = logLikelihood(mean, variance);
console.log(
  `n = ${stats.n[0]}, μ̂ = ${mean.toFixed(4)}, σ̂² = ${variance.toFixed(5)}, log-likelihood ${best.toFixed(3)}`,
);

// Both derivatives are zero there, and every step away is downhill.
const step = 1e-5;
const slope = (f: (h: number) => number) => (f(step) - f(-step)) / (2 * step);
console.log(
  `slopes ${Math.abs(slope((h) => logLikelihood(mean + h, variance))).toFixed(4)} and ${Math.abs(slope((h) => logLikelihood(mean, variance + h))).toFixed(4)}`,
);

// The surface over μ (across) and σ² (down): darker is more likely; ✕ is the estimate.
const shades = ' .:-=+*#%@';
for (let row = 0; row < 13; row++) {
  const sigma2 = variance * 2 ** ((row - 6) / 4);
  let line = '';
  for (let column = 0; column < 49; column++) {
    const mu = mean + (column - 24) * 0.004;
    const share = Math.exp((logLikelihood(mu, sigma2) - best) / 4);
    line += row === 6 && column === 24 ? '✕' : shades[Math.min(9, Math.floor(share * 10))];
  }
  console.log(`σ² = ${sigma2.toFixed(4)} ${line}`);
}
console.log(`            μ = ${(mean - 0.096).toFixed(3)}${' '.repeat(32)}${(mean + 0.096).toFixed(3)}`);
