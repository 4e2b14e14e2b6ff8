import { requireOptions } from './arguments.ts';
import { wholeOption } from './faults.ts';
import { findJsonFault, type JsonFault, type JsonRules } from './json-syntax.ts';
import {
  type LineFault,
  type LineOptions,
  type LineParser,
  lineOptions,
  parseLineRows,
  readLineRows,
  textOfLine,
} from './line-rows.ts';
import type { MemorySource, Source } from './source.ts';

/** How to read JSON Lines. */
export interface JsonLinesOptions extends LineOptions {
  /** What to do with a duplicate key: keep the last value like `JSON.parse`, or throw. Default: `'last'`. */
  readonly duplicates?: 'last' | 'refuse';
  /** The maximum nesting of arrays and objects. Default: 64. */
  readonly maxDepth?: number;
}

const jsonLinesOptions = [...lineOptions, 'duplicates', 'maxDepth'];

/** Some values of a file of JSON Lines. */
export interface JsonLines {
  /** The values as returned by `JSON.parse`: `__proto__` is an ordinary key. */
  readonly values: readonly unknown[];
  /** For each value, its line, counted from 1. */
  readonly lines: Float64Array;
}

/**
 * Reads one JSON value per line, in chunks and in memory that depends only on the longest line. LF, CR and CR LF end a
 * line, blank lines are skipped, a UTF-8 byte order mark is dropped. Invalid JSON is `E_FORMAT`, invalid UTF-8
 * `E_ENCODING`, a lone surrogate `E_UNICODE`, a line that is too deep or too long `E_LIMIT`, each with line and column;
 * with `maxBadRows` such lines are skipped.
 */
export async function* readJsonLines(
  source: Source,
  options: JsonLinesOptions = {},
): AsyncGenerator<JsonLines, void, undefined> {
  requireOptions('readJsonLines', jsonLinesOptions, options);
  for await (const { rows, lines } of readLineRows(source, options, parserOf(options))) yield { values: rows, lines };
}

/** Reads JSON Lines from memory, at once; see `readJsonLines`. */
export function parseJsonLines(source: MemorySource, options: JsonLinesOptions = {}): JsonLines {
  requireOptions('parseJsonLines', jsonLinesOptions, options);
  const { rows, lines } = parseLineRows(source, options, parserOf(options));
  return { values: rows, lines };
}

/** The parser of one line under the rules of the options. */
function parserOf(options: JsonLinesOptions): LineParser<unknown> {
  const maxDepth = wholeOption('maxDepth', options.maxDepth, 64, 0);
  return jsonParser({ maxDepth, uniqueKeys: options.duplicates === 'refuse' });
}

/** The parser of one table row: a duplicate key or an infinite number would silently change the data. */
export const parserOfRows = <T>(accept: (value: unknown) => LineFault | undefined): LineParser<T> =>
  jsonParser<T>({ maxDepth: 64, uniqueKeys: true, finite: true }, accept);

/** The parser of one line; `accept` may reject a valid value. */
function jsonParser<T>(rules: JsonRules, accept?: (value: unknown) => LineFault | undefined): LineParser<T> {
  return (bytes, take) => {
    if (isBlank(bytes)) return undefined;
    const text = textOfLine(bytes);
    if (typeof text !== 'string') return text;
    const fault = isSuspect(bytes, rules) ? findJsonFault(text, rules) : undefined;
    if (fault !== undefined) return inBytes(text, fault);
    const value = parse(text);
    if (value === undefined) return inBytes(text, findJsonFault(text, rules) ?? noJson);
    const refused = accept?.(value);
    if (refused === undefined) take(value as T);
    return refused;
  };
}

/** The value of a text; undefined if it is not valid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether `JSON.parse` may accept what the rules reject: only text with deep nesting, `\u` or duplicates is checked.
 */
function isSuspect(bytes: Uint8Array, rules: JsonRules): boolean {
  if (rules.uniqueKeys) return true;
  let opens = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte < 0x5b) continue;
    if (byte === 0x5b || byte === 0x7b) opens++;
    else if (byte === 0x5c && bytes[i + 1] === 0x75) return true;
  }
  return opens > rules.maxDepth;
}

const noJson: JsonFault = { at: 0, code: 'E_FORMAT', reason: 'the line is not JSON' };

const inBytes = (text: string, fault: JsonFault): JsonFault => ({
  ...fault,
  at: new TextEncoder().encode(text.slice(0, fault.at)).length,
});

function isBlank(bytes: Uint8Array): boolean {
  let i = 0;
  while (bytes[i] === 0x20 || bytes[i] === 0x09) i++;
  return i === bytes.length;
}
