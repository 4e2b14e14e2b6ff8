/** Single-byte encodings that are decoded without the platform's decoder. */
export type SingleByte = 'latin1' | 'windows-1252';

// Windows-1252 where Latin-1 has control characters, by the WHATWG's Encoding Standard. The decoder of Node 20 is not
// used: it returns wrong characters for bytes above 0x7F when a text is decoded at once.
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const codes: Record<SingleByte, Uint16Array> = {
  latin1: Uint16Array.from({ length: 256 }, (_, byte) => byte),
  'windows-1252': Uint16Array.from({ length: 256 }, (_, byte) =>
    byte >= 0x80 && byte < 0xa0 ? windows.charCodeAt(byte - 0x80) : byte,
  ),
};

/** The text of bytes; every byte is a character, so all bytes are valid. */
export function decodeSingle(bytes: Uint8Array, encoding: SingleByte): string {
  const code = codes[encoding];
  return new TextDecoder('utf-16le').decode(Uint16Array.from(bytes, (byte) => code[byte]!));
}

/** Converts single-byte text to UTF-8. */
export function singleToUtf8(bytes: Uint8Array, encoding: SingleByte): Uint8Array {
  const code = codes[encoding];
  let more = 0;
  for (const byte of bytes) if (byte >= 0x80) more += code[byte]! < 0x800 ? 1 : 2;
  if (more === 0) return bytes;
  const wide = new Uint8Array(bytes.length + more);
  let at = 0;
  for (const byte of bytes) {
    const point = code[byte]!;
    if (point < 0x80) wide[at++] = point;
    else {
      wide[at++] = point < 0x800 ? 0xc0 | (point >> 6) : 0xe0 | (point >> 12);
      if (point >= 0x800) wide[at++] = 0x80 | ((point >> 6) & 0x3f);
      wide[at++] = 0x80 | (point & 0x3f);
    }
  }
  return wide;
}
