import { engineUnavailable, queryFailed } from '../failure.ts';

export const NAME = 'Spark';

/** The gRPC statuses that are told apart. */
const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;

/** Refuses because no session came about. */
export function connectingFailed(cause: unknown): never {
  const code = statusOf(cause);
  if (code === UNAUTHENTICATED || code === PERMISSION_DENIED) {
    engineUnavailable(NAME, 'it refused the user; set SPARK_CONNECT_TOKEN', cause);
  }
  const advice = 'no Spark Connect server answers at its address; check host and port, and that the server runs';
  return engineUnavailable(NAME, advice, cause);
}

/** Refuses because a query failed or was lost. What the server says is in `details`; `message` puts the status before it. */
export function sparkFailed(cause: unknown, signal?: AbortSignal): never {
  const { details } = cause as { readonly details?: unknown };
  if (statusOf(cause) === UNAUTHENTICATED && !signal?.aborted) connectingFailed(cause);
  return queryFailed(NAME, typeof details === 'string' ? new Error(details, { cause }) : cause, signal);
}

/** The gRPC status of an error, or of what it was made from. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'number' ? code : statusOf(error.cause);
}
