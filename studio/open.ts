import { effect, signal } from '@preact/signals';
import { chosenBefore, forget, keepChoice } from './chosen.ts';
import { desk, lab } from './client.ts';
import { remember } from './memory.ts';
import type { DataSource, Opened } from './protocol.ts';
import { go } from './route.ts';
import { learnedHere, model, opened, profile, recent, settings, work, working } from './state.ts';
import { beginWith, hear } from './train.ts';
import { typed } from './typed.ts';

/** Opens data and shows what they look like. */
export async function openData(from: DataSource): Promise<void> {
  lab.stop();
  await working(async () => {
    work.value = { phase: 'reading', share: 0, what: '' };
    const found = await lab.ask('open', [from], hear);
    beginWith(from);
    opened.value = found;
    typed.value = {};
    await choose(found);
    recent.value = [found.name, ...recent.value.filter((name) => name !== found.name)].slice(0, 6);
    remember('recent', recent.value);
    go('data');
  });
}

const none = { features: [], kinds: {}, without: [] } as const;

/** What is guessed, or what was chosen when columns of these names were open before. */
async function choose({ columns, profile: guessed }: Opened): Promise<void> {
  const before = chosenBefore(columns);
  const target = before?.target ?? guessed.target?.name ?? '';
  profile.value = before && target !== guessed.target?.name ? await lab.ask('profile', [target]) : guessed;
  settings.value = { ...settings.value, ...none, target, ...before };
  asBefore.value = before !== undefined;
}

/** Whether target, kinds and columns are those of an earlier visit. */
export const asBefore = signal(false);

/** Forgets what was chosen for columns of these names; what is found and guessed holds again. */
export async function forgetChoice(): Promise<void> {
  if (!opened.value) return;
  forget(opened.value.columns);
  await choose(opened.value);
}

/** Takes another column for the target. */
export async function chooseTarget(target: string): Promise<void> {
  await working(async () => {
    profile.value = await lab.ask('profile', [target]);
    settings.value = { ...settings.value, ...none, target };
  });
}

/** Opens a file: a model by its first bytes, everything else as data. */
export async function openFile(file: File): Promise<void> {
  if (!/\.polya$/i.test(file.name)) return openData({ kind: 'file', file });
  await working(async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    model.value = { facts: await desk.ask('load', [bytes]), bytes };
    learnedHere.value = 0;
    go('try');
  });
}

/** What is chosen for columns is remembered under their names, once it is not what was guessed. */
effect(() => {
  const { target, features, kinds } = settings.value;
  const data = opened.value;
  if (!data || target === '') return;
  const chosen = target !== data.profile.target?.name || features.length > 0 || Object.keys(kinds).length > 0;
  if (chosen) keepChoice(data.columns, { target, features, kinds });
});
