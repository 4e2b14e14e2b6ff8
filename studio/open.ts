import { effect, signal } from '@preact/signals';
import { chosenBefore, forget, keepChoice } from './chosen.ts';
import { desk, lab } from './client.ts';
import { isPacked } from './pack.ts';
import { adopt, beginProject, hasWork, lastOpen, type Project, projectIn, readProject, resume } from './project.ts';
import type { DataSource, NamedFile, Opened } from './protocol.ts';
import { go } from './route.ts';
import {
  learnedHere,
  model,
  opened,
  profile,
  refused,
  run,
  settings,
  source,
  usualSettings,
  work,
  working,
} from './state.ts';
import { hear, reopen, takeModel } from './train.ts';

/** A pending confirmation: whether to open other data. */
export const leaving = signal<{ readonly name: string; readonly answer: (yes: boolean) => void } | undefined>(
  undefined,
);

/** Asks for confirmation before other data are opened; resolves at once if there is no work to leave. */
function mayLeave(): Promise<boolean> {
  if (!opened.value || !hasWork()) return Promise.resolve(true);
  const { name } = opened.value;
  return new Promise((resolve) => {
    leaving.value = {
      name,
      answer: (yes) => {
        leaving.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** Opens data and shows their profile. If they cannot be read, what was open stays open. */
export async function openData(from: DataSource): Promise<void> {
  if (!(await mayLeave())) return;
  lab.stop();
  const found = await working(async () => {
    work.value = { phase: 'reading', share: 0, what: '' };
    return lab.ask('open', [from, [], ''], hear);
  });
  if (!found) {
    await reopen().catch(refused);
    work.value = undefined;
    return;
  }
  await working(async () => {
    const none = { settings: usualSettings, edits: [], skipped: [], acts: [], tries: [], typed: {} };
    resume({ source: from, work: none, runs: [] });
    if (model.value?.run !== undefined) model.value = undefined;
    opened.value = found;
    await choose(found);
    go('data');
    await beginProject();
  });
}

/** Opens a project where it was left. */
async function openProject(given: Project, id: string | undefined): Promise<void> {
  lab.stop();
  await working(async () => {
    work.value = { phase: 'reading', share: 0, what: '' };
    resume(given);
    if (model.value?.run !== undefined) model.value = undefined;
    await reopen();
    if (id === undefined) await beginProject();
    else adopt(id);
    if (run.value) await takeModel(run.value);
  });
}

/** Opens one of the projects of this browser. */
export async function openRecent(id: string): Promise<void> {
  if (!(await mayLeave())) return;
  const found = await readProject(id);
  if (!found) return;
  go('data');
  await openProject(found, id);
}

/** Reopens the project of this tab after a reload; returns whether there was one. */
export async function openLast(): Promise<boolean> {
  const id = lastOpen();
  const found = id === '' ? undefined : await readProject(id).catch(() => undefined);
  if (found) await openProject(found, id);
  return found !== undefined;
}

const none = { features: [], kinds: {}, splitColumn: '', without: [] } as const;

/** The settings for the open data: those chosen earlier for the same columns, else the detected ones. */
async function choose({ columns, profile: guessed }: Opened): Promise<void> {
  const before = chosenBefore(columns);
  const target = before?.target ?? guessed.target?.name ?? '';
  profile.value = before && target !== guessed.target?.name ? await lab.ask('profile', [target]) : guessed;
  settings.value = { ...settings.value, ...none, target, ...before };
  asBefore.value = before !== undefined;
}

/** Whether target, kinds and columns were restored from an earlier visit. */
export const asBefore = signal(false);

/** Forgets the settings chosen for these columns and goes back to the detected ones. */
export async function forgetChoice(): Promise<void> {
  if (!opened.value) return;
  forget(opened.value.columns);
  await choose(opened.value);
}

/** Sets the target column. A name that no column has starts a new column of labels. */
export async function chooseTarget(target: string): Promise<void> {
  await working(async () => {
    profile.value = await lab.ask('profile', [target]);
    settings.value = { ...settings.value, ...none, target };
  });
}

/** Opens files: a model or a project by itself, everything else as data. */
export async function openFiles(files: readonly NamedFile[]): Promise<void> {
  const [first] = files;
  if (!first) return;
  if (files.length === 1) {
    if (/\.polya$/i.test(first.path)) return openModel(first.blob);
    if (await isPacked(first.blob)) return openPacked(first.blob);
  }
  await openData({ kind: 'files', files });
}

/** Opens a project that was saved to a file. */
async function openPacked(file: Blob): Promise<void> {
  const found = await working(() => projectIn(file));
  if (!found || !(await mayLeave())) return;
  go('data');
  await openProject(found, undefined);
}

async function openModel(file: Blob): Promise<void> {
  await working(async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    model.value = { facts: await desk.ask('load', [bytes]), bytes };
    learnedHere.value = 0;
    go('try');
  });
}

/** Reads the same files in another encoding. */
export async function openEncoded(encoding: string): Promise<void> {
  const from = source.value;
  if (from?.kind === 'files') await openData({ ...from, encoding });
}

/** Remembers the chosen settings by column names, if they differ from the detected ones. */
effect(() => {
  const { target, features, kinds } = settings.value;
  const data = opened.value;
  if (!data || target === '') return;
  const chosen = target !== data.profile.target?.name || features.length > 0 || Object.keys(kinds).length > 0;
  if (chosen && data.columns.includes(target)) keepChoice(data.columns, { target, features, kinds });
});
