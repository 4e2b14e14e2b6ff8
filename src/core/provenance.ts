import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { version } from './version.ts';

/** Where a model comes from: whatever is known of it. Files are deterministic, so a time is there only if it was given. */
export interface Provenance {
  /** The version of Pólya that wrote the file; the library puts it there. */
  readonly version?: string;
  /** The SHA-256 of the training data, 64 hexadecimal digits: of the file, or of whatever the caller holds for it. */
  readonly dataHash?: string;
  /** How many rows were learned. */
  readonly rows?: number;
  /** What was chosen, and from what. */
  readonly choice?: JsonValue;
  /** A time, as the caller writes it. */
  readonly created?: string;
  readonly notes?: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  version: isText,
  dataHash: (value) => /^[\da-f]{64}$/.test(String(value)),
  rows: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  choice: () => true,
  created: isText,
  notes: isText,
};

/** The first entry that a provenance cannot have; undefined where all is well. */
export function faultOf(given: object): string | undefined {
  return Object.entries(given).find(([name, value]) => {
    return !Object.hasOwn(checks, name) || !(value === undefined || checks[name](value));
  })?.[0];
}

/** A provenance as it is written, its entries in one order whatever the order in which they came. */
export function writeProvenance(given: Provenance): string {
  const name = faultOf(given);
  if (name !== undefined)
    refuse('E_PARAM', `the provenance has no such entry, or another kind of it: ${name}`, { name });
  const all = { ...given, version };
  return JSON.stringify(Object.fromEntries(Object.keys(checks).map((key) => [key, all[key as keyof Provenance]])));
}
