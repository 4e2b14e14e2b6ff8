import { findJsonFault } from './json-syntax.ts';

/** A value of parsed JSON. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What is wrong with a JSON text, in words, and whether it is only too large. */
export class JsonFault extends Error {
  readonly limit: boolean;

  constructor(message: string, limit = false) {
    super(message);
    this.limit = limit;
  }
}

/**
 * Parses JSON and refuses what `JSON.parse` lets pass: a repeated key, nesting deeper than `maxDepth`, an object with more
 * than `maxKeys` keys, a lone surrogate. Objects come out as they are written, a key `__proto__` included.
 */
export function parseStrictJson(text: string, maxDepth = 64, maxKeys = Infinity): JsonValue {
  const fault = findJsonFault(text, { maxDepth, maxKeys, uniqueKeys: true });
  if (fault) throw new JsonFault(`${fault.reason} (at character ${fault.at})`, fault.code === 'E_LIMIT');
  return JSON.parse(text) as JsonValue;
}
