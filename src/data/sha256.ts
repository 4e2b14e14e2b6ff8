/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, §4.2.2). */
const K = fractions(64, Math.cbrt);

/** Of the square roots of the first 8 primes (§5.3.3). */
const START = fractions(8, Math.sqrt);

function fractions(count: number, root: (x: number) => number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return Int32Array.from(primes, (p) => Math.floor((root(p) % 1) * 2 ** 32) | 0);
}

/**
 * The SHA-256 of some bytes, given in one or several parts, as 64 hexadecimal digits: FIPS 180-4, without a dependency and
 * without waiting.
 */
export function sha256(...parts: readonly Uint8Array[]): string {
  const state = START.slice();
  const words = new Int32Array(64);
  const block = new Uint8Array(128);
  let held = 0;
  let length = 0;
  for (const part of parts) {
    let at = 0;
    if (held > 0) {
      at = Math.min(part.length, 64 - held);
      block.set(part.subarray(0, at), held);
      held += at;
      if (held === 64) digestBlock(state, words, block, (held = 0));
    }
    for (; at + 64 <= part.length; at += 64) digestBlock(state, words, part, at);
    block.set(part.subarray(at), held);
    held += part.length - at;
    length += part.length;
  }
  const blocks = padding(block, held, length);
  for (let at = 0; at < blocks; at += 64) digestBlock(state, words, block, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Ends the last block with a one bit, zeros and the length in bits; returns how many bytes it takes. */
function padding(block: Uint8Array, held: number, length: number): number {
  const size = held < 56 ? 64 : 128;
  block.fill(0, held);
  block[held] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(size - 8, Math.floor(length / 2 ** 29));
  view.setUint32(size - 4, (length * 8) >>> 0);
  return size;
}

function digestBlock(state: Int32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  for (let t = 0; t < 16; t++, at += 4) {
    words[t] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = words[t - 15];
    const z = words[t - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((z >>> 17) | (z << 15)) ^ ((z >>> 19) | (z << 13)) ^ (z >>> 10);
    words[t] = (words[t - 16] + s0 + words[t - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + words[t]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
