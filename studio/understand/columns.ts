import type { Run } from '../protocol.ts';
import { profile } from '../state.ts';

/** Whether a run classifies by a column. */
export const isUsed = ({ features }: Run, name: string): boolean => features.length === 0 || features.includes(name);

/** The feature columns of one kind. */
export function columnsOf(run: Run, ...kinds: readonly string[]): string[] {
  const { target, kinds: given } = run.settings;
  return (profile.value?.columns ?? [])
    .filter(({ name, kind, role }) => name !== target && role !== 'target' && kinds.includes(given[name] ?? kind))
    .map(({ name }) => name);
}
