// The maximum likelihood of a normal distribution, and the two schools of statistics on the same data.
import {
  BernoulliNB,
  batch,
  clopperPearsonInterval,
  count,
  GaussianNB,
  gaussian,
  loadIris,
  parameterPosterior,
} from 'polya';

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

// Both derivatives are zero at the maximum.
const step = 1e-5;
const slope = (f: (h: number) => number) => (f(step) - f(-step)) / (2 * step);
console.log(
  `slopes ${Math.abs(slope((h) => logLikelihood(mean + h, variance))).toFixed(4)} and ${Math.abs(slope((h) => logLikelihood(mean, variance + h))).toFixed(4)}`,
);

// The likelihood over μ (across) and σ² (down): denser characters are more likely; ✕ is the estimate.
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

// Two schools, one question: what share θ of setosa has petals longer than 1.5 cm? First 5 flowers, then all 50.
const shown = (low: number, high: number) => `[${low.toFixed(3)}, ${high.toFixed(3)}]`;
for (const flowers of [5, 50]) {
  const long = lengths.slice(0, flowers).map(([x]) => [Number(x > 1.5)]);
  const setosa = long.map(() => 'setosa');
  const hits = long.filter(([yes]) => yes === 1).length;

  // Frequentist: θ is fixed and the sample is random. The interval is one that covers θ in at least 95 % of all samples.
  const { low, high } = clopperPearsonInterval(hits, flowers);
  console.log(
    `${hits} of ${flowers}: estimate ${(hits / flowers).toFixed(3)}, confidence interval ${shown(low, high)}`,
  );

  // Bayesian: the sample is fixed and θ is uncertain. With a uniform prior, θ lies in the interval with probability 95 %.
  const theta = parameterPosterior(new BernoulliNB({ alpha: 1 }).fit(long, setosa), { class: 'setosa', feature: 0 });
  console.log(`  posterior mean ${theta.mean.toFixed(3)}, credible interval ${shown(...theta.interval())}`);
}

// For μ, with a prior that favours no value, both schools get the same numbers and give them different meanings.
const model = new GaussianNB().fit(
  lengths,
  lengths.map(() => 'setosa'),
);
const mu = parameterPosterior(model, { class: 'setosa', feature: 0 });
const t = 2.0096; // Student's t, 49 degrees of freedom, 97.5 %
const margin = t * Math.sqrt(variance / (n - 1));
console.log(`μ: confidence ${shown(mean - margin, mean + margin)}, credible ${shown(...mu.interval())}`);
