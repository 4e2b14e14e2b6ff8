import { computed, signal } from '@preact/signals';
import { refusalIn } from './client.ts';
import type { DataSource, Edit, Opened, Phase, Profile, Racer, Refusal, Run, Settings } from './protocol.ts';
import { route } from './route.ts';
import type { ModelFacts } from './worker/asking.ts';

/** The data that are open. */
export const opened = signal<Opened | undefined>(undefined);
/** The profile of the open data for the chosen target. */
export const profile = signal<Profile | undefined>(undefined);
/** All runs, the latest last. */
export const runs = signal<readonly Run[]>([]);
/** The current task and its progress. */
export const work = signal<
  | {
      readonly phase: Phase;
      readonly share: number;
      readonly what: string;
      /** Estimated seconds left. */
      readonly left?: number;
    }
  | undefined
>(undefined);
/** After a stop: the search is finishing with the best models so far, or there was nothing to keep. */
export const stopped = signal<'finishing' | 'nothing' | undefined>(undefined);
/** The models that are being compared by the current training. */
export const race = signal<readonly Racer[]>([]);
/** The last error. */
export const refusal = signal<Refusal | undefined>(undefined);
/** The model in use on Try and Export: of a run, or from a file. */
export const model = signal<
  | {
      readonly facts: ModelFacts;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly run?: number;
      /** Whether it is the evaluated model, shown until the model of all rows is trained. */
      readonly early?: boolean;
    }
  | undefined
>(undefined);
/** The number of rows that the model in use has learned since it was loaded. */
export const learnedHere = signal(0);
/** The source of the open data. */
export const source = signal<DataSource | undefined>(undefined);
/** All edits of the data in order; undoing one adds another. */
export const edits = signal<readonly Edit[]>([]);
/** Rows that were skipped on Label. */
export const skipped = signal<readonly number[]>([]);
/** The actions that can be undone, the latest last. */
export const acts = signal<readonly Act[]>([]);
/** The rows tried on Try, the latest first. */
export const tries = signal<readonly Tried[]>([]);
/** The models that were evaluated, by their runs. */
export const evaluatedModels = new Map<number, Uint8Array<ArrayBuffer>>();

/** An action that `undo` reverts: an edit, by its inverse, or a skipped row. */
export type Act = { readonly undo: Edit } | { readonly skipped: number };

/** A text or row that was tried. */
export interface Tried {
  readonly text: string;
  readonly label: string;
  readonly p: number;
}

/** The cells of the first row, as an example before anything is typed. */
export function firstRow(names: readonly string[]): Record<string, string> {
  const data = opened.value;
  return Object.fromEntries(names.map((name) => [name, data?.preview[0]?.[data.columns.indexOf(name)] ?? '']));
}

/** The settings before anything is chosen. */
export const usualSettings: Settings = {
  ...{ target: '', model: 'auto', alpha: '', ngrams: '', calibrate: 'auto', classWeight: '' },
  ...{ holdout: 0.2, seed: 1, features: [], kinds: {}, splitColumn: '', without: [], budget: 0 },
};

/** The current settings. */
export const settings = signal<Settings>(usualSettings);

/** Changes some of the settings. */
export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}

/** The selected run: the one in the address, else the latest. */
export const run = computed<Run | undefined>(() => {
  const asked = Number(route.value.view.run ?? Number.NaN);
  return runs.value.find(({ id }) => id === asked) ?? runs.value.at(-1);
});

/** Shows an error, unless it is a cancellation. */
export function refused(error: unknown): void {
  const found = refusalIn(error);
  if (found.code !== 'E_CANCELLED') refusal.value = found;
}

/** Runs a task: clears the last error, and shows the error of this task. */
export async function working<T>(task: () => Promise<T>): Promise<T | undefined> {
  refusal.value = undefined;
  stopped.value = undefined;
  try {
    return await task();
  } catch (error) {
    refused(error);
    return undefined;
  } finally {
    work.value = undefined;
    if (stopped.value === 'finishing') stopped.value = undefined;
  }
}

/** Updates fields of a run. */
export function amend(id: number, part: Partial<Run>): void {
  runs.value = runs.value.map((own) => (own.id === id ? { ...own, ...part } : own));
}

/** Gives a run a name. */
export const rename = (id: number, name: string): void => amend(id, { name });

/** Adds or replaces a run. */
export function keep(found: Run): void {
  const known = runs.value.some(({ id }) => id === found.id);
  if (known) amend(found.id, found);
  else runs.value = [...runs.value, found];
}
