import { engineUnavailable, queryFailed } from '../failure.ts';

export const NAME = 'PostgreSQL';

/** Node's error codes if nothing listens at an address. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOENT',
]);

/** Throws because no session was opened: nothing responds, the user is rejected, or the database does not exist. */
export function connectingFailed(cause: unknown): never {
  const { code: named, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  const code = String(named);
  const stranger = code.startsWith('28') || String(message).includes('password must be a string'); // no password was given
  if (stranger) engineUnavailable(NAME, 'it rejected the user; set PGUSER and PGPASSWORD', cause);
  if (code === '3D000') engineUnavailable(NAME, 'it has no database of that name', cause);
  if (code.startsWith('53')) engineUnavailable(NAME, 'it has too many connections; try again later', cause);
  const reason = unreachable.has(code)
    ? 'nothing responds at its address'
    : 'the server at its address opens no session';
  return engineUnavailable(NAME, `${reason}; check host and port, and that the server is running`, cause);
}

/** Throws because a query failed or was lost. */
export function postgresFailed(cause: unknown, signal?: AbortSignal): never {
  return queryFailed(NAME, cause, signal);
}
