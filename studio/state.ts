import { computed, effect, signal } from '@preact/signals';
import { desk, lab, WorkerRefusal } from './client.ts';
import { remember, remembered } from './memory.ts';
import type { DataSource, Opened, Phase, Profile, Refusal, Run, Settings } from './protocol.ts';
import { fitLine } from './repeat.ts';
import { go, route } from './route.ts';
import { typed } from './typed.ts';
import type { ModelFacts } from './worker/asking.ts';

/** The data that are open. */
export const opened = signal<Opened | undefined>(undefined);
/** What they look like for the chosen target. */
export const profile = signal<Profile | undefined>(undefined);
/** Every training, the last one last. */
export const runs = signal<readonly Run[]>([]);
/** What is being done, and how far it is. */
export const work = signal<{ readonly phase: Phase; readonly share: number; readonly what: string } | undefined>(
  undefined,
);
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
/** Names of files that were opened here, for the start screen; never their content. */
export const recent = signal<readonly string[]>(remembered<string[]>('recent', []));

/** How to learn; what is guessed can be changed. */
export const settings = signal<Settings>({
  ...{ target: '', model: 'auto', online: true, alpha: '', ngrams: '', calibrate: 'auto' },
  ...{ holdout: 0.2, seed: 1, features: [], kinds: {} },
});

/** Changes some of the settings. */
export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}

/** The run that is looked at: the one in the address, else the last. */
export const run = computed<Run | undefined>(() => {
  const asked = Number(route.value.view.run ?? Number.NaN);
  return runs.value.find(({ id }) => id === asked) ?? runs.value.at(-1);
});

let source: DataSource | undefined;
/** The models that were judged, by their runs. */
const judges = new Map<number, Uint8Array<ArrayBuffer>>();

/** Shows a refusal; stopping is none. */
export function refused(error: unknown): void {
  const { code, message } = error instanceof WorkerRefusal ? error : { code: 'E_INTERNAL', message: String(error) };
  if (code !== 'E_CANCELLED') refusal.value = { code, sentence: message };
}

async function working<T>(task: () => Promise<T>): Promise<T | undefined> {
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

/** Opens data and shows what they look like. */
export async function openData(from: DataSource): Promise<void> {
  lab.stop();
  await working(async () => {
    work.value = { phase: 'reading', share: 0, what: '' };
    const found = await lab.ask('open', [from], hear);
    source = from;
    opened.value = found;
    runs.value = [];
    judges.clear();
    typed.value = {};
    adopt(found.profile);
    settings.value = { ...settings.value, target: found.profile.target?.name ?? '', features: [], kinds: {} };
    recent.value = [found.name, ...recent.value.filter((name) => name !== found.name)].slice(0, 6);
    remember('recent', recent.value);
    go('data');
  });
}

function adopt(found: Profile): void {
  profile.value = found;
}

/** Takes another column for the target. */
export async function chooseTarget(target: string): Promise<void> {
  await working(async () => {
    const found = await lab.ask('profile', [target]);
    adopt(found);
    settings.value = { ...settings.value, target, features: [], kinds: {} };
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

function hear(news: Parameters<NonNullable<Parameters<typeof lab.ask>[2]>>[0]): void {
  if (news.kind === 'progress') work.value = { phase: news.phase, share: news.share, what: news.what };
  else judged(news.run, news.bytes);
}

/** The judgement is there: Evaluate opens and the judged model can be tried, while the one of all rows is being learned. */
function judged(found: Run, bytes: Uint8Array<ArrayBuffer>): void {
  keep(found);
  judges.set(found.id, bytes);
  desk.ask('load', [bytes]).then((facts) => {
    model.value = { facts, bytes, run: found.id, early: true };
  }, refused);
  if (route.value.screen === 'train' || route.value.screen === 'data') go('evaluate', { run: String(found.id) });
}

function keep(found: Run): void {
  runs.value = [...runs.value.filter(({ id }) => id !== found.id), found];
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
    const found = await lab.ask('train', [chosen, id, fitLine(data, profile.value, chosen, chosen.features)], hear);
    keep(found);
    await takeModel(found);
  });
}

/** Puts the model of a run on the desk. */
export async function takeModel({ bytes, id }: Run): Promise<void> {
  if (!bytes || (model.value?.run === id && !model.value.early)) return;
  model.value = { facts: await desk.ask('load', [bytes]), bytes, run: id };
  learnedHere.value = 0;
}

/** So many of the last runs can be looked into again after a stop; of all others the judgement and the model stay. */
const RESTORED = 5;

/** Stops the work at once. The worker that held the rows is gone: another one reads them again and takes back the last runs. */
export async function stop(): Promise<void> {
  lab.stop();
  work.value = undefined;
  if (!source) return;
  const from = source;
  runs.value = runs.value.filter(({ bytes }) => bytes);
  await working(async () => {
    const opening = lab.ask('open', [from]);
    // asked all at once, so that they come before whatever a screen asks next
    const last = runs.value.slice(-RESTORED).map((own) => lab.ask('restore', [own, judges.get(own.id)!]));
    await Promise.all([opening, ...last]);
  });
}

/** A run that is chosen in the address brings its model to the desk. */
effect(() => {
  const chosen = run.value;
  if (chosen?.bytes && model.value?.run !== chosen.id && !work.value) takeModel(chosen).catch(refused);
});
