import { isUtf8 } from 'node:buffer';
import { findJsonFault } from '../../data/json-syntax.ts';
import { parseSoundJson } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import { pointerStep } from '../model/instances.ts';

/**
 * Parses the bytes of a JSON body and refuses what `JSON.parse` accepts: bytes that are not UTF-8, lone surrogates, repeated keys, numbers
 * such as 1e999 that are no finite double, nesting deeper than `maxDepth`.
 */
export function parseBody(bytes: Buffer, maxDepth: number): unknown {
  if (!isUtf8(bytes)) refuse('E_ENCODING', 'the body is not valid UTF-8; send JSON as UTF-8');
  const text = bytes.toString('utf8');
  const sound = parseSoundJson(bytes, text, { maxDepth, uniqueKeys: true, finite: true });
  if (sound !== undefined) return sound;
  requireStrict(text, maxDepth);
  const value: unknown = JSON.parse(text);
  refuseInfinite(value, '');
  return value;
}

/** Refuses the first infinite number of a value, with its place. */
function refuseInfinite(value: unknown, pointer: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
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
  const reason = fault.reason.replace('the line continues', 'the body continues');
  refuse(code, `the body is refused as JSON at character ${fault.at}: ${reason}`, {
    at: fault.at,
    ...(code === 'E_LIMIT' && { limit: maxDepth }),
  });
}
