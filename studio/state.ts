import { computed, signal } from '@preact/signals';
import { WorkerRefusal } from './client.ts';
import type { DataSource, Edit, Opened, Phase, Profile, Refusal, Run, Settings } from './protocol.ts';
import { route } from './route.ts';
import type { ModelFacts } from './worker/asking.ts';

/** The data that are open. */
export const opened = signal<Opened | undefined>(undefined);
/** What they look like for the chosen target. */
export const profile = signal<Profile | undefined>(undefined);
/** Every training, the last one last. */
export const runs = signal<readonly Run[]>([]);
/** What is being done, and how far it is. */
export const work = signal<
  | {
      readonly phase: Phase;
      readonly share: number;
      readonly what: string;
      /** Seconds that are left. */
      readonly left?: number;
    }
  | undefined
>(undefined);
/** The last refusal. */
export const refusal = signal<Refusal | undefined>(undefined);
/** The model on the desk: of a run, or of a file. */
export const model = signal<
  | {
      readonly facts: ModelFacts;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly run?: number;
      /** It has not learned all rows yet; the one that has is on its way. */
      readonly early?: boolean;
    }
  | undefined
>(undefined);
/** How many rows the model on the desk has learned since it came there. */
export const learnedHere = signal(0);
/** Where the open data come from. */
export const source = signal<DataSource | undefined>(undefined);
/** All changes of the data, the first one first; taking one back is a change too. */
export const edits = signal<readonly Edit[]>([]);
/** Rows that were skipped on Label. */
export const skipped = signal<readonly number[]>([]);
/** What can be taken back, the last act last. */
export const acts = signal<readonly Act[]>([]);
/** What was tried before, the last first. */
export const tries = signal<readonly Tried[]>([]);
/** The models that were evaluated, by their runs. */
export const evaluatedModels = new Map<number, Uint8Array<ArrayBuffer>>();

/** Something that `undo` takes back: an edit by its inverse, or a skipped row. */
export type Act = { readonly undo: Edit } | { readonly skipped: number };

/** A text or row that was tried. */
export interface Tried {
  readonly text: string;
  readonly label: string;
  readonly p: number;
}

/** The cells of the first row: something that occurs, where nothing was typed yet. */
export function firstRow(names: readonly string[]): Record<string, string> {
  const data = opened.value;
  return Object.fromEntries(names.map((name) => [name, data?.preview[0]?.[data.columns.indexOf(name)] ?? '']));
}

/** The settings before anything is chosen. */
export const usualSettings: Settings = {
  ...{ target: '', model: 'auto', alpha: '', ngrams: '', calibrate: 'auto', classWeight: '' },
  ...{ holdout: 0.2, seed: 1, features: [], kinds: {}, splitColumn: '', without: [] },
};

/** How to learn; what is guessed can be changed. */
export const settings = signal<Settings>(usualSettings);

/** Changes some of the settings. */
export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}

/** The run that is looked at: the one in the address, else the last. */
export const run = computed<Run | undefined>(() => {
  const asked = Number(route.value.view.run ?? Number.NaN);
  return runs.value.find(({ id }) => id === asked) ?? runs.value.at(-1);
});

/** Shows a refusal; stopping is none. */
export function refused(error: unknown): void {
  const { code, message } = error instanceof WorkerRefusal ? error : { code: 'E_INTERNAL', message: String(error) };
  if (code !== 'E_CANCELLED') refusal.value = { code, sentence: message };
}

/** Does some work: the last refusal is taken back, and one of its own is shown. */
export async function working<T>(task: () => Promise<T>): Promise<T | undefined> {
  refusal.value = undefined;
  try {
    return await task();
  } catch (error) {
    refused(error);
    return undefined;
  } finally {
    work.value = undefined;
  }
}

/** A run with something changed; its place and what else is known of it stay. */
export function amend(id: number, part: Partial<Run>): void {
  runs.value = runs.value.map((own) => (own.id === id ? { ...own, ...part } : own));
}

/** Gives a run a name. */
export const rename = (id: number, name: string): void => amend(id, { name });

/** Adds a run, or what has become of one. */
export function keep(found: Run): void {
  const known = runs.value.some(({ id }) => id === found.id);
  if (known) amend(found.id, found);
  else runs.value = [...runs.value, found];
}
