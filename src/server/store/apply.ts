import type { Label } from '../../data/labels.ts';
import { refuse } from '../../errors.ts';
import type { Example } from '../model/served-model.ts';
import { type LearnOptions, requireVersion } from '../model-store.ts';
import type { Contents } from './contents.ts';
import type { Learned, LearnRecord, Verb } from './records.ts';

/** A request to learn or unlearn. */
export interface LearnRequest {
  readonly verb: Verb;
  readonly name: string;
  readonly examples: readonly Example[];
  /** The examples as JSON. */
  readonly text: string;
  /** Their SHA-256 if the request has a key. */
  readonly hash: string | undefined;
  readonly options: LearnOptions;
  readonly resolve: (done: Learned) => void;
  readonly reject: (cause: unknown) => void;
  /** What `resolve` and `reject` settle. */
  readonly done: () => Promise<Learned>;
}

/** A request that was applied in memory: its record, also as JSON, and its answer when that is on stable storage. */
export interface Applied {
  readonly request: LearnRequest;
  readonly record: LearnRecord;
  readonly payload: string;
  readonly answer: Learned;
}

/**
 * Applies requests in memory, in their order, and returns those whose records are to be written; the others are answered or refused.
 * Neighbours that teach one model are applied at once: that costs a third.
 */
export function applyRequests(contents: Contents, all: readonly LearnRequest[]): Applied[] {
  const applied: Applied[] = [];
  let run: LearnRequest[] = [];
  const keys = new Set<string | undefined>();
  const flush = () => {
    if (run.length > 0) applyRun(contents, run, applied);
    run = [];
    keys.clear();
  };
  for (const request of all) {
    const { verb, name, options } = request;
    const follows = run[0]?.name === name && run[0].verb === 'learn' && verb === 'learn';
    if (!follows || options.ifVersion !== undefined || keys.has(options.key)) flush();
    const added = admit(contents, request);
    if (added === undefined) continue;
    run.push(request);
    if (options.key !== undefined) keys.add(options.key);
    if (added > 0) flush(); // the labels of those that follow are counted on top of these
  }
  flush();
  return applied;
}

/** How many classes a request adds; undefined if it is answered or refused already. */
function admit(
  contents: Contents,
  { verb, name, examples, hash, options, resolve, reject }: LearnRequest,
): number | undefined {
  try {
    const { version, model } = contents.find(name).served;
    const answer = contents.keys.find(name, verb, options.key, hash);
    if (answer) return void answer.then(resolve, reject);
    requireVersion(version, options);
    return verb === 'learn' ? addedClasses(model.classes, examples, options.limits) : 0;
  } catch (cause) {
    return void reject(cause);
  }
}

/** Applies requests for one model and adds their records; if one of several is refused, each is applied by itself. */
function applyRun(contents: Contents, run: readonly LearnRequest[], applied: Applied[]): void {
  const [{ verb, name }] = run;
  const own = contents.find(name);
  const all = run.length === 1 ? run[0].examples : run.flatMap(({ examples }) => examples);
  try {
    own.apply(verb, all, run.length);
  } catch (cause) {
    if (run.length === 1) run[0].reject(cause);
    else for (const one of run) applyRun(contents, [one], applied);
    return;
  }
  const scores = verb === 'learn' ? own.scorer.scores() : null;
  const at = Date.now();
  let version = own.served.version - run.length;
  for (const request of run) {
    const { examples, text, hash, options } = request;
    const { key } = options;
    const prequential = key === undefined ? undefined : scores;
    const record: LearnRecord = { kind: verb, model: name, version: ++version, at, key, hash, prequential, examples };
    const head = JSON.stringify({ kind: verb, model: name, version, at, key, hash, prequential });
    const answer = { version, rows: examples.length, prequential: scores, repeated: false };
    applied.push({ request, record, payload: `${head.slice(0, -1)},"examples":${text}}`, answer });
    contents.keys.note(record, request.done());
  }
}

/** How many labels of examples a model does not know; refuses more than the limits allow. */
function addedClasses(classes: readonly Label[], examples: readonly Example[], limits: LearnOptions['limits']): number {
  if (examples.length === 1 && classes.includes(examples[0].label)) return 0;
  const added = new Set(examples.map(({ label }) => label));
  for (const label of classes) added.delete(label);
  if (!limits) return added.size;
  const limit = Math.max(0, Math.min(limits.newClasses, limits.classes - classes.length));
  if (added.size <= limit) return added.size;
  const sentence = `the examples have ${added.size} labels that the model does not know, at most ${limit} can be added at once; a model has at most ${limits.classes}`;
  return refuse('E_LIMIT', sentence, { limit, actual: added.size });
}
