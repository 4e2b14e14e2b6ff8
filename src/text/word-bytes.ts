import type { Lexicon } from './lexicon.ts';
import { type Reader, WordReader } from './reader.ts';
import { ByteKernel } from './tokens.ts';

/** The words of a reader as bytes, where each of its terms is one of them. */
export function lexiconOf(reader: Reader): Lexicon | undefined {
  if (!(reader instanceof WordReader) || reader.grams || !(reader.kernel instanceof ByteKernel)) return undefined;
  return reader.kernel.lexicon;
}

/** Below 0 where one word comes before another, by code points, which is the order of the bytes of UTF-8. */
export function compareWords({ pool, entries }: Lexicon, one: number, other: number): number {
  const [a, b] = [entries[one * 2 + 1], entries[other * 2 + 1]];
  const [lengthA, lengthB] = [entries[one * 2 + 3] - a, entries[other * 2 + 3] - b];
  for (let k = 0; k < lengthA && k < lengthB; k++) {
    const order = pool[a + k] - pool[b + k];
    if (order !== 0) return order;
  }
  return lengthA - lengthB;
}

/** Some words one after another, and where each ends. */
export function writtenWords({ pool, entries }: Lexicon, ids: Uint32Array): { bytes: Uint8Array; ends: Uint32Array } {
  const ends = new Uint32Array(ids.length);
  let end = 0;
  for (let j = 0; j < ids.length; j++) ends[j] = end += entries[ids[j] * 2 + 3] - entries[ids[j] * 2 + 1];
  const bytes = new Uint8Array(end);
  for (let j = 0, at = 0; j < ids.length; at = ends[j++]) {
    const start = entries[ids[j] * 2 + 1] - at;
    for (let k = at; k < ends[j]; k++) bytes[k] = pool[start + k];
  }
  return { bytes, ends };
}
