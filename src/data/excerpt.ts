import { CR, LF } from './line-ends.ts';
import { isContinuation, showUtf8 } from './utf8.ts';

/** The line of an error, with the position of the error in it, and the line before. */
export type Excerpt = {
  readonly line: number;
  /** At most 200 characters of the line, control characters escaped, `…` where it was cut. */
  readonly text: string;
  /** The position of the error in `text`, in characters counted from 1. */
  readonly caret: number;
  readonly before?: { readonly line: number; readonly text: string };
};

const MOST_CHARACTERS = 200;
const MOST_LEFT = 120; // of them before the error
const LEFT_BYTES = 4 * MOST_LEFT;
const RIGHT_BYTES = 4 * MOST_CHARACTERS;

/** How many bytes before a line are kept to show the previous line; one of them shows whether there were more. */
export const HISTORY_BYTES = 1024;

/** How many bytes after an error are awaited, so that an excerpt does not depend on how the source was split. */
export const LOOKAHEAD_BYTES: number = RIGHT_BYTES + 1;

/** Shows the line that contains byte `at` and has the number `line`; nothing before byte `from` is read. */
export function excerptOf(bytes: Uint8Array, from: number, at: number, line: number): Excerpt {
  const start = lineStart(bytes, from, at);
  const [left, right] = [Math.max(start, at - LEFT_BYTES), lineEnd(bytes, at)];
  const before = spelled(bytes, left, at);
  const near = before.length > MOST_LEFT || left > start ? ['…', ...before.slice(1 - MOST_LEFT)] : before;
  const text = clipped([...near, ...spelled(bytes, at, right)]);
  const shown = { line, text, caret: near.length + 1 };
  return start > from ? { ...shown, before: { line: line - 1, text: lineBefore(bytes, from, start) } } : shown;
}

/** The text of the line that ends before `start`. */
function lineBefore(bytes: Uint8Array, from: number, start: number): string {
  const end = bytes[start - 1] === LF && start - 1 > from && bytes[start - 2] === CR ? start - 2 : start - 1;
  const first = lineStart(bytes, from, end);
  const text = spelled(bytes, first, end);
  return clipped(first > from || from === 0 ? text : ['…', ...text]);
}

function lineStart(bytes: Uint8Array, from: number, at: number): number {
  let i = at;
  while (i > from && bytes[i - 1] !== LF && bytes[i - 1] !== CR) i--;
  return i;
}

function lineEnd(bytes: Uint8Array, at: number): number {
  const most = Math.min(bytes.length, at + RIGHT_BYTES);
  let i = at;
  while (i < most && bytes[i] !== LF && bytes[i] !== CR) i++;
  return i;
}

/**
 * Bytes as characters on one line of a terminal: characters that move the cursor or change the direction are escaped.
 */
function spelled(bytes: Uint8Array, start: number, end: number): string[] {
  let first = start;
  while (first < end && first < start + 3 && isContinuation(bytes[first]!)) first++; // the rest of a split character
  const text = showUtf8(bytes.subarray(first, end)).replaceAll('\t', ' ');
  return [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`)];
}

function clipped(characters: readonly string[]): string {
  if (characters.length <= MOST_CHARACTERS) return characters.join('');
  return `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
}
