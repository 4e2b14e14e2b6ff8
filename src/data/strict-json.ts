/** A value of parsed JSON. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What is wrong with a JSON text, in words. */
export class JsonFault extends Error {}

/**
 * Parses JSON and refuses what `JSON.parse` lets pass: a repeated key, nesting deeper than `maxDepth`, a lone surrogate.
 * Objects come out as they are written, a key `__proto__` included.
 */
export function parseStrictJson(text: string, maxDepth = 64): JsonValue {
  checkNesting(text, maxDepth);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new JsonFault('it is not valid JSON', { cause });
  }
  return value;
}

/** One walk over the characters, without recursion: keys of open objects on a stack. */
function checkNesting(text: string, maxDepth: number): void {
  const open: (Set<string> | undefined)[] = [];
  let expectKey = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at);
      const keys = open.at(-1);
      const string = unescaped(text.slice(at, end + 1));
      if (expectKey && keys) {
        if (keys.has(string)) throw new JsonFault(`the key ${JSON.stringify(string.slice(0, 100))} is repeated`);
        keys.add(string);
        expectKey = false;
      }
      at = end;
    } else if (char === '{' || char === '[') {
      if (open.length === maxDepth) throw new JsonFault(`it is nested deeper than ${maxDepth}`);
      open.push(char === '{' ? new Set() : undefined);
      expectKey = char === '{';
    } else if (char === '}' || char === ']') {
      open.pop();
      expectKey = false;
    } else if (char === ',') expectKey = open.at(-1) !== undefined;
  }
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  throw new JsonFault('a string does not end');
}

function unescaped(literal: string): string {
  let value: unknown;
  try {
    value = JSON.parse(literal);
  } catch (cause) {
    throw new JsonFault('it holds an invalid string', { cause });
  }
  if (typeof value !== 'string' || !value.isWellFormed()) throw new JsonFault('a string holds a lone surrogate');
  return value;
}
