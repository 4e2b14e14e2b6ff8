import { PolyaError, refuse, show } from '../errors.ts';

const MOST_CHARACTERS = 160;

/** The first line of an engine's message, without the query that some engines repeat. */
function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return show((text.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, MOST_CHARACTERS));
}

/** Throws for a failed query: E_CANCELLED if it was aborted, otherwise E_ENGINE_QUERY; a PolyaError is rethrown. */
export function queryFailed(engine: string, cause: unknown, signal?: AbortSignal): never {
  if (signal?.aborted) refuse('E_CANCELLED', 'the query was cancelled', { engine }, cause);
  if (cause instanceof PolyaError) throw cause;
  return refuse('E_ENGINE_QUERY', `${engine} refused or lost a query: ${firstLine(cause)}`, { engine }, cause);
}

/** Throws because an engine cannot be reached, or its package is not installed; `advice` describes the remedy. */
export function engineUnavailable(engine: string, advice: string, cause?: unknown): never {
  return refuse('E_ENGINE_UNAVAILABLE', `${engine} is not available: ${advice}`, { engine }, cause);
}

/** Node's error codes if nothing listens at an address. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOENT'];

/** Whether a connection failed because nothing listens at its address. */
export const isUnreachable = (cause: unknown): boolean =>
  UNREACHABLE.includes(String((cause as { readonly code?: unknown }).code));

/** The advice for an address without a server. */
export const NO_ANSWER = 'nothing responds at its address; check host and port, and that the server is running';

/** The timeout of a new connection, in milliseconds. */
export const CONNECT_DEADLINE = 10_000;

/** Runs a read, and again if the connection was lost before a response. Reading twice changes nothing in the engine. */
export async function withRetry<T>(
  read: () => Promise<T>,
  isLost: (cause: unknown) => boolean,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (signal?.aborted || !isLost(cause)) throw cause;
    return read().catch(() => {
      throw cause;
    });
  }
}
