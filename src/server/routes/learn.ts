import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { PolyaError, refuse, show } from '../../errors.ts';
import type { StreamScores } from '../../evaluate/prequential.ts';
import { findModel, requireFew, wantedVersion } from '../find-model.ts';
import { sendLines } from '../http/answer-stream.ts';
import { errorLine, type Line, readLines } from '../http/lines.ts';
import { problemOf } from '../http/problem.ts';
import { rawBody } from '../http/raw-body.ts';
import { readExample } from '../model/examples.ts';
import type { Learned, LearnOptions } from '../model-store.ts';
import type { Service } from '../service.ts';
import { modelParams, NDJSON, problemAnswer } from '../shapes.ts';
import { answerOf, learnBody, learnHeaders, lineOf } from './learn-schema.ts';

type Verb = 'learn' | 'unlearn';
const doneBy = { learn: 'learned', unlearn: 'unlearned' } as const;

/** POST /v1/models/{model}/learn and /unlearn */
export function learnRoutes(app: FastifyInstance, service: Service): void {
  for (const verb of ['learn', 'unlearn'] as const) {
    app.post(
      `/v1/models/:model/${verb}`,
      {
        schema: {
          operationId: verb,
          tags: ['learning'],
          summary:
            verb === 'learn'
              ? 'Learns examples; answered when they are on stable storage.'
              : 'Takes examples away: what remains is the model that never saw them.',
          description: 'A stream of lines of JSON, one example each, is learned and answered line by line.',
          params: modelParams,
          headers: learnHeaders,
          body: { content: { 'application/json': { schema: learnBody }, [NDJSON]: { schema: Type.Unknown() } } },
          response: {
            200: {
              description: 'What was done, and the version that knows it.',
              content: {
                'application/json': { schema: answerOf(doneBy[verb]) },
                [NDJSON]: { schema: lineOf(doneBy[verb]) },
              },
            },
            default: problemAnswer,
          },
        },
      },
      (request, reply) => handle(service, verb, request, reply),
    );
  }
}

async function handle(
  service: Service,
  verb: Verb,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { model: name } = request.params as Static<typeof modelParams>;
  const { model } = findModel(service.store, name);
  const { key, ifVersion } = wishes(request);
  const given = request.body as Static<typeof learnBody> | Readable;
  if (!('examples' in given)) {
    return sendLines(reply, learnLines(service, verb, request, name, given, key), NDJSON);
  }
  requireFew(given.examples.length, service.limits);
  if (given.examples.length === 0) refuse('E_EMPTY_INPUT', 'there are no examples', { rows: 0 });
  if (given.report === 'rows') return byRows(service, verb, request, reply, given.examples, key);
  const examples = given.examples.map((example, i) => readExample(model, example, i));
  const hash = key === undefined ? undefined : sha256(rawBody(request));
  const done = await service.store[verb](name, examples, { key, hash, ifVersion }).catch((error) => inExamples(error));
  note(service, verb, name, done);
  return reply.header('etag', `"${done.version}"`).send(answerFor(verb, name, done));
}

/** Each example by itself: those that can be learned are, and each is told of. */
async function byRows(
  service: Service,
  verb: Verb,
  request: FastifyRequest,
  reply: FastifyReply,
  examples: readonly unknown[],
  key: string | undefined,
): Promise<FastifyReply> {
  const { model: name } = request.params as Static<typeof modelParams>;
  const all = await Promise.allSettled(
    examples.map((example, i) =>
      one(service, verb, name, example, i, optionsFor(key, i, Buffer.from(JSON.stringify(example)))),
    ),
  );
  const done = all.flatMap((own) => (own.status === 'fulfilled' ? [own.value] : []));
  const rows = all.map((own) =>
    own.status === 'fulfilled' ? { version: own.value.version } : { error: problemFor(own.reason, request.id) },
  );
  const last = done.reduce<Learned | undefined>((a, b) => (a && a.version > b.version ? a : b), undefined);
  const version = last?.version ?? findModel(service.store, name).version;
  return reply.header('etag', `"${version}"`).send({
    model: name,
    version,
    [doneBy[verb]]: done.reduce((sum, own) => sum + own.rows, 0),
    ...(last?.prequential && { prequential: scoresOf(last.prequential) }),
    rows,
  });
}

/** Lines are learned as they come, many at once, and answered in their order. */
async function* learnLines(
  service: Service,
  verb: Verb,
  request: FastifyRequest,
  name: string,
  source: Readable,
  key: string | undefined,
): AsyncGenerator<string> {
  const answer = async (own: Line): Promise<string> => {
    try {
      if ('error' in own) throw own.error;
      const done = await one(service, verb, name, own.value, own.line - 1, optionsFor(key, own.line, own.bytes));
      const repeated = done.repeated ? ',"repeated":true' : '';
      return `{"line":${own.line},"version":${done.version},"${doneBy[verb]}":${done.rows}${repeated}}\n`;
    } catch (error) {
      return errorLine(own.line, error, request.id);
    }
  };
  for await (const lines of readLines(source, service.limits)) yield (await Promise.all(lines.map(answer))).join('');
}

async function one(
  service: Service,
  verb: Verb,
  name: string,
  example: unknown,
  i: number,
  options: LearnOptions,
): Promise<Learned> {
  const { model } = findModel(service.store, name);
  const done = await service.store[verb](name, [readExample(model, example, i)], options).catch((error) =>
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

function wishes({ headers: given }: FastifyRequest): { key: string | undefined; ifVersion: number | undefined } {
  const key = given['idempotency-key'] as string | undefined;
  if (key !== undefined && !/^[!-~]{1,128}$/.test(key)) {
    refuse('E_BAD_REQUEST', `idempotency-key is ${show(key)}; give 1 to 128 printable characters`, {
      header: 'idempotency-key',
    });
  }
  return { key, ifVersion: wantedVersion(given['if-match']) };
}

/** A key for one row of many: that of the request and the place of the row. */
const optionsFor = (key: string | undefined, place: number, bytes: Buffer): LearnOptions =>
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
const scoresOf = (own: NonNullable<Learned['prequential']>) => ({
  ...streamScores(own),
  window: streamScores(own.window),
});

function answerFor(verb: Verb, model: string, { version, rows, prequential, repeated }: Learned): object {
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
