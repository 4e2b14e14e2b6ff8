import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { PolyaError, refuse } from '../../errors.ts';
import { answerLines } from '../http/lines.ts';
import { problem, problemOf, toPolyaError } from '../http/problem.ts';
import { readExample } from '../model/examples.ts';
import type { LearnOptions } from '../model-store.ts';
import type { Service } from '../service.ts';
import type { Learned, Verb } from '../store/records.ts';
import {
  addRoute,
  amount,
  anyObject,
  closed,
  head,
  ifVersionOf,
  label,
  numberOrNull,
  probability,
  tagged,
  wholeNumber,
} from './route.ts';
import { requireRows } from './rows.ts';

const body = closed({
  examples: Type.Array(anyObject('A label, perhaps a weight, and the cells by name, or all of them as "instance".')),
  report: Type.Optional(
    Type.Enum(['whole', 'rows'], {
      description: 'whole: all examples are learned, or none. rows: each by itself, with a result for each.',
    }),
  ),
});
const scores = { n: amount, accuracy: numberOrNull, log_loss: numberOrNull, kappa: numberOrNull };
const prequential = closed(
  { ...scores, window: closed(scores) },
  'Scores of n rows so far that were predicted before they were learned, up to 250 a second, and of the latest of them.',
);
const repeated = Type.Optional(Type.Boolean({ description: 'The key was used before; nothing was executed again.' }));
const answerOf = (done: string) =>
  closed({
    ...head,
    [done]: amount,
    prequential: Type.Optional(prequential),
    repeated,
    exact: Type.Optional(
      Type.Boolean({
        description: 'The model equals one that never saw these rows: counts are identical, moments within 1e-12.',
      }),
    ),
    rows: Type.Optional(Type.Array(Type.Union([closed({ version: amount }), closed({ error: problem })]))),
  });
const lineOf = (done: string) =>
  Type.Union([
    closed({ line: amount, version: amount, [done]: amount, repeated }),
    closed({ line: Type.Optional(amount), error: problem }),
  ]);
const headers = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ pattern: '^[!-~]{1,128}$', description: 'Requests with the same key are executed once.' }),
  ),
  'if-match': Type.Optional(Type.String({ description: 'The version that the change is meant for, in quotes.' })),
});

const summaries = {
  learn: 'Learns examples; answered when they are on stable storage.',
  unlearn: 'Removes examples: the model is then the one that never saw them.',
};
const doneBy = { learn: 'learned', unlearn: 'unlearned' } as const;
const tag = 'learning';

/** POST /v1/models/{model}/learn, /unlearn and /feedback */
export function learnRoutes(app: FastifyInstance, service: Service): void {
  for (const verb of ['learn', 'unlearn'] as const) {
    const done = doneBy[verb];
    const operation = {
      id: verb,
      tag,
      summary: summaries[verb],
      headers,
      body,
      answer: answerOf(done),
      line: lineOf(done),
      description: 'A stream of JSON Lines, one example each, is learned and answered line by line.',
    };
    addRoute(app, `POST /v1/models/:model/${verb}`, operation, (request, reply) => {
      const { name } = service.store.find(request.params.model);
      const key = request.headers['idempotency-key'] as string | undefined;
      const given = request.body as Static<typeof body> | Readable;
      if ('examples' in given) return learnBody(service, verb, request, reply, given);
      return answerLines(reply, given, service.limits, async ({ line, value }) => {
        const learned = await learnOne(service, verb, name, value, line - 1, keyOf(key, line));
        const { version, rows } = learned;
        return { line, version, [done]: rows, repeated: learned.repeated || undefined };
      });
    });
  }
  feedbackRoute(app, service);
}

const feedback = closed({
  id: Type.String({ maxLength: 64, description: 'The id of a prediction that was requested with "remember".' }),
  label: Type.Unsafe<string | number | boolean>({ ...label, description: 'The true label.' }),
});

const queue = closed({
  below: Type.Optional(
    Type.String({ pattern: '^(0(\\.[0-9]{1,16})?|1)$', description: 'Only less probable labels. Default: 1.' }),
  ),
  limit: wholeNumber('How many; at most 1000. Default: 20.'),
});

function feedbackRoute(app: FastifyInstance, service: Service): void {
  const listed = {
    id: 'openPredictions',
    tag,
    query: queue,
    summary: 'Remembered predictions without feedback, the least certain first.',
    answer: closed({
      ...head,
      classes: Type.Array(label),
      predictions: Type.Array(closed({ id: Type.String(), instance: Type.Unknown(), label, probability })),
    }),
  };
  addRoute(app, 'GET /v1/models/:model/predictions', listed, ({ params, query: { below = '1', limit = '20' } }) => {
    const { name, version, model } = service.store.find(params.model);
    const open = service.remembered.open(name, Number(below), Math.min(1000, Number(limit)));
    const predictions = open.map(({ model: _, ...own }) => own);
    return { model: name, version, classes: [...model.classes], predictions };
  });
  const operation = {
    id: 'feedback',
    tag,
    body: feedback,
    summary: 'Learns the true label of a remembered prediction, once; answered when it is on stable storage.',
    answer: closed({ ...head, predicted: label, correct: Type.Boolean(), repeated }),
  };
  addRoute(app, 'POST /v1/models/:model/feedback', operation, async (request, reply) => {
    const { model: name } = request.params;
    const { id, label: truth } = request.body;
    const { instance, label: predicted } = service.remembered.get(name, id);
    const options = keyOf(`feedback ${id}`, 0);
    const done = await learnOne(service, 'learn', name, { instance, label: truth }, 0, options);
    service.remembered.settle(id);
    return tagged(reply, {
      model: name,
      version: done.version,
      predicted,
      correct: predicted === truth,
      repeated: done.repeated || undefined,
    });
  });
}

/** Learns or unlearns the examples of a JSON body. */
async function learnBody(
  service: Service,
  verb: Verb,
  request: FastifyRequest,
  reply: FastifyReply,
  { examples: raw, report }: Static<typeof body>,
): Promise<object> {
  const { store, limits } = service;
  const { name, model } = store.find((request.params as { model: string }).model);
  const key = request.headers['idempotency-key'] as string | undefined;
  const { ifVersion } = ifVersionOf(request);
  requireRows(raw.length, limits);
  if (raw.length === 0) refuse('E_EMPTY_INPUT', 'there are no examples', { rows: 0 });
  if (report === 'rows') return tagged(reply, await learnRows(service, verb, name, raw, key, request.id));
  const examples = raw.map((example, i) => readExample(model, example, i));
  const done = await store[verb](name, examples, { ifVersion, limits, key });
  note(service, verb, name, done);
  return tagged(reply, {
    model: name,
    version: done.version,
    [doneBy[verb]]: done.rows,
    prequential: done.prequential ?? undefined,
    repeated: done.repeated || undefined,
    exact: verb === 'unlearn' || undefined,
  });
}

/** Learns each example by itself, and reports on each. */
async function learnRows(
  service: Service,
  verb: Verb,
  name: string,
  examples: readonly unknown[],
  key: string | undefined,
  requestId: string,
): Promise<{ readonly version: number; readonly [key: string]: unknown }> {
  const all = await Promise.allSettled(
    examples.map((example, i) => learnOne(service, verb, name, example, i, keyOf(key, i))),
  );
  const done = all.flatMap((own) => (own.status === 'fulfilled' ? [own.value] : []));
  const last = done.reduce<Learned | undefined>((a, b) => (a && a.version > b.version ? a : b), undefined);
  return {
    model: name,
    version: last?.version ?? service.store.find(name).version,
    [doneBy[verb]]: done.reduce((sum, { rows }) => sum + rows, 0),
    prequential: last?.prequential ?? undefined,
    rows: all.map((own) =>
      own.status === 'fulfilled'
        ? { version: own.value.version }
        : { error: problemOf(toPolyaError(own.reason), requestId) },
    ),
  };
}

/** Learns the example at index i of those that were sent, by itself. */
async function learnOne(
  service: Service,
  verb: Verb,
  name: string,
  example: unknown,
  i: number,
  options: LearnOptions,
): Promise<Learned> {
  const { store, limits } = service;
  const read = readExample(store.find(name).model, example, i);
  const done = await store[verb](name, [read], { ...options, limits }).catch((error: unknown) => {
    if (!(error instanceof PolyaError) || typeof error.details.pointer !== 'string') throw error;
    const pointer = error.details.pointer.replace('/examples/0', `/examples/${i}`);
    throw new PolyaError(error.code, error.message, { ...error.details, pointer }, error.cause);
  });
  note(service, verb, name, done);
  return done;
}

/** The key of one row of many: that of the request with the index of the row. */
const keyOf = (key: string | undefined, i: number): LearnOptions => (key === undefined ? {} : { key: `${key}#${i}` });

function note({ metrics, learnLog }: Service, verb: Verb, model: string, done: Learned): void {
  if (done.repeated) return;
  metrics.learnedRows(model, verb, done.rows);
  learnLog.note(verb, model, done);
}
