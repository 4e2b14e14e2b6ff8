import { effect } from '@preact/signals';
import { desk, lab } from './client.ts';
import type { News, Run, Settings } from './protocol.ts';
import { fitLine } from './repeat.ts';
import { go, route, show } from './route.ts';
import {
  amend,
  edits,
  evaluatedModels,
  keep,
  learnedHere,
  model,
  opened,
  profile,
  race,
  refused,
  run,
  runs,
  settings,
  source,
  stopped,
  work,
  working,
} from './state.ts';

/** Handles a progress report of a worker. */
export function hear(news: News): void {
  if (news.kind === 'progress') work.value = news;
  else if (news.kind === 'race') race.value = news.race;
  else if (news.kind === 'curve') amend(news.id, { curve: news.curve });
  else showEvaluation(news.run, news.bytes);
}

/** Opens Evaluate and makes the evaluated model available in Try while the model of all rows is still being trained. */
function showEvaluation(found: Run, bytes: Uint8Array<ArrayBuffer>): void {
  keep(found);
  evaluatedModels.set(found.id, bytes);
  desk.ask('load', [bytes]).then((facts) => {
    model.value = { facts, bytes, run: found.id, early: true };
  }, refused);
  if (route.value.screen === 'train' || route.value.screen === 'data') go('evaluate', { run: String(found.id) });
}

/** Trains with the current settings; earlier runs are kept. */
export async function train(): Promise<void> {
  const data = opened.value;
  if (!data || work.value || settings.value.target === '') return;
  const id = (runs.value.at(-1)?.id ?? 0) + 1;
  const chosen = settings.value;
  await working(async () => {
    work.value = { phase: 'learning', share: 0, what: '' };
    race.value = [];
    if (route.value.screen === 'data') go('train');
    const notes = fitLine(data, profile.value, chosen, chosen.features);
    const found = await lab.ask('train', [chosen, id, notes], hear);
    keep(found);
    await takeModel(found);
  });
  race.value = []; // the run has its own
}

/** Trains with other settings and selects the new run, without leaving the screen. */
export function trainAgain(next: Settings): void {
  settings.value = next;
  show({ run: undefined });
  void train();
}

/** Loads the model of a run for Try and Export, updated with the edits made since. */
export async function takeModel({ bytes, id, edits: since }: Run): Promise<void> {
  if (!bytes || (model.value?.run === id && !model.value.early)) return;
  const changes = await lab.ask('changes', [{ id, edits: since }]);
  const loaded = await desk.ask('load', [bytes]);
  const now = changes.length > 0 && loaded.learns ? await desk.ask('follow', [changes]) : { facts: loaded, bytes };
  model.value = { ...now, run: id };
  learnedHere.value = changes.length;
}

/** After a stop, this many of the latest runs are restored in full; of earlier ones only the evaluation and the model are left. */
const RESTORED = 5;

/**
 * Stops the current task and keeps what it has found. A search among models finishes with the best ones so far; a second stop ends it at
 * once. An evaluated model is kept as it is. Of anything else there is nothing to keep.
 */
export async function stop(): Promise<void> {
  if (work.value?.phase === 'learning' && race.value.length > 0 && stopped.value === undefined) {
    stopped.value = 'finishing';
    await lab.ask('stopSearch', []);
    return;
  }
  const last = work.value && runs.value.find(({ id, bytes }) => !bytes && evaluatedModels.has(id));
  if (last) amend(last.id, { bytes: evaluatedModels.get(last.id)!, stopped: 'rows' });
  await endWork();
  if (last) await takeModel(runs.value.find(({ id }) => id === last.id)!);
  else stopped.value = 'nothing';
}

/** Ends all requests of the worker at once and starts it anew. */
async function endWork(): Promise<void> {
  lab.stop();
  const reopened = working(reopen); // its requests come before those of screens that redraw
  work.value = undefined;
  await reopened;
}

/** Restarts both workers after one of them failed. */
export async function restart(): Promise<void> {
  const on = model.value;
  desk.stop();
  model.value = undefined;
  await endWork();
  if (on && on.run === undefined) model.value = { ...on, facts: await desk.ask('load', [on.bytes]) };
  else if (run.value) await takeModel(run.value).catch(refused);
}

/** Sends the data with their edits and the latest runs to a new worker. */
export async function reopen(): Promise<void> {
  if (!source.value) return;
  runs.value = runs.value.filter(({ bytes }) => bytes);
  const opening = lab.ask('open', [source.value, edits.value, settings.value.target], hear);
  // all requests are sent at once, so that they precede any request of a screen
  const last = runs.value.slice(-RESTORED).map((own) => lab.ask('restore', [own, evaluatedModels.get(own.id)!]));
  opened.value = await opening;
  profile.value = opened.value.profile;
  await Promise.all(last);
}

/** Loads the model of the run selected in the address. */
effect(() => {
  const chosen = run.value;
  if (chosen?.bytes && model.value?.run !== chosen.id && !work.value) takeModel(chosen).catch(refused);
});
