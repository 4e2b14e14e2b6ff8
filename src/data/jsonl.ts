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
import { parseJson, parseSoundJson } from './strict-json.ts';

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
    let value = parseSoundJson(bytes, text, rules);
    if (value === undefined) {
      const fault = findJsonFault(text, rules);
      if (fault === undefined) value = parseJson(text);
      if (value === undefined) return inBytes(text, fault ?? noJson);
    }
    const refused = accept?.(value);
    if (refused === undefined) take(value as T);
    return refused;
  };
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
