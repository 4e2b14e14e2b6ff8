import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { version } from './version.ts';

/**
 * Where a model comes from. Every entry is optional. Files are deterministic, so a time is included only if you pass
 * one.
 */
export interface Provenance {
  /** The version of Pólya that wrote the file; set by the library. */
  readonly version?: string;
  /**
   * A hash of the training data: its SHA-256 as 64 hexadecimal digits, or its CRC-32 and length as
   * `crc32:1a2b3c4d:4096`, which is what the command writes.
   */
  readonly dataHash?: string;
  /** The number of rows learned. */
  readonly rows?: number;
  /** Which settings were chosen, and from which alternatives. */
  readonly choice?: JsonValue;
  /** A time, in the caller's format. */
  readonly created?: string;
  readonly notes?: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  version: isText,
  dataHash: (value) => /^([\da-f]{64}|crc32:[\da-f]{8}:\d+)$/.test(String(value)),
  rows: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  choice: () => true,
  created: isText,
  notes: isText,
};

/** The first invalid entry; undefined if all are valid. */
export function faultOf(given: object): string | undefined {
  return Object.entries(given).find(([name, value]) => {
    return !Object.hasOwn(checks, name) || !(value === undefined || checks[name](value));
  })?.[0];
}

/** A provenance with its entries in canonical order. */
export function writeProvenance(given: Provenance): string {
  const name = faultOf(given);
  if (name !== undefined) refuse('E_PARAM', `unknown or invalid provenance entry: ${name}`, { name });
  const all = { ...given, version };
  return JSON.stringify(Object.fromEntries(Object.keys(checks).map((key) => [key, all[key as keyof Provenance]])));
}
