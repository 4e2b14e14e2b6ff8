import { remember, remembered } from './memory.ts';
import type { Settings } from './protocol.ts';

/** What a reader chose for columns: names only, no data. */
export type Chosen = Pick<Settings, 'target' | 'features' | 'kinds'>;

interface Entry extends Chosen {
  readonly columns: readonly string[];
}

/** Choices for so many sets of columns are remembered; of wide tables none. */
const [MOST_ENTRIES, MOST_COLUMNS] = [20, 200];

const entries = (): readonly Entry[] => remembered<readonly Entry[]>('columns', []);

const alike = (own: readonly string[], other: readonly string[]): boolean =>
  own.length === other.length && own.every((name, k) => name === other[k]);

/** What was chosen when columns of the same names were open. */
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
