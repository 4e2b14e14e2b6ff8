import { murmur3 } from '../math/murmur3.ts';

/** The column of a UTF-8 term: |h| mod features, with the sign of its hash. */
export function hashTerm(term: Uint8Array, features: number): { column: number; sign: 1 | -1 } {
  const hash = murmur3(term);
  return { column: Math.abs(hash) % features, sign: hash >= 0 ? 1 : -1 };
}
