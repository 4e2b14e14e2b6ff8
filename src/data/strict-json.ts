import { findJsonFault } from './json-syntax.ts';

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
