import { isUtf8 } from 'node:buffer';
import { findJsonFault } from '../../data/json-syntax.ts';
import { refuse } from '../../errors.ts';
import { pointerStep } from '../model/instances.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LETTER_U = 0x75;

/**
 * Parses the bytes of a JSON body and refuses what `JSON.parse` lets pass: bytes that are no UTF-8, half a surrogate pair, a
 * repeated key, a number such as 1e999 that is no finite double, nesting deeper than `maxDepth`. Every member of an object has one colon outside strings, so a key was
 * repeated exactly where the parsed value has fewer keys than the text has colons; that is faster than parsing twice.
 */
export function parseBody(bytes: Buffer, maxDepth: number): unknown {
  if (!isUtf8(bytes)) refuse('E_ENCODING', 'the body is not valid UTF-8; send JSON as UTF-8');
  const text = bytes.toString('utf8');
  const outline = outlineOf(bytes, maxDepth);
  const isPlain = outline.depth <= maxDepth && !outline.escapes;
  let value = isPlain ? parseFast(text) : parseSlowly(text, maxDepth);
  let keys = keysOf(value);
  if (isPlain && keys !== outline.colons) {
    value = parseSlowly(text, maxDepth);
    keys = keysOf(value);
  }
  if (keys === Number.POSITIVE_INFINITY) refuseInfinite(value, '');
  return value;
}

/** What `JSON.parse` says; undefined for what is no JSON. */
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
  /** Whether a character is written by its number, which may be half a pair. */
  readonly escapes: boolean;
}

/** One pass over the bytes. What it says is right for all that is JSON; the rest `JSON.parse` refuses. */
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

/** The keys of all objects in a value, infinitely many if it has an infinite number; it is not deep, and so this may call itself. */
function keysOf(value: unknown): number {
  if (value === undefined) return -1; // no JSON
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

/** The same by the checker that says what is wrong, and where. */
function parseSlowly(text: string, maxDepth: number): unknown {
  const fault = findJsonFault(text, { maxDepth, uniqueKeys: true });
  if (!fault) return JSON.parse(text);
  const code = fault.code === 'E_LIMIT' || fault.code === 'E_UNICODE' ? fault.code : 'E_BAD_REQUEST';
  const reason = fault.reason.replace('the line goes on', 'the body goes on');
  return refuse(code, `the body is refused as JSON at character ${fault.at}: ${reason}`, {
    at: fault.at,
    ...(code === 'E_LIMIT' && { limit: maxDepth }),
  });
}
