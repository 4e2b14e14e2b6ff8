const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));
const scramble = (block: number) => Math.imul(rotate(Math.imul(block, C1), 15), C2);

/** MurmurHash3 x86 32-bit of bytes, signed. Appleby, github.com/aappleby/smhasher, MurmurHash3.cpp. */
export function murmur3(bytes: Uint8Array, seed = 0): number {
  const blocks = bytes.length & ~3;
  let hash = seed;
  for (let i = 0; i < blocks; i += 4) {
    const block = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    hash = (Math.imul(rotate(hash ^ scramble(block), 13), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= blocks; i--) tail = (tail << 8) | bytes[i];
  hash ^= scramble(tail) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
