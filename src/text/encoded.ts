import { decodeUtf8 } from '../data/utf8.ts';
import type { EncodedTerms } from './reader.ts';

/** Terms as concatenated UTF-8. */
export function encodeTerms(terms: readonly string[]): EncodedTerms {
  const ends = new Uint32Array(terms.length);
  for (let j = 0, end = 0; j < terms.length; j++) {
    for (let k = 0; k < terms[j].length; k++) end += bytesOf(terms[j].charCodeAt(k));
    ends[j] = end;
  }
  return { bytes: new TextEncoder().encode(terms.join('')), ends };
}

/** Terms as strings: decoded in one call and then sliced. The bytes must be UTF-8. */
export function cutTerms({ bytes, ends }: EncodedTerms): string[] {
  const text = decodeUtf8(bytes) as string;
  const plain = text.length === bytes.length; // ASCII: a character is a byte
  const list = new Array<string>(ends.length);
  for (let j = 0, [at, end] = [0, 0]; j < ends.length; j++) {
    const start = at;
    if (plain) at = ends[j];
    else while (end < ends[j]) end += bytesOf(text.charCodeAt(at++));
    list[j] = text.slice(start, at);
  }
  return list;
}

/** The length of a UTF-16 unit in UTF-8; each half of a surrogate pair counts two of its four bytes. */
function bytesOf(unit: number): number {
  if (unit < 0x800) return unit < 0x80 ? 1 : 2;
  return unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
}
