const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Where the letters end that begin at a place and that JSON writes as they are: ASCII without quotes, escapes and controls. What lies
 * between two quotes and ends there is a string that every parser reads alike, and that `JSON.stringify` writes again as it was.
 */
export function plainEnd(body: Buffer, from: number): number {
  let at = from;
  for (; at < body.length; at++) {
    const byte = body[at];
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) break;
  }
  return at;
}

/** Whether some bytes stand at a place. */
export function standsAt(body: Buffer, bytes: Buffer, at: number): boolean {
  if (at + bytes.length > body.length) return false;
  for (let k = 0; k < bytes.length; k++) if (body[at + k] !== bytes[k]) return false;
  return true;
}
