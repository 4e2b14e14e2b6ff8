import { refuse } from '../errors.ts';

/** Refuses to go on when the caller has aborted. */
export function requireGoing(signal: AbortSignal | undefined): void {
  if (signal?.aborted) refuse('E_CANCELLED', 'the work was cancelled by its caller', {}, signal.reason);
}

/** Refuses a count that has stopped being exact. */
export function requireExact(count: number): number {
  if (count <= Number.MAX_SAFE_INTEGER) return count;
  return refuse('E_COUNT_OVERFLOW', `a count would become ${count} and stop being exact`, {
    limit: Number.MAX_SAFE_INTEGER,
    actual: count,
  });
}
