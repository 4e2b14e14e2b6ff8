const START = Buffer.from('{"instances":["');
const END = Buffer.from('"]}');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The text of a body that asks about one text and nothing else, `{"instances":["…"]}` with letters of ASCII and no escapes;
 * undefined for every other body. What passes is JSON that a parser takes for exactly this: there is nothing to repeat, to nest or to decode.
 */
export function soleText(body: Buffer): string | undefined {
  const end = body.length - END.length;
  if (end < START.length) return undefined;
  for (let at = 0; at < START.length; at++) if (body[at] !== START[at]) return undefined;
  for (let at = 0; at < END.length; at++) if (body[end + at] !== END[at]) return undefined;
  for (let at = START.length; at < end; at++) {
    const byte = body[at];
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return undefined;
  }
  return body.toString('latin1', START.length, end);
}
