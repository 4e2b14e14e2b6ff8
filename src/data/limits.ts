import { refuse } from '../errors.ts';

/** Throws if the caller has aborted. */
export function requireGoing(signal: AbortSignal | undefined): void {
  if (signal?.aborted) refuse('E_CANCELLED', 'the work was cancelled by its caller', {}, signal.reason);
}

/** Throws if a count is no longer exact. */
export function requireExact(count: number): number {
  if (count <= Number.MAX_SAFE_INTEGER) return count;
  return refuse('E_COUNT_OVERFLOW', `a count would become ${count} and stop being exact`, {
    limit: Number.MAX_SAFE_INTEGER,
    actual: count,
  });
}
