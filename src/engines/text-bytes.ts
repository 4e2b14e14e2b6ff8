import { refuse } from '../errors.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of some bytes of UTF-8. Two texts that differ only in broken bytes would become one token or label, and their counts
 * one count; so bytes that are no UTF-8 are refused with E_ENCODING.
 */
export function textOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  if (text.includes('\ufffd')) requireUtf8(bytes.subarray(from, to)); // the sign of a broken byte, and rarely a letter of the text
  return text;
}

function requireUtf8(bytes: Uint8Array): void {
  try {
    strict.decode(bytes);
  } catch (cause) {
    refuse('E_ENCODING', 'the engine holds a text that is not UTF-8: convert it, or leave its rows out', {}, cause);
  }
}
