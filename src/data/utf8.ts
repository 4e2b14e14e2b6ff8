const strict = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes well-formed UTF-8; undefined otherwise: an invalid byte never silently becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes bytes for a report, with U+FFFD for invalid ones. */
export function showUtf8(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/**
 * The index of the first byte that does not begin a well-formed sequence, or −1. The Unicode Standard 16.0, table 3-7.
 */
export function findInvalidUtf8(bytes: Uint8Array): number {
  let i = 0;
  while (i < bytes.length) {
    const length = sequenceLength(bytes, i);
    if (length === 0) return i;
    i += length;
  }
  return -1;
}

function sequenceLength(bytes: Uint8Array, i: number): number {
  const lead = bytes[i]!;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length === 0 || i + length > bytes.length) return 0;
  const second = bytes[i + 1]!;
  if (second < lowestSecond(lead) || second > highestSecond(lead)) return 0;
  for (let k = 2; k < length; k++) if (!isContinuation(bytes[i + k]!)) return 0;
  return length;
}

const lowestSecond = (lead: number) => (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80);
const highestSecond = (lead: number) => (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf);

/** Whether a byte is a continuation byte; counting the others counts characters. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The index of the first lone surrogate, or −1. */
export function findLoneSurrogate(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

/** The error message for an invalid byte. */
export function notUtf8(byte: number): string {
  return `byte 0x${byte.toString(16)} is not valid UTF-8; save the file as UTF-8, or name its encoding`;
}
