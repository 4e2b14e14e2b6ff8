import type { State } from '../core/artifact.ts';
import { numbersOf, type Tensor } from '../data/safetensors.ts';
import { decodeUtf8 } from '../data/utf8.ts';
import { refuse } from '../errors.ts';
import type { EncodedTerms } from './reader.ts';

/** Inverse document frequencies set by the caller, as stored in a file. */
export const readIdf = (array: Tensor | undefined): Float64Array => numbersOf(array) ?? corrupt('its idf is wrong');

/** Throws for a damaged model. */
export const corrupt = (what: string): never => refuse('E_MODEL_CORRUPT', `the model file is damaged: ${what}`);

/** The terms of a file; they are checked unless they are the program's `own`. */
export function readTerms({ terms, ends }: State['arrays'], own = false): EncodedTerms {
  const [bytes, places] = [terms?.data, ends?.data];
  if (!(bytes instanceof Uint8Array) || !(places instanceof Uint32Array)) return corrupt('its terms are not text');
  if (!own) requireTerms(bytes, places);
  return { bytes: bytes as EncodedTerms['bytes'], ends: places as EncodedTerms['ends'] };
}

/** Throws if terms are not UTF-8, if their ends split a character, or if they are not in order. */
function requireTerms(bytes: Uint8Array, ends: Uint32Array): void {
  if (decodeUtf8(bytes) === undefined) corrupt('its terms are not text'); // native, which matters for a process that reads one model
  let before = 0;
  let start = 0;
  for (let j = 0; j < ends.length; j++) {
    const end = ends[j];
    const cut = end < bytes.length && (bytes[end] & 0xc0) === 0x80; // inside a character
    if (end < start || end > bytes.length || cut) corrupt('its terms have a wrong length');
    if (j > 0 && !isBefore(bytes, before, start, end)) corrupt('its terms are not in order');
    before = start;
    start = end;
  }
  if ((ends.at(-1) ?? 0) !== bytes.length) corrupt('its terms have a wrong length');
}

/** Whether bytes[from … middle) come before bytes[middle … to); the order of UTF-8 is that of code points. */
function isBefore(bytes: Uint8Array, from: number, middle: number, to: number): boolean {
  const shorter = Math.min(middle - from, to - middle);
  for (let k = 0; k < shorter; k++) {
    if (bytes[from + k] !== bytes[middle + k]) return bytes[from + k] < bytes[middle + k];
  }
  return middle - from < to - middle;
}
