import { randomBytes } from 'node:crypto';

const start = randomBytes(6).toString('base64url');
let count = 0;

/** A name for a request that no other has. */
export const nextId = (): string => `${start}-${(++count).toString(36)}`;

/** The name that a client gave its request, where it is harmless; otherwise a new one. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : nextId();
}
