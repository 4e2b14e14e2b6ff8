import { engineUnavailable, queryFailed } from '../failure.ts';

export const NAME = 'Spark';

// gRPC statuses
const PERMISSION_DENIED = 7;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** Whether a call failed because its connection ended, so that it can be repeated. */
export const isConnectionLost = (cause: unknown): boolean => statusOf(cause) === UNAVAILABLE;

/** Throws because no session was opened. */
export function connectingFailed(cause: unknown): never {
  const code = statusOf(cause);
  if (code === UNAUTHENTICATED || code === PERMISSION_DENIED) {
    engineUnavailable(NAME, 'it rejected the user; set SPARK_CONNECT_TOKEN', cause);
  }
  const advice = 'no Spark Connect server answers at its address; check host and port, and that the server is running';
  return engineUnavailable(NAME, advice, cause);
}

/**
 * Throws because a query failed or was lost. The server's message is in `details`; `message` has the status before it.
 */
export function sparkFailed(cause: unknown, signal?: AbortSignal): never {
  const { details } = cause as { readonly details?: unknown };
  if (statusOf(cause) === UNAUTHENTICATED && !signal?.aborted) connectingFailed(cause);
  return queryFailed(NAME, typeof details === 'string' ? new Error(details, { cause }) : cause, signal);
}

/** The gRPC status of an error, or of its cause. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'number' ? code : statusOf(error.cause);
}
