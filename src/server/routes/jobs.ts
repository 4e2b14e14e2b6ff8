import type { FastifyInstance, FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { calibrations } from '../../core/model-options.ts';
import { refuse } from '../../errors.ts';
import { findModel } from '../find-model.ts';
import { problemOf } from '../http/problem.ts';
import type { Job } from '../jobs/jobs.ts';
import type { FitConfig, Task, TaskResult } from '../jobs/task.ts';
import type { Service } from '../service.ts';
import { closed, content, modelName, operation, problem } from '../shapes.ts';

const config = closed({
  target: Type.String({ minLength: 1, maxLength: 1000, description: 'The column of the label.' }),
  features: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 10_000 })),
  model: Type.Optional(Type.String({ maxLength: 64, description: 'A family by name, or auto.' })),
  calibrate: Type.Optional(Type.Unsafe<boolean | string>({ enum: [true, false, ...calibrations] })),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffffffff })),
  params: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Parameters of the family and of its words.' }),
  ),
  name: Type.Optional(modelName),
  grid: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.Unknown(), { minItems: 1, maxItems: 64 }), {
      description: 'For tune: the values to try of each setting; "model" is one of them.',
    }),
  ),
  models: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 2,
      maxItems: 16,
      description: 'For compare: families by name.',
    }),
  ),
});
const body = closed({
  kind: Type.Enum(['fit', 'tune', 'compare']),
  data: Type.String({ maxLength: 64, description: 'The id of a data set.' }),
  config,
});
const job = closed({
  id: Type.String(),
  kind: Type.String(),
  state: Type.Enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  progress: closed({ share: Type.Number({ minimum: 0, maximum: 1 }), what: Type.String() }),
  created: Type.String(),
  ended: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  result: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  error: Type.Unsafe<object | null>({ anyOf: [{ type: 'null' }, problem] }),
});
const params = closed({ id: Type.String({ pattern: '^j-[0-9a-f]{18}$' }) });
const idOf = (request: { params: unknown }): string => (request.params as Static<typeof params>).id;
const viewOf = (own: Job, requestId: string): object => {
  const view = own.view();
  return { ...view, error: view.error ? problemOf(view.error, requestId) : null };
};
const tag = 'jobs';

/** Background work: fit, tune and compare, with progress and cancel. */
export function jobRoutes(app: FastifyInstance, service: Service): void {
  const { jobs } = service;
  app.post(
    '/v1/jobs',
    operation('startJob', tag, 'Begins to fit, tune or compare models on an uploaded data set.', {
      body,
      answer: job,
      status: 202,
    }),
    (request, reply) => {
      const own = jobs.start(...plan(service, request.body as Static<typeof body>));
      return reply.status(202).header('location', `/v1/jobs/${own.id}`).send(viewOf(own, request.id));
    },
  );
  const list = closed({ jobs: Type.Array(job) });
  app.get('/v1/jobs', operation('listJobs', tag, 'The latest jobs.', { answer: list }), (request) => ({
    jobs: jobs.list().map(({ id }) => viewOf(jobs.get(id), request.id)),
  }));
  app.get('/v1/jobs/:id', operation('getJob', tag, 'The state of a job.', { params, answer: job }), (request) =>
    viewOf(jobs.get(idOf(request)), request.id),
  );
  app.delete(
    '/v1/jobs/:id',
    operation('cancelJob', tag, 'Cancels a job.', { params, answer: job, status: 202 }),
    (request, reply) => {
      const own = jobs.get(idOf(request));
      own.cancel();
      return reply.status(202).send(viewOf(own, request.id));
    },
  );
  app.get(
    '/v1/jobs/:id/events',
    operation('watchJob', tag, 'The progress of a job as server-sent events, until it ends.', {
      params,
      responses: { 200: content('Events of the type "job".', { 'text/event-stream': Type.String() }) },
    }),
    (request, reply) => watch(jobs.get(idOf(request)), request.id, reply),
  );
}

/** The task of a request, and what becomes of its model. */
function plan({ datasets, store, log, limits }: Service, { kind, data, config: given }: Static<typeof body>) {
  const { name, grid, models, ...rest } = given;
  const own = rest as FitConfig;
  const stored = datasets.get(data);
  if (kind !== 'tune' && grid) refuse('E_BAD_REQUEST', '"grid" belongs to tune', { pointer: '/config/grid' });
  if (kind !== 'compare' && models)
    refuse('E_BAD_REQUEST', '"models" belongs to compare', { pointer: '/config/models' });
  const needed = <T>(value: T | undefined, name: string): T =>
    value ?? refuse('E_BAD_REQUEST', `${kind} needs "${name}"`, { pointer: `/config/${name}` });
  const base = { data: stored, config: own };
  const task: Task =
    kind === 'fit'
      ? { kind, ...base }
      : kind === 'tune'
        ? { kind, ...base, grid: needed(grid, 'grid') }
        : { kind, ...base, models: needed(models, 'models') };
  const finish = async ({ result, bytes }: TaskResult): Promise<object> => {
    if (!bytes || name === undefined) return result;
    if (!store.get(name) && store.list().length >= limits.models)
      refuse('E_LIMIT', `there are ${limits.models} models already`, { limit: limits.models });
    const { version } = await store.put(name, bytes);
    log('info', 'upload', { model: name, version, bytes: bytes.length });
    return { ...result, model: name, version: findModel(store, name).version };
  };
  return [task, finish] as const;
}

/** Sends every step of a job; a comment every few seconds keeps the connection. */
function watch(own: Job, requestId: string, reply: FastifyReply): FastifyReply {
  const { raw } = reply;
  reply.hijack();
  const headers = reply.getHeaders();
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  const send = () => raw.write(`event: job\ndata: ${JSON.stringify(viewOf(own, requestId))}\n\n`);
  const beat = setInterval(() => raw.write(': still there\n\n'), 5000);
  const end = () => {
    clearInterval(beat);
    own.off('change', change);
    raw.end();
  };
  const change = () => {
    send();
    if (own.over) end();
  };
  own.on('change', change);
  raw.on('close', end);
  change();
  return reply;
}
