import { plainEnd, standsAt } from './plain-string.ts';

const START = Buffer.from('{"instances":["');
const END = Buffer.from('"]}');

/**
 * The text of a body that asks about one text and nothing else, `{"instances":["…"]}` with letters of ASCII and no escapes;
 * undefined for every other body. What passes is JSON that a parser takes for exactly this: there is nothing to repeat, to nest or to decode.
 */
export function soleText(body: Buffer): string | undefined {
  if (!standsAt(body, START, 0)) return undefined;
  const end = plainEnd(body, START.length);
  if (end + END.length !== body.length || !standsAt(body, END, end)) return undefined;
  return body.toString('latin1', START.length, end);
}
