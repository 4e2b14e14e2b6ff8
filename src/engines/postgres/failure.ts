import { engineUnavailable, isUnreachable, NO_ANSWER } from '../failure.ts';

export const NAME = 'PostgreSQL';

/** Throws because no session was opened: nothing responds, the user is rejected, or the database does not exist. */
export function connectingFailed(cause: unknown): never {
  const { code: named, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  const code = String(named);
  const stranger = code.startsWith('28') || String(message).includes('password must be a string'); // no password was given
  if (stranger) engineUnavailable(NAME, 'it rejected the user; set PGUSER and PGPASSWORD', cause);
  if (code === '3D000') engineUnavailable(NAME, 'it has no database of that name', cause);
  if (code.startsWith('53')) engineUnavailable(NAME, 'it has too many connections; try again later', cause);
  if (isUnreachable(cause)) engineUnavailable(NAME, NO_ANSWER, cause);
  const advice = 'the server at its address opens no session; check host and port, and that the server is running';
  return engineUnavailable(NAME, advice, cause);
}
