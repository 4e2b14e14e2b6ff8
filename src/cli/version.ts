import { readFileSync } from 'node:fs';

/** The version of the package; package.json is two folders up, in the sources and in the bundle. */
export function version(): string {
  const { version: own } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(own);
}
