import { findJsonFault, type JsonRules } from './json-syntax.ts';

/** A value of parsed JSON. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON error, and whether the text is only too large. */
export class JsonFault extends Error {
  readonly limit: boolean;

  constructor(message: string, limit = false) {
    super(message);
    this.limit = limit;
  }
}

/**
 * Parses JSON and throws for what `JSON.parse` accepts: a duplicate key, nesting deeper than `maxDepth`, an object with
 * more than `maxKeys` keys, a lone surrogate. Objects keep all keys as written, including `__proto__`.
 */
export function parseStrictJson(text: string, maxDepth = 64, maxKeys = Infinity): JsonValue {
  const fault = findJsonFault(text, { maxDepth, maxKeys, uniqueKeys: true });
  if (fault) throw new JsonFault(`${fault.reason} (at character ${fault.at})`, fault.code === 'E_LIMIT');
  return JSON.parse(text) as JsonValue;
}

/** The value of a text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a text, given also as UTF-8, if a quick look shows that it follows all rules; undefined means that `findJsonFault` must check it.
 * Every member of an object has one colon outside strings, so a key was repeated exactly if the value has fewer keys than the text has
 * colons; that is faster than a second parser.
 */
export function parseSoundJson(bytes: Uint8Array, text: string, { maxDepth, uniqueKeys, finite }: JsonRules): unknown {
  const { colons, depth, escapes } = outlineOf(bytes, maxDepth);
  if (depth > maxDepth || escapes) return undefined;
  const value = parseJson(text);
  return (uniqueKeys || finite) && keysOf(value) !== colons ? undefined : value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LETTER_U = 0x75;

interface Outline {
  /** Colons outside strings. */
  readonly colons: number;
  readonly depth: number;
  /** Whether a character is written as \\u, which may be a lone surrogate. */
  readonly escapes: boolean;
}

/** One pass over the bytes. It is right for everything that is JSON; the rest is rejected by `JSON.parse`. */
function outlineOf(bytes: Uint8Array, maxDepth: number): Outline {
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
  if (typeof value !== 'object' || value === null) {
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : 0;
  }
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) count += keysOf(value[i]);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + keysOf((value as Record<string, unknown>)[key]);
  return count;
}
