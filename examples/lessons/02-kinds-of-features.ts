// Bernoulli, Gaussian and categorical features in one model; MLE against the Bayesian estimate; the black swan; log-sum-exp.
import { batch, bernoulli, count, MixedNB } from 'polya';

// Every mail so far had a subject line, so under the MLE a mail without one is impossible: the black swan.
const mails = batch(
  [
    [1, 1],
    [1, 0],
    [1, 1],
    [1, 0],
    [1, 0],
  ],
  [0, 0, 0, 1, 1],
);
const counted = count(bernoulli.statistic, mails);
const share = (c: number, j: number, k: number) => (counted.s[c * 2 + j] + k) / (counted.n[c] + 2 * k);
console.log('θ of "subject" in the two classes');
for (const [rule, k] of [
  ['MLE', 0],
  ['posterior mean', 1],
] as const) {
  const [x, ms] = [share(0, 0, k), share(1, 0, k)];
  const zero = [1 - x, 1 - ms].map((p) => p.toFixed(3)).join(' and ');
  console.log(`  ${rule.padEnd(14)} ${x.toFixed(3)}, ${ms.toFixed(3)}: the factors of a mail without it are ${zero}`);
}

// Products of many small numbers underflow; log-sum-exp, which subtracts the largest logarithm first, does not.
const scores = [-1200.5, -1201.5];
const naive = scores.map(Math.exp);
const most = Math.max(...scores);
const logSum = most + Math.log(scores.reduce((sum, s) => sum + Math.exp(s - most), 0));
console.log(`naively ${naive[0]} / ${naive[0] + naive[1]} = ${naive[0] / (naive[0] + naive[1])}`);
console.log(`by log-sum-exp ${Math.exp(scores[0] - logSum).toFixed(4)}, and ln p(x) = ${logSum.toFixed(4)}`);

// One family per column; a missing cell is skipped.
const columns = { height: 'gaussian', barks: 'bernoulli', coat: 'categorical' } as const;
const animals = [
  { height: 62, barks: true, coat: 'short' },
  { height: 48, barks: true, coat: 'long' },
  { height: 55, barks: true, coat: 'short' },
  { height: 24, barks: false, coat: 'short' },
  { height: 26, barks: false, coat: 'long' },
  { height: 23, barks: false, coat: 'long' },
];
const model = new MixedNB({ columns }).fit(animals, ['dog', 'dog', 'dog', 'cat', 'cat', 'cat']);
for (const animal of [
  { height: 30, barks: false, coat: 'short' },
  { height: null, barks: true, coat: 'short' },
]) {
  const [[cat, dog]] = model.predictProba([animal]).toArray();
  console.log(`${JSON.stringify(animal)}: cat ${cat.toFixed(4)}, dog ${dog.toFixed(4)}`);
}
