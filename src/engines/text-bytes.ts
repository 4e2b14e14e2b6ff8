import { refuse } from '../errors.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 from an engine. Two texts that differ only in invalid bytes would become one token or label, and their
 * counts one count; so invalid bytes are E_ENCODING.
 */
export function textOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  if (text.includes('\ufffd')) requireUtf8(bytes.subarray(from, to)); // the replacement character, rarely part of the original text
  return text;
}

function requireUtf8(bytes: Uint8Array): void {
  try {
    strict.decode(bytes);
  } catch (cause) {
    refuse('E_ENCODING', 'the engine holds a text that is not UTF-8: convert it, or leave its rows out', {}, cause);
  }
}
