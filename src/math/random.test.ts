import fc from 'fast-check';
import { expect, test } from 'vitest';
import { golden } from '../../test/reference/math/golden.ts';
import { addInto } from './arrays.ts';
import { normalCdf } from './erf.ts';
import { lowerBeta } from './incomplete-beta.ts';
import { lowerGamma } from './incomplete-gamma.ts';
import { Random } from './random.ts';

const DRAWS = 20_000;

// Recorded from this code when it was written; the words below them are checked against golden.py above.
const FROZEN = [
  [0.4137016681565887, 0.003983993377814743, 0.6500837027638867],
  [114, 688, 135],
  [48450572267, 700250094714, 534025146945],
  [1.0873020675225118, 0.7409935464462171, 0.42664902821655437],
  [0.533926520243013, 0.003991950620865951, 1.0500613038537414],
  [4.193551020866041, 3.2146478444924016, 2.5886549147959106],
  [-1332.0229266821661, -944.8709774503295, -1027.0720489102782],
  [0.47862850630611314, 0.4681064473326281, 0.6529628793117368],
  [3, 0, 4],
  [992, 1014, 1034],
  [1, 0, 2],
];
const FROZEN_PERMUTATION = [4, 7, 3, 6, 0, 5, 1, 2];

/**
 * The Kolmogorov distance between draws and a distribution function, in units of 1/√n; above 2.2 for one in 8000 seeds.
 */
function distance(draw: () => number, distribution: (x: number) => number): number {
  const sorted = Float64Array.from({ length: DRAWS }, draw).sort();
  let worst = 0;
  sorted.forEach((x, i) => {
    const p = distribution(x);
    worst = Math.max(worst, p - i / DRAWS, (i + 1) / DRAWS - p);
  });
  return worst * Math.sqrt(DRAWS);
}

test('the words are those of xoshiro128** seeded by SplitMix64', () => {
  for (const [seed, words] of golden<[number, number[]]>('xoshiro')) {
    const random = new Random(seed);
    expect(words.map(() => random.word())).toEqual(words);
  }
});

test('the streams of seed 42 never change', () => {
  const draws = [
    (random: Random) => random.uniform(),
    (random: Random) => random.integer(1000),
    (random: Random) => random.integer(2 ** 40),
    (random: Random) => random.normal(),
    (random: Random) => random.exponential(),
    (random: Random) => random.gamma(2.5),
    (random: Random) => random.logGamma(1e-3),
    (random: Random) => random.beta(2, 3),
    (random: Random) => random.poisson(3.5),
    (random: Random) => random.poisson(1000),
    (random: Random) => random.categorical(Float64Array.of(1, 2, 3)),
  ].map((draw) => {
    const random = new Random(42);
    return [draw(random), draw(random), draw(random)];
  });
  FROZEN.forEach((row, k) => {
    row.forEach((wanted, i) => {
      expect(Math.abs(draws[k][i] - wanted)).toBeLessThanOrEqual(1e-12 * Math.abs(wanted));
    });
  });
  expect(Array.from(new Random(42).permutation(8))).toEqual(FROZEN_PERMUTATION);
});

test('a state can be saved and continued, and a fork has its own stream', () => {
  const random = new Random(7);
  random.uniform();
  const twin = new Random(random.state());
  expect(twin.normal()).toBe(random.normal());
  const child = random.fork();
  expect(twin.fork().word()).toBe(child.word());
  expect(child.word()).not.toBe(random.word());
});

test('uniforms lie in [0, 1) and whole numbers below n, each as often as the others', () => {
  expect(
    distance(
      drawFrom(1, (random) => random.uniform()),
      (x) => x,
    ),
  ).toBeLessThan(2.2);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 50 }), fc.nat(), (n, seed) => {
      const draw = new Random(seed).integer(n);
      expect(Number.isInteger(draw) && draw >= 0 && draw < n).toBe(true);
    }),
  );
  const random = new Random(2);
  const counts = new Float64Array(6);
  for (let k = 0; k < 60_000; k++) counts[random.integer(6)]++;
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(450);
});

function drawFrom(seed: number, draw: (random: Random) => number): () => number {
  const random = new Random(seed);
  return () => draw(random);
}

test('normal, exponential, gamma and beta draws follow their distribution functions', () => {
  expect(
    distance(
      drawFrom(3, (random) => random.normal()),
      normalCdf,
    ),
  ).toBeLessThan(2.2);
  expect(
    distance(
      drawFrom(4, (random) => random.exponential()),
      (x) => -Math.expm1(-x),
    ),
  ).toBeLessThan(2.2);
  for (const shape of [0.05, 0.7, 1, 2.5, 40]) {
    const gamma = drawFrom(5, (random) => random.gamma(shape));
    expect(distance(gamma, (x) => lowerGamma(shape, x))).toBeLessThan(2.2);
  }
  const beta = drawFrom(6, (random) => random.beta(0.5, 2));
  expect(distance(beta, (x) => lowerBeta(x, 0.5, 2))).toBeLessThan(2.2);
});

test('the logarithm of a gamma draw survives shapes whose draws underflow', () => {
  const random = new Random(8);
  let total = 0;
  for (let k = 0; k < 1000; k++) total += random.logGamma(1e-6);
  // E ln G(a) = ψ(a) ≈ −1/a, with deviation 1/a.
  expect(Math.abs(total / 1000 / -1e6 - 1)).toBeLessThan(0.15);
  expect(random.gamma(1e-6)).toBeGreaterThanOrEqual(0);
  const share = random.beta(1e-9, 1e-9);
  expect(share === 0 || share === 1).toBe(true);
});

test('Dirichlet draws sum to one, also for tiny alpha, and have the means of alpha', () => {
  const random = new Random(9);
  const alpha = Float64Array.of(1, 2, 7);
  const mean = new Float64Array(3);
  for (let k = 0; k < 5000; k++) addInto(mean, random.dirichlet(alpha));
  [0.1, 0.2, 0.7].forEach((wanted, i) => {
    expect(Math.abs(mean[i] / 5000 - wanted)).toBeLessThan(0.01);
  });
  const sparse = random.dirichlet(new Float64Array(50).fill(1e-5));
  expect(Math.abs(sparse.reduce((so, far) => so + far, 0) - 1)).toBeLessThan(1e-14);
});

test('categories are drawn in proportion to their weights, and those of weight zero never', () => {
  const random = new Random(10);
  const counts = new Float64Array(4);
  for (let k = 0; k < 40_000; k++) counts[random.categorical(Float64Array.of(1, 0, 3, 0))]++;
  expect(counts[1] + counts[3]).toBe(0);
  expect(Math.abs(counts[0] - 10_000)).toBeLessThan(450);
  expect(() => random.categorical(new Float64Array(2))).toThrow(
    expect.objectContaining({ code: 'E_WEIGHTS_ALL_ZERO' }),
  );
});

test('a shuffle keeps every element, and all orders of three are equally likely', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(), (array, seed) => {
      expect(new Random(seed).shuffle(array.slice()).sort()).toEqual(array.slice().sort());
    }),
  );
  const random = new Random(11);
  const counts = new Map<string, number>();
  for (let k = 0; k < 60_000; k++) {
    const order = random.permutation(3).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(450);
});

test('bad seeds, states and ranges are errors', () => {
  const refused = expect.objectContaining({ code: 'E_PARAM' });
  expect(() => new Random(1.5)).toThrow(refused);
  expect(() => new Random(2 ** 53)).toThrow(refused);
  expect(() => new Random(new Uint32Array(4))).toThrow(refused);
  expect(() => new Random(1).integer(0)).toThrow(refused);
  expect(() => new Random(1).integer(2.5)).toThrow(refused);
});
