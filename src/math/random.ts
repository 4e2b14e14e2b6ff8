import { refuse, show } from '../errors.ts';
import { drawPoisson } from './poisson.ts';

const TWO_32 = 2 ** 32;

/** Two outputs of SplitMix64 (Steele, Lea & Flood 2014) as four words. */
function splitMix(seed: bigint): Uint32Array {
  const words = new Uint32Array(4);
  let state = seed;
  for (let k = 0; k < 4; k += 2) {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    z ^= z >> 31n;
    words[k] = Number(z & 0xffffffffn);
    words[k + 1] = Number(z >> 32n);
  }
  return words;
}

function rotateLeft(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/**
 * The one source of chance, always passed as an argument: xoshiro128** 1.1 (Blackman & Vigna, Scrambled Linear
 * Pseudorandom Number Generators, 2021), its state filled by SplitMix64 from a whole-number seed. Words, uniforms,
 * whole numbers and permutations are the same on every machine; normal, gamma, beta, Dirichlet and Poisson draws go
 * through Math.log and Math.exp, whose last digit may differ.
 */
export class Random {
  readonly #state: Uint32Array;

  /**
   * The generator of a seed, a whole number within ±(2^53 − 1), or one that goes on from the four words of `state()`.
   */
  constructor(seed: number | Uint32Array) {
    if (typeof seed !== 'number') {
      if (seed.length !== 4 || seed.every((word) => word === 0)) {
        refuse('E_PARAM', 'the state of a generator is four words, not all of them zero');
      }
      this.#state = seed.slice();
      return;
    }
    if (!Number.isSafeInteger(seed))
      refuse('E_PARAM', `a seed is a whole number within ±(2^53 − 1), got ${show(seed)}`);
    this.#state = splitMix(BigInt.asUintN(64, BigInt(seed)));
  }

  /** The four words of the present state; `new Random(words)` goes on from here. */
  state(): Uint32Array {
    return this.#state.slice();
  }

  /** A generator of its own stream, derived from the next two words of this one. */
  fork(): Random {
    const seed = (BigInt(this.word()) << 32n) | BigInt(this.word());
    return new Random(splitMix(seed));
  }

  /** 32 random bits, 0 … 2^32 − 1. */
  word(): number {
    const s = this.#state;
    const result = Math.imul(rotateLeft(Math.imul(s[1], 5), 7), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotateLeft(s[3], 11);
    return result;
  }

  /** Uniform on [0, 1), a multiple of 2^−53. */
  uniform(): number {
    const high = this.word() >>> 5;
    return (high * 2 ** 26 + (this.word() >>> 6)) * 2 ** -53;
  }

  /**
   * Uniform on the whole numbers 0 … n − 1 for 1 ≤ n ≤ 2^53, without bias: what does not divide evenly is drawn again.
   */
  integer(n: number): number {
    if (!(n >= 1 && n <= 2 ** 53 && Number.isInteger(n))) {
      refuse('E_PARAM', `a choice is among 1 … 2^53 whole numbers, got ${show(n)}`);
    }
    const range = n <= TWO_32 ? TWO_32 : 2 ** 53;
    const limit = range - (range % n);
    for (;;) {
      const draw = n <= TWO_32 ? this.word() : this.uniform() * 2 ** 53;
      if (draw < limit) return draw % n;
    }
  }

  /**
   * Standard normal, by Marsaglia's polar method (1964); the second of each pair is dropped, so that the state is all.
   */
  normal(): number {
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square < 1 && square > 0) return x * Math.sqrt((-2 * Math.log(square)) / square);
    }
  }

  /** Exponential with mean 1. */
  exponential(): number {
    return -Math.log1p(-this.uniform());
  }

  /** Gamma(shape) with scale 1, shape > 0; for tiny shapes it underflows to 0, where `logGamma` does not. */
  gamma(shape: number): number {
    return shape >= 1 ? this.#gammaFromOne(shape) : Math.exp(this.logGamma(shape));
  }

  /**
   * The logarithm of a Gamma(shape) draw; below shape 1 as ln G(shape + 1) − E / shape, since G(a) = G(a + 1) U^(1/a).
   */
  logGamma(shape: number): number {
    if (shape >= 1) return Math.log(this.#gammaFromOne(shape));
    return Math.log(this.#gammaFromOne(shape + 1)) - this.exponential() / shape;
  }

  /** Marsaglia & Tsang, A Simple Method for Generating Gamma Variables (2000), for shape ≥ 1. */
  #gammaFromOne(shape: number): number {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const root = 1 + c * x;
      if (root <= 0) continue;
      const v = root ** 3;
      if (-this.exponential() < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
    }
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

  /** An index with probability proportional to its weight ≥ 0; an index of weight 0 never. */
  categorical(weights: Float64Array): number {
    const total = weights.reduce((so, far) => so + far, 0);
    if (!(total > 0)) refuse('E_WEIGHTS_ALL_ZERO', 'a draw needs a positive weight');
    let left = this.uniform() * total;
    let last = 0;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] === 0) continue;
      if (left < weights[i]) return i;
      left -= weights[i];
      last = i;
    }
    return last;
  }

  /** Poisson with this mean ≥ 0. */
  poisson(mean: number): number {
    return drawPoisson(this, mean);
  }

  /** Shuffles in place, every order equally likely (Fisher & Yates), and returns the same array. */
  shuffle<T extends { [index: number]: unknown; readonly length: number }>(array: T): T {
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
    return this.shuffle(Uint32Array.from({ length: n }, (_, i) => i));
  }
}
