import { findJsonFault } from './json-syntax.ts';

/** A value of parsed JSON. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What is wrong with a JSON text, in words. */
export class JsonFault extends Error {}

/**
 * Parses JSON and refuses what `JSON.parse` lets pass: a repeated key, nesting deeper than `maxDepth`, a lone surrogate.
 * Objects come out as they are written, a key `__proto__` included.
 */
export function parseStrictJson(text: string, maxDepth = 64): JsonValue {
  const fault = findJsonFault(text, { maxDepth, uniqueKeys: true });
  if (fault) throw new JsonFault(`${fault.reason} (at character ${fault.at})`);
  return JSON.parse(text) as JsonValue;
}
