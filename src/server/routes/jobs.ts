import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { calibrations } from '../../core/model-options.ts';
import { refuse } from '../../errors.ts';
import { problem, problemOf } from '../http/problem.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Task, TaskResult } from '../jobs/task.ts';
import type { Service } from '../service.ts';
import { putModel } from './models.ts';
import { addRoute, anyObject, closed, content, modelName } from './route.ts';

const config = closed({
  target: Type.String({ minLength: 1, maxLength: 1000, description: 'The column of the label.' }),
  features: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 10_000 })),
  model: Type.Optional(Type.String({ maxLength: 64, description: 'A family by name, or auto.' })),
  calibrate: Type.Optional(Type.Unsafe<boolean | string>({ enum: [true, false, ...calibrations] })),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffffffff })),
  params: Type.Optional(anyObject('Parameters of the family and of its words.')),
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
const answer = closed({
  id: Type.String(),
  kind: Type.String(),
  state: Type.Enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  progress: closed({ share: Type.Number({ minimum: 0, maximum: 1 }), what: Type.String() }),
  created: Type.String(),
  ended: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  result: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  error: Type.Unsafe<object | null>({ anyOf: [{ type: 'null' }, problem] }),
});
const ofJob = { tag: 'jobs', params: { id: Type.String({ pattern: '^j-[0-9a-f]{18}$' }) }, answer };

const viewOf = (job: Job, requestId: string): object => {
  const view = job.view();
  return { ...view, error: view.error && problemOf(view.error, requestId) };
};

/** Background jobs: fit, tune and compare, with progress and cancel. */
export function jobRoutes(app: FastifyInstance, service: Service): void {
  const { jobs } = service;
  const start = {
    id: 'startJob',
    tag: 'jobs',
    body,
    answer,
    status: 202,
    summary: 'Starts to fit, tune or compare models on an uploaded data set.',
  };
  addRoute(app, 'POST /v1/jobs', start, (request, reply) => {
    const { name } = request.body.config;
    const finish = async ({ result, bytes }: TaskResult): Promise<object> => {
      if (!bytes || name === undefined) return result;
      const { version } = await putModel(service, name, bytes);
      return { ...result, model: name, version };
    };
    const job = jobs.start(taskOf(service, request.body), finish);
    return reply.status(202).header('location', `/v1/jobs/${job.id}`).send(viewOf(job, request.id));
  });
  const list = {
    id: 'listJobs',
    tag: 'jobs',
    summary: 'The latest jobs.',
    answer: closed({ jobs: Type.Array(answer) }),
  };
  addRoute(app, 'GET /v1/jobs', list, ({ id }) => ({ jobs: jobs.list().map((job) => viewOf(job, id)) }));
  const get = { ...ofJob, id: 'getJob', summary: 'The state of a job.' };
  addRoute(app, 'GET /v1/jobs/:id', get, ({ id, params }) => viewOf(jobs.get(params.id), id));
  const cancel = { ...ofJob, id: 'cancelJob', summary: 'Cancels a job.', status: 202 };
  addRoute(app, 'DELETE /v1/jobs/:id', cancel, ({ id, params }, reply) => {
    const job = jobs.get(params.id);
    job.cancel();
    return reply.status(202).send(viewOf(job, id));
  });
  const watch = {
    id: 'watchJob',
    tag: 'jobs',
    params: ofJob.params,
    summary: 'The progress of a job as server-sent events, until it ends.',
    responses: { 200: content('Events of the type "job".', { 'text/event-stream': Type.String() }) },
  };
  addRoute(app, 'GET /v1/jobs/:id/events', watch, ({ id, params }, reply) =>
    sendEvents(jobs.get(params.id), id, reply),
  );
}

/** The task of a request. */
function taskOf({ datasets }: Service, { kind, data, config: given }: Static<typeof body>): Task {
  const { name: _, grid, models, ...own } = given;
  const base = { data: datasets.get(data), config: own };
  if (kind !== 'tune' && grid) refuse('E_BAD_REQUEST', '"grid" belongs to tune', { pointer: '/config/grid' });
  if (kind !== 'compare' && models)
    refuse('E_BAD_REQUEST', '"models" belongs to compare', { pointer: '/config/models' });
  const needed = <T>(value: T | undefined, key: string): T =>
    value ?? refuse('E_BAD_REQUEST', `${kind} needs "${key}"`, { pointer: `/config/${key}` });
  if (kind === 'fit') return { kind, ...base };
  if (kind === 'tune') return { kind, ...base, grid: needed(grid, 'grid') };
  return { kind, ...base, models: needed(models, 'models') };
}

/** Sends every step of a job as an event; a comment every few seconds keeps the connection open. */
function sendEvents(job: Job, requestId: string, reply: FastifyReply): FastifyReply {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': 'text/event-stream' });
  const beat = setInterval(() => raw.write(': waiting\n\n'), 5000);
  const end = () => {
    clearInterval(beat);
    job.off('change', change);
    raw.end();
  };
  const change = () => {
    raw.write(`event: job\ndata: ${JSON.stringify(viewOf(job, requestId))}\n\n`);
    if (job.over) end();
  };
  job.on('change', change);
  raw.on('close', end);
  change();
  return reply;
}
