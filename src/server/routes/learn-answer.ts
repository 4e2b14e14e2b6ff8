import { createHash } from 'node:crypto';
import { PolyaError, refuse, show } from '../../errors.ts';
import type { PrequentialScores, StreamScores } from '../../evaluate/prequential.ts';
import { findModel, requireFew, wantedVersion } from '../find-model.ts';
import { problemOf } from '../http/problem.ts';
import { readExample } from '../model/examples.ts';
import type { Learned, LearnOptions } from '../model-store.ts';
import type { Service } from '../service.ts';
import type { LearnBody } from './learn-schema.ts';

/** What is done with examples. */
export type Verb = 'learn' | 'unlearn';

/** How an answer calls it when it is done. */
export const doneBy = { learn: 'learned', unlearn: 'unlearned' } as const;

/** A request to learn or to unlearn, apart from its examples. */
export interface LearnWishes {
  readonly verb: Verb;
  /** The name of the model. */
  readonly name: string;
  /** The name of the request. */
  readonly id: string;
  /** The headers `Idempotency-Key` and `If-Match`. */
  readonly key: string | undefined;
  readonly ifMatch: string | undefined;
}

/** The answer to a request. */
export interface LearnAnswer {
  readonly model: string;
  readonly version: number;
  /** For a report by rows: the version or the problem of each. */
  readonly rows?: readonly object[];
}

/** Learns or unlearns the examples of a JSON body; done when they are on stable storage. `bytes` are those of the body. */
export async function learnAll(
  service: Service,
  wishes: LearnWishes,
  given: LearnBody,
  bytes: Buffer,
): Promise<LearnAnswer> {
  const { verb, name, key } = wishes;
  const { model } = findModel(service.store, name);
  requireKey(key);
  const ifVersion = wantedVersion(wishes.ifMatch);
  const { examples: raw } = given;
  requireFew(raw.length, service.limits);
  if (raw.length === 0) refuse('E_EMPTY_INPUT', 'there are no examples', { rows: 0 });
  if (given.report === 'rows') return byRows(service, wishes, raw);
  const examples = raw.map((example, i) => readExample(model, example, i));
  const { limits } = service;
  const options = { ifVersion, limits, key, hash: key === undefined ? undefined : sha256(bytes) };
  const done = await service.store[verb](name, examples, options).catch((error) => inExamples(error));
  note(service, verb, name, done);
  return answerOf(verb, name, done);
}

/** Each example by itself: those that can be learned are, and each is told of. */
async function byRows(service: Service, wishes: LearnWishes, examples: readonly unknown[]): Promise<LearnAnswer> {
  const { verb, name, key, id } = wishes;
  const all = await Promise.allSettled(
    examples.map((example, i) =>
      learnOne(service, verb, name, example, i, optionsFor(key, i, Buffer.from(JSON.stringify(example)))),
    ),
  );
  const done = all.flatMap((own) => (own.status === 'fulfilled' ? [own.value] : []));
  const rows = all.map((own) =>
    own.status === 'fulfilled' ? { version: own.value.version } : { error: problemFor(own.reason, id) },
  );
  const last = done.reduce<Learned | undefined>((a, b) => (a && a.version > b.version ? a : b), undefined);
  const version = last?.version ?? findModel(service.store, name).version;
  return {
    model: name,
    version,
    [doneBy[verb]]: done.reduce((sum, own) => sum + own.rows, 0),
    ...(last?.prequential && { prequential: scoresOf(last.prequential) }),
    rows,
  };
}

/** One example, which is at place i of those that were sent. */
export async function learnOne(
  service: Service,
  verb: Verb,
  name: string,
  example: unknown,
  i: number,
  options: LearnOptions,
): Promise<Learned> {
  const { model } = findModel(service.store, name);
  const read = readExample(model, example, i);
  const done = await service.store[verb](name, [read], { ...options, limits: service.limits }).catch((error) =>
    inExamples(error, i),
  );
  note(service, verb, name, done);
  return done;
}

/** What the model says of instances, as the client has sent them; `only` is the place of a row that is learned alone. */
function inExamples(error: unknown, only?: number): never {
  const { pointer } = error instanceof PolyaError ? error.details : {};
  if (!(error instanceof PolyaError) || typeof pointer !== 'string') throw error;
  const place = pointer.replace(/^\/instances\/(\d+)/, (_, i: string) => `/examples/${only ?? i}`);
  throw new PolyaError(error.code, error.message, { ...error.details, pointer: place }, error.cause);
}

/** Refuses a key that is not one. */
export function requireKey(key: string | undefined): void {
  if (key === undefined || /^[!-~]{1,128}$/.test(key)) return;
  refuse('E_BAD_REQUEST', `idempotency-key is ${show(key)}; give 1 to 128 printable characters`, {
    header: 'idempotency-key',
  });
}

/** A key for one row of many: that of the request and the place of the row. */
export const optionsFor = (key: string | undefined, place: number, bytes: Buffer): LearnOptions =>
  key === undefined ? {} : { key: `${key}#${place}`, hash: sha256(bytes) };

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function note({ metrics, learnLog }: Service, verb: Verb, model: string, done: Learned): void {
  if (done.repeated) return;
  metrics.learnedRows(model, verb, done.rows);
  learnLog.note(verb, model, done);
}

const number = (value: number): number | null => (Number.isFinite(value) ? value : null);
const streamScores = ({ n, accuracy, logLoss, kappa }: StreamScores) => ({
  n,
  accuracy: number(accuracy),
  log_loss: number(logLoss),
  kappa: number(kappa),
});
const scoresOf = (own: PrequentialScores) => ({ ...streamScores(own), window: streamScores(own.window) });

function answerOf(verb: Verb, model: string, { version, rows, prequential, repeated }: Learned): LearnAnswer {
  return {
    model,
    version,
    [doneBy[verb]]: rows,
    ...(prequential && { prequential: scoresOf(prequential) }),
    ...(repeated && { repeated }),
    ...(verb === 'unlearn' && { exact: true }),
  };
}

function problemFor(error: unknown, requestId: string): object {
  const own = error instanceof PolyaError ? error : new PolyaError('E_INTERNAL', 'a bug in Pólya', {}, error);
  return problemOf(own, requestId);
}
