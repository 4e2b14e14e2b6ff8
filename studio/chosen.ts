import { remember, remembered } from './memory.ts';
import type { Settings } from './protocol.ts';

/** The settings that the user chose for a set of columns: names only, no data. */
export type Chosen = Pick<Settings, 'target' | 'features' | 'kinds'>;

interface Entry extends Chosen {
  readonly columns: readonly string[];
}

/** At most this many sets of columns are remembered; wide tables are not remembered. */
const [MOST_ENTRIES, MOST_COLUMNS] = [20, 200];

const entries = (): readonly Entry[] => remembered<readonly Entry[]>('columns', []);

const alike = (own: readonly string[], other: readonly string[]): boolean =>
  own.length === other.length && own.every((name, k) => name === other[k]);

/** Returns the settings chosen earlier for columns of the same names. */
export function chosenBefore(columns: readonly string[]): Chosen | undefined {
  const found = entries().find((entry) => alike(entry.columns, columns));
  if (!found || !columns.includes(found.target)) return undefined;
  const { target, features, kinds } = found;
  return { target, features, kinds };
}

/** Remembers a choice. */
export function keepChoice(columns: readonly string[], chosen: Chosen): void {
  if (columns.length > MOST_COLUMNS) return;
  const others = entries().filter((entry) => !alike(entry.columns, columns));
  remember('columns', [{ ...chosen, columns }, ...others].slice(0, MOST_ENTRIES));
}

/** Forgets it. */
export function forget(columns: readonly string[]): void {
  remember(
    'columns',
    entries().filter((entry) => !alike(entry.columns, columns)),
  );
}
