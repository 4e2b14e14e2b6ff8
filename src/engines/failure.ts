import { PolyaError, refuse, show } from '../errors.ts';

const MOST_CHARACTERS = 160;

/** The first line of what an engine says, without the query that some engines repeat in it. */
function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return show((text.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, MOST_CHARACTERS));
}

/** Refuses because a query failed: with E_CANCELLED when it was aborted, else with E_ENGINE_QUERY; refusals pass as they are. */
export function queryFailed(engine: string, cause: unknown, signal?: AbortSignal): never {
  if (signal?.aborted) refuse('E_CANCELLED', 'the query was cancelled', { engine }, cause);
  if (cause instanceof PolyaError) throw cause;
  return refuse('E_ENGINE_QUERY', `${engine} refused or lost a query: ${firstLine(cause)}`, { engine }, cause);
}

/** Refuses because an engine cannot be reached, or because its package is not installed; `advice` says what to do. */
export function engineUnavailable(engine: string, advice: string, cause?: unknown): never {
  return refuse('E_ENGINE_UNAVAILABLE', `${engine} is not available: ${advice}`, { engine }, cause);
}

/** How long a server may take to answer a new connection, in milliseconds. */
export const CONNECT_DEADLINE = 10_000;

/** Runs a read, and once more if the connection was lost before an answer came. Reading twice changes nothing in the engine. */
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
