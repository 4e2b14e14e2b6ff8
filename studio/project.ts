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

/** What is shown of a project before it is opened. */
export interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly rows: number;
  readonly target: string;
  readonly runs: number;
  readonly edits: number;
  /** When it was changed last, in milliseconds. */
  readonly at: number;
}

/** What was done with the data. */
interface Work {
  readonly settings: Settings;
  readonly edits: readonly Edit[];
  readonly skipped: readonly number[];
  readonly acts: readonly Act[];
  readonly tries: readonly Tried[];
  readonly typed: Readonly<Record<string, string>>;
}

/** A whole project, as it is saved and as it is opened. */
export interface Project {
  readonly source: DataSource;
  readonly work: Work;
  readonly runs: readonly SavedRun[];
}

/** The project that is open; '' where none is. */
export const project = signal('');
/** The projects that were opened here, the last one first. */
export const recent = signal<readonly ProjectFacts[]>([]);
/** Whether everything is kept. */
export const saved = signal(true);

/** As many projects without runs or changes are listed. */
const MOST_IDLE = 8;

/** Whether something was done with the open data that is more than looking at them. */
export const hasWork = (): boolean => runs.value.length > 0 || edits.value.length > 0;

/** Begins a project with the data that were just opened; the same data without any work are not listed twice. */
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

/** Takes a project for the open one; this tab finds it again after a reload. */
export function adopt(id: string): void {
  project.value = id;
  try {
    sessionStorage.setItem('polya.project', id);
  } catch {
    // a private window forgets
  }
}

/** The project that was open in this tab before it was loaded again. */
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

/** Puts what was done before in its place; the data are opened with it. */
export function resume({ source: from, work, runs: own }: Project): void {
  project.value = ''; // what comes is not kept as a part of what was open
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

/** The open project as one file. */
export async function projectFile(): Promise<Blob> {
  const content: Project = { source: source.value!, work: workNow(), runs: completeRuns() };
  return pack(content);
}

/** The project in a file. */
export async function projectIn(file: Blob): Promise<Project> {
  const found = (await unpack(file)) as Partial<Project>;
  if (!found.source || !found.work || !Array.isArray(found.runs)) throw new Error('this file holds no project');
  return { ...(found as Project), runs: found.runs.map(currentRun) };
}

/** Forgets a project for good. */
export async function forgetProject(id: string): Promise<void> {
  await forgetAll(id);
  await listProjects();
}

/** Lists what was opened here. */
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

/** The runs that are on disk, with what can still change of them. */
const written = new Map<number, string>();

/** Writes the open project. Everything is read before the first write: another project may be open at the next one. */
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

/** A browser that keeps nothing, as in a private window or on a full disk, is no reason to stop; it is said once. */
async function quietly(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (isWarned) return;
    isWarned = true;
    const sentence = `this browser does not keep the project (${String(error)}); save it to a file on Start`;
    refused(new WorkerRefusal({ code: 'E_IO', sentence }));
  }
}

let isSaving = false;
let isChanged = false;

/** Saves until nothing has changed meanwhile: many changes at once are few savings. */
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

/** Whatever changes is kept at once. */
effect(() => {
  const changes = [settings.value, edits.value, skipped.value, acts.value, tries.value, typed.value, runs.value];
  if (project.value === '' || !opened.value || changes.length === 0) return;
  isChanged = true;
  saved.value = false;
  void Promise.resolve().then(saveAll);
});

quietly(listProjects);
