import { refuse, show } from '../errors.ts';
import { drawCategory, drawExponential, drawGamma, drawLogGamma, drawNormal } from './draws.ts';
import { Generator, splitMix } from './generator.ts';
import { drawPoisson } from './poisson.ts';

const TWO_32 = 2 ** 32;

/**
 * A generator with all its distributions as methods. Integers and permutations are the same on every machine; normal,
 * gamma, beta, Dirichlet and Poisson draws use Math.log and Math.exp, whose last digit may differ.
 */
export class Random extends Generator {
  /** Creates the generator from a seed, an integer within ±(2^53 − 1), or from the four words of `state()`. */
  constructor(seed: number | Uint32Array) {
    super(typeof seed === 'number' ? seed : 0);
    if (typeof seed === 'number') return;
    if (!(seed instanceof Uint32Array) || seed.length !== 4 || seed.every((word) => word === 0)) {
      refuse(
        'E_PARAM',
        'a generator starts from a whole number, or from the four words of another, not all of them zero',
      );
    }
    this.words = seed.slice();
  }

  /** The four words of the current state; `new Random(words)` continues from here. */
  state(): Uint32Array {
    return this.words.slice();
  }

  /** A generator with a separate stream, derived from the next two words of this one. */
  fork(): Random {
    const seed = (BigInt(this.word()) << 32n) | BigInt(this.word());
    return new Random(splitMix(seed));
  }

  /** Uniform on the integers 0 … n − 1 for 1 ≤ n ≤ 2^53, without bias (by rejection). */
  integer(n: number): number {
    if (!(Number.isInteger(n) && n >= 1 && n <= 2 ** 53)) {
      refuse('E_PARAM', `a choice is among 1 … 2^53 whole numbers, got ${show(n)}`);
    }
    const range = n <= TWO_32 ? TWO_32 : 2 ** 53;
    const limit = range - (range % n);
    for (;;) {
      const draw = n <= TWO_32 ? this.word() : this.uniform() * 2 ** 53;
      if (draw < limit) return draw % n;
    }
  }

  /** Standard normal. */
  normal(): number {
    return drawNormal(this);
  }

  /** Exponential with mean 1. */
  exponential(): number {
    return drawExponential(this);
  }

  /** Gamma(shape) with scale 1, shape > 0; for tiny shapes it underflows to 0, where `logGamma` does not. */
  gamma(shape: number): number {
    return drawGamma(this, shape);
  }

  /** The logarithm of a Gamma(shape) draw. */
  logGamma(shape: number): number {
    return drawLogGamma(this, shape);
  }

  /** Beta(a, b), from two gamma draws in logarithms, so that tiny shapes give 0 or 1 and never 0/0. */
  beta(a: number, b: number): number {
    return 1 / (1 + Math.exp(-this.logGamma(a) + this.logGamma(b)));
  }

  /** Dirichlet(alpha), from gamma draws in logarithms; sums to 1 also for tiny alpha. */
  dirichlet(alpha: Float64Array): Float64Array {
    const logs = alpha.map((shape) => this.logGamma(shape));
    const greatest = logs.reduce((most, value) => Math.max(most, value), -Infinity);
    const parts = logs.map((value) => Math.exp(value - greatest));
    const total = parts.reduce((so, far) => so + far, 0);
    return parts.map((part) => part / total);
  }

  /** An index with probability proportional to its weight ≥ 0; an index of weight 0 is never drawn. */
  categorical(weights: Float64Array): number {
    return drawCategory(this, weights);
  }

  /** Poisson with this mean ≥ 0. */
  poisson(mean: number): number {
    return drawPoisson(this, mean);
  }

  /** Shuffles in place, every order equally likely (Fisher & Yates), and returns the same array. */
  shuffle<T extends { [index: number]: unknown; readonly length: number }>(array: T): T {
    if (typeof array !== 'object' || array === null) refuse('E_TYPE', `expected a list to shuffle, got ${show(array)}`);
    for (let i = array.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const held = array[i];
      array[i] = array[j];
      array[j] = held;
    }
    return array;
  }

  /** The numbers 0 … n − 1 in random order. */
  permutation(n: number): Uint32Array {
    if (!(Number.isInteger(n) && n >= 0 && n < TWO_32)) {
      refuse('E_PARAM', `a permutation is of 0 … 2^32 − 1 numbers, got ${show(n)}`);
    }
    return this.shuffle(Uint32Array.from({ length: n }, (_, i) => i));
  }
}
