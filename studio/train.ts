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
  refused,
  run,
  runs,
  settings,
  source,
  work,
  working,
} from './state.ts';

/** Handles a progress report of a worker. */
export function hear(news: News): void {
  if (news.kind === 'progress') work.value = news;
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

/** Trains with the settings; what was trained before is kept. */
export async function train(): Promise<void> {
  const data = opened.value;
  if (!data || work.value || settings.value.target === '') return;
  const id = (runs.value.at(-1)?.id ?? 0) + 1;
  const chosen = settings.value;
  await working(async () => {
    work.value = { phase: 'learning', share: 0, what: '' };
    if (route.value.screen === 'data') go('train');
    const notes = fitLine(data, profile.value, chosen, chosen.features);
    const found = await lab.ask('train', [chosen, id, notes], hear);
    keep(found);
    await takeModel(found);
  });
}

/** Trains with other settings; the new run is looked at, on the screen that is open, as soon as it is there. */
export function trainAgain(next: Settings): void {
  settings.value = next;
  show({ run: undefined });
  void train();
}

/** Puts the model of a run on the desk, with the rows as they are now. */
export async function takeModel({ bytes, id, edits: since }: Run): Promise<void> {
  if (!bytes || (model.value?.run === id && !model.value.early)) return;
  const changes = await lab.ask('changes', [{ id, edits: since }]);
  const loaded = await desk.ask('load', [bytes]);
  const now = changes.length > 0 && loaded.learns ? await desk.ask('follow', [changes]) : { facts: loaded, bytes };
  model.value = { ...now, run: id };
  learnedHere.value = changes.length;
}

/** So many of the last runs can be looked into again after a stop; of all others the evaluation and the model stay. */
const RESTORED = 5;

/** Stops the work at once. */
export async function stop(): Promise<void> {
  lab.stop();
  work.value = undefined;
  await working(reopen);
}

/** Starts both workers anew, after one of them has failed. */
export async function restart(): Promise<void> {
  const on = model.value;
  desk.stop();
  model.value = undefined;
  await stop();
  if (on && on.run === undefined) model.value = { ...on, facts: await desk.ask('load', [on.bytes]) };
  else if (run.value) await takeModel(run.value).catch(refused);
}

/** Gives a worker that knows nothing the data with their edits, and the last runs. */
export async function reopen(): Promise<void> {
  if (!source.value) return;
  runs.value = runs.value.filter(({ bytes }) => bytes);
  const opening = lab.ask('open', [source.value, edits.value, settings.value.target], hear);
  // asked all at once, so that they come before whatever a screen asks next
  const last = runs.value.slice(-RESTORED).map((own) => lab.ask('restore', [own, evaluatedModels.get(own.id)!]));
  opened.value = await opening;
  profile.value = opened.value.profile;
  await Promise.all(last);
}

/** A run that is chosen in the address brings its model to the desk. */
effect(() => {
  const chosen = run.value;
  if (chosen?.bytes && model.value?.run !== chosen.id && !work.value) takeModel(chosen).catch(refused);
});
