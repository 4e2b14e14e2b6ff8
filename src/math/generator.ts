import { refuse, show } from '../errors.ts';

/** Two outputs of SplitMix64 (Steele, Lea & Flood 2014) as four words. */
export function splitMix(seed: bigint): Uint32Array {
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

const rotateLeft = (word: number, by: number) => (word << by) | (word >>> (32 - by));

/**
 * The random generator, always passed as an argument: xoshiro128** 1.1 (Blackman & Vigna, Scrambled Linear Pseudorandom
 * Number Generators, 2021), its state filled by SplitMix64 from an integer seed. Words and uniforms are the same on
 * every machine. Distributions are functions in draws.ts, or methods of `Random`.
 */
export class Generator {
  protected words: Uint32Array;

  /** Creates the generator from a seed, an integer within ±(2^53 − 1). */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed)) {
      refuse('E_PARAM', `a seed is a whole number within ±(2^53 − 1), got ${show(seed)}`, { name: 'seed' });
    }
    this.words = splitMix(BigInt.asUintN(64, BigInt(seed)));
  }

  /** 32 random bits, 0 … 2^32 − 1. */
  word(): number {
    const s = this.words;
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
}
