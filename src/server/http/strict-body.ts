import { isUtf8 } from 'node:buffer';
import { findJsonFault } from '../../data/json-syntax.ts';
import { refuse } from '../../errors.ts';
import { pointerStep } from '../model/instances.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LETTER_U = 0x75;

/**
 * Parses the bytes of a JSON body and refuses what `JSON.parse` accepts: bytes that are not UTF-8, lone surrogates, repeated keys, numbers
 * such as 1e999 that are no finite double, nesting deeper than `maxDepth`. Every member of an object has one colon outside strings, so a
 * key was repeated exactly if the parsed value has fewer keys than the text has colons; that is faster than a second parser.
 */
export function parseBody(bytes: Buffer, maxDepth: number): unknown {
  if (!isUtf8(bytes)) refuse('E_ENCODING', 'the body is not valid UTF-8; send JSON as UTF-8');
  const text = bytes.toString('utf8');
  const { colons, depth, escapes } = outlineOf(bytes, maxDepth);
  if (depth <= maxDepth && !escapes) {
    const value = parseFast(text);
    if (keysOf(value) === colons) return value;
  }
  requireStrict(text, maxDepth);
  const value: unknown = JSON.parse(text);
  refuseInfinite(value, '');
  return value;
}

/** The value of a text; undefined if it is not JSON. */
function parseFast(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Outline {
  /** Colons outside strings. */
  readonly colons: number;
  readonly depth: number;
  /** Whether a character is written as \\u, which may be a lone surrogate. */
  readonly escapes: boolean;
}

/** One pass over the bytes. It is right for everything that is JSON; the rest is refused by `JSON.parse`. */
function outlineOf(bytes: Buffer, maxDepth: number): Outline {
  let colons = 0;
  let open = 0;
  let depth = 0;
  let escapes = false;
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at++; at < length && bytes[at] !== QUOTE; at++) {
        if (bytes[at] === BACKSLASH && bytes[++at] === LETTER_U) escapes = true;
      }
    } else if (byte === COLON) colons++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++open > depth) depth = open;
      if (open > maxDepth) return { colons, depth, escapes };
    } else if (byte === 0x7d || byte === 0x5d) open--;
  }
  return { colons, depth, escapes };
}

/** The keys of all objects in a value; infinitely many if it has an infinite number. The depth is limited before. */
function keysOf(value: unknown): number {
  if (value === undefined) return -1; // not JSON
  if (typeof value !== 'object' || value === null) return isInfinite(value) ? Number.POSITIVE_INFINITY : 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) count += keysOf(value[i]);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + keysOf((value as Record<string, unknown>)[key]);
  return count;
}

const isInfinite = (value: unknown): boolean =>
  value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

/** Refuses the first infinite number of a value, with its place. */
function refuseInfinite(value: unknown, pointer: string): void {
  if (isInfinite(value)) {
    refuse('E_NOT_FINITE', 'the body has a number that is too large for a double', { pointer });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, own] of Object.entries(value)) refuseInfinite(own, `${pointer}/${pointerStep(key)}`);
}

/** Refuses what is wrong with a text as JSON, and says where. */
function requireStrict(text: string, maxDepth: number): void {
  const fault = findJsonFault(text, { maxDepth, uniqueKeys: true });
  if (!fault) return;
  const code = fault.code === 'E_LIMIT' || fault.code === 'E_UNICODE' ? fault.code : 'E_BAD_REQUEST';
  const reason = fault.reason.replace('the line goes on', 'the body goes on');
  refuse(code, `the body is refused as JSON at character ${fault.at}: ${reason}`, {
    at: fault.at,
    ...(code === 'E_LIMIT' && { limit: maxDepth }),
  });
}
