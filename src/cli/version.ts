import { readFileSync } from 'node:fs';

/** The version of the package; its description lies two folders above, in the source and in the bundle. */
export function version(): string {
  const { version: own } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(own);
}
