import { plainEnd, standsAt } from './plain-string.ts';

/** One text and its label, and both as the JSON that came. */
export interface SoleLesson {
  readonly example: { readonly instance: string; readonly label: string };
  /** The list of examples as it stands in the body, which is how `JSON.stringify` writes it. */
  readonly json: string;
}

const LIST = '{"examples":'.length;
const START = Buffer.from('{"examples":[{"instance":"');
const MIDDLE = Buffer.from('","label":"');
const END = Buffer.from('"}]}');

/**
 * The lesson of a body that teaches one text and nothing else, `{"examples":[{"instance":"…","label":"…"}]}` with letters of ASCII and
 * no escapes; undefined for every other body. See `soleText`.
 */
export function soleLesson(body: Buffer): SoleLesson | undefined {
  if (!standsAt(body, START, 0)) return undefined;
  const textEnd = plainEnd(body, START.length);
  if (!standsAt(body, MIDDLE, textEnd)) return undefined;
  const from = textEnd + MIDDLE.length;
  const to = plainEnd(body, from);
  if (to + END.length !== body.length || !standsAt(body, END, to)) return undefined;
  const all = body.toString('latin1', LIST, body.length - 1);
  const [text, label] = [START.length - LIST, from - LIST];
  const example = { instance: all.slice(text, textEnd - LIST), label: all.slice(label, to - LIST) };
  return { example, json: all };
}
