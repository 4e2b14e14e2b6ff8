import type { VersionEntry } from '../model-store.ts';

/** A version as it is kept in mind: whether it can be gone back to changes, and time is a number. */
export interface Past extends Omit<VersionEntry, 'kept' | 'at'> {
  /** In milliseconds since 1970. */
  readonly at: number;
}

const MOST = 500;

/**
 * The versions of a model with one more. What is learned between two versions that are kept is told as one: a stream of a million
 * rows has no use for a million lines. So is what is unlearned; the two are never told as one.
 */
export function withVersion(history: readonly Past[], next: Past, isKept: (version: number) => boolean): Past[] {
  const last = history.at(-1);
  const joins = last && (next.origin === 'learned' || next.origin === 'unlearned') && last.origin === next.origin;
  if (joins && !isKept(last.version)) return [...history.slice(0, -1), { ...next, rows: last.rows + next.rows }];
  const all = [...history, next];
  if (all.length <= MOST) return all;
  const dropped = all.findIndex(({ version }) => !isKept(version));
  return all.filter((_, k) => k !== Math.max(0, dropped));
}
