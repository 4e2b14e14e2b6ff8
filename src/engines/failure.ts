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
