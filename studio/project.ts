import { effect, signal } from '@preact/signals';
import { WorkerRefusal } from './client.ts';
import { pack, unpack } from './pack.ts';
import type { DataSource, Edit, Settings } from './protocol.ts';
import { currentRun, type OldRun, type SavedRun } from './saved-run.ts';
import {
  type Act,
  acts,
  edits,
  evaluatedModels,
  opened,
  refused,
  runs,
  settings,
  skipped,
  source,
  type Tried,
  tries,
  usualSettings,
} from './state.ts';
import { allStored, forgetAll, store, stored } from './store.ts';
import { typed } from './typed.ts';

/** The facts listed for a project that is not open. */
export interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly rows: number;
  readonly target: string;
  readonly runs: number;
  readonly edits: number;
  /** Time of the last change, in milliseconds. */
  readonly at: number;
}

/** The user's work on the data: settings, edits, labels, tries. */
interface Work {
  readonly settings: Settings;
  readonly edits: readonly Edit[];
  readonly skipped: readonly number[];
  readonly acts: readonly Act[];
  readonly tries: readonly Tried[];
  readonly typed: Readonly<Record<string, string>>;
}

/** A complete project, as saved and as opened. */
export interface Project {
  readonly source: DataSource;
  readonly work: Work;
  readonly runs: readonly SavedRun[];
}

/** The id of the open project; '' if none is open. */
export const project = signal('');
/** The projects in this browser, the latest first. */
export const recent = signal<readonly ProjectFacts[]>([]);
/** Whether all changes are saved. */
export const saved = signal(true);

/** The most projects without runs or changes that are listed. */
const MOST_IDLE = 8;

/** Whether the open project has runs or edits. */
export const hasWork = (): boolean => runs.value.length > 0 || edits.value.length > 0;

/** Starts a project for newly opened data; an earlier project of the same data without any work is replaced. */
export async function beginProject(): Promise<void> {
  const data = opened.value!;
  const same = recent.value.filter(
    (own) => own.name === data.name && own.sha256 === data.sha256 && own.runs + own.edits === 0,
  );
  written.clear();
  adopt(crypto.randomUUID());
  await quietly(async () => {
    await store('sources', project.value, source.value);
    for (const { id } of same) await forgetAll(id);
    await save();
    const idle = recent.value.filter(({ runs: own, edits: made }) => own + made === 0);
    for (const { id } of idle.slice(MOST_IDLE)) await forgetAll(id); // nothing was done with them
    await listProjects();
  });
}

/** Makes a project the open one, also after a reload of this tab. */
export function adopt(id: string): void {
  project.value = id;
  try {
    sessionStorage.setItem('polya.project', id);
  } catch {
    // session storage may be blocked, as in a private window
  }
}

/** The project that was open in this tab before a reload. */
export function lastOpen(): string {
  try {
    return sessionStorage.getItem('polya.project') ?? '';
  } catch {
    return '';
  }
}

/** Reads a project. */
export async function readProject(id: string): Promise<Project | undefined> {
  const [from, work, own] = await Promise.all([
    stored<DataSource>('sources', id),
    stored<Work>('work', id),
    allStored<SavedRun | OldRun>('runs', `${id}/`),
  ]);
  if (!from || !work) return undefined;
  written.clear();
  for (const { run } of own) written.set(run.id, JSON.stringify([run.name, run.curve.length]));
  return { source: from, work, runs: own.map(currentRun).sort((a, b) => a.run.id - b.run.id) };
}

/** Restores the state of a project; its data are opened afterwards. */
export function resume({ source: from, work, runs: own }: Project): void {
  project.value = ''; // so that the new state is not saved into the project that was open
  source.value = from;
  settings.value = { ...usualSettings, ...work.settings };
  edits.value = work.edits;
  skipped.value = work.skipped;
  acts.value = work.acts;
  tries.value = work.tries;
  typed.value = work.typed;
  evaluatedModels.clear();
  for (const { run, evaluatedModel } of own) evaluatedModels.set(run.id, evaluatedModel);
  runs.value = own.map(({ run }) => run);
}

/** Writes the open project into one file. */
export async function projectFile(): Promise<Blob> {
  const content: Project = { source: source.value!, work: workNow(), runs: completeRuns() };
  return pack(content);
}

/** Reads a project from a file. */
export async function projectIn(file: Blob): Promise<Project> {
  const found = (await unpack(file)) as Partial<Project>;
  if (!found.source || !found.work || !Array.isArray(found.runs)) throw new Error('this file holds no project');
  return { ...(found as Project), runs: found.runs.map(currentRun) };
}

/** Deletes a project. */
export async function forgetProject(id: string): Promise<void> {
  await forgetAll(id);
  await listProjects();
}

/** Refreshes the list of projects. */
export async function listProjects(): Promise<void> {
  const all = await allStored<ProjectFacts>('projects');
  recent.value = all.sort((a, b) => b.at - a.at);
}

const workNow = (): Work => ({
  ...{ settings: settings.value, edits: edits.value, skipped: skipped.value, acts: acts.value },
  ...{ tries: tries.value, typed: typed.value },
});

const completeRuns = (): SavedRun[] =>
  runs.value
    .filter(({ id, bytes }) => bytes && evaluatedModels.has(id))
    .map((run) => ({ run, evaluatedModel: evaluatedModels.get(run.id)! }));

/** The saved runs, each with a key of the fields that can still change. */
const written = new Map<number, string>();

/** Saves the open project. All state is read before the first write, because another project may be opened meanwhile. */
async function save(): Promise<void> {
  const [id, data, done, all] = [project.value, opened.value, workNow(), completeRuns()];
  if (id === '' || !data) return;
  const { name, sha256, rows } = data;
  const counts = { runs: runs.value.length, edits: edits.value.length };
  const facts: ProjectFacts = { id, name, sha256, rows, target: settings.value.target, ...counts, at: Date.now() };
  for (const own of all) {
    const state = JSON.stringify([own.run.name, own.run.curve.length]);
    if (written.get(own.run.id) === state) continue;
    await store('runs', `${id}/${String(own.run.id).padStart(6, '0')}`, own);
    if (project.value === id) written.set(own.run.id, state);
  }
  await store('work', id, done);
  await store('projects', id, facts);
}

let isWarned = false;

/** Runs a storage task. If the browser cannot store anything (private window, full disk), the user is warned once and work goes on. */
async function quietly(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (isWarned) return;
    isWarned = true;
    const sentence = `this browser could not save the project (${String(error)}); save it to a file on Start`;
    refused(new WorkerRefusal({ code: 'E_IO', sentence }));
  }
}

let isSaving = false;
let isChanged = false;

/** Saves until nothing has changed meanwhile, so that a burst of changes needs few saves. */
async function saveAll(): Promise<void> {
  if (isSaving) return;
  isSaving = true;
  while (isChanged) {
    isChanged = false;
    await quietly(save);
  }
  isSaving = false;
  saved.value = true;
  await quietly(listProjects);
}

/** Saves every change at once. */
effect(() => {
  const changes = [settings.value, edits.value, skipped.value, acts.value, tries.value, typed.value, runs.value];
  if (project.value === '' || !opened.value || changes.length === 0) return;
  isChanged = true;
  saved.value = false;
  void Promise.resolve().then(saveAll);
});

quietly(listProjects);
