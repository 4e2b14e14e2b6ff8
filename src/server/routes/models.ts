import type { MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as Type from 'typebox';
import { decodeState } from '../../core/artifact.ts';
import { refuse, show } from '../../errors.ts';
import { requireFastReading } from '../model/served-model.ts';
import type { Service } from '../service.ts';
import type { Served } from '../store/records.ts';
import { addRoute, amount, closed, ifMatch, ifVersionOf, label, MODEL_NAME } from './route.ts';

const summary = {
  name: Type.String(),
  version: amount,
  kind: Type.String(),
  summary: Type.String(),
  classes: amount,
  learns: Type.Boolean(),
};
const card = closed({
  ...summary,
  classes: Type.Array(label),
  priors: Type.Unsafe<number[] | null>({ type: ['array', 'null'], items: { type: 'number' } }),
  target: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  columns: Type.Array(
    closed({
      name: Type.String(),
      kind: Type.Enum(['text', 'number', 'date', 'level']),
      optional: Type.Boolean(),
    }),
  ),
  evaluation: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'Scores on held-out rows, from when the model was fitted.',
  }),
  learning: Type.String({ description: 'Whether the server learns now: ready, read-only, disk-full or no-learning.' }),
});
const tag = 'models';

/** List, upload, describe and remove models. */
export function modelRoutes(app: FastifyInstance, service: Service): void {
  const { store, log } = service;
  const list = closed({ models: Type.Array(closed(summary)) });
  addRoute(app, 'GET /v1/models', { id: 'listModels', tag, summary: 'All models, by name.', answer: list }, () => ({
    models: store.list().map(summaryOf),
  }));
  const get = {
    id: 'getModel',
    tag,
    summary: 'A model: its classes, columns, priors and scores.',
    answer: card,
    responses: { 304: { description: 'The version is the same.' } },
  };
  addRoute(app, 'GET /v1/models/:model', get, ({ params, headers }, reply) => {
    const served = store.find(params.model);
    if (headers['if-none-match'] !== `"${served.version}"`) return sendCard(service, served, reply);
    return reply.status(304).header('etag', `"${served.version}"`).send();
  });
  const put = {
    id: 'uploadModel',
    tag,
    headers: ifMatch,
    consumes: [FORM],
    answer: card,
    status: 201,
    summary: 'Uploads a model file; a model of the same name is replaced while requests go on.',
  };
  addRoute(app, 'POST /v1/models', put, async (request, reply) => {
    const served = await upload(service, request);
    return sendCard(service, served, reply.status(201).header('location', `/v1/models/${served.name}`));
  });
  const remove = {
    id: 'removeModel',
    tag,
    summary: 'Removes a model.',
    headers: ifMatch,
    responses: { 204: { description: 'It was removed.' } },
  };
  addRoute(app, 'DELETE /v1/models/:model', remove, async (request, reply) => {
    const { name } = store.find(request.params.model);
    await store.remove(name, ifVersionOf(request));
    log('info', 'remove', { model: name });
    return reply.status(204).send();
  });
}

/** Adds or replaces the model of a form. */
async function upload(service: Service, request: FastifyRequest): Promise<Served> {
  const [{ name = '' }, bytes] = await readForm(
    request,
    ['name'],
    async (file, fields) => [fields, await file.toBuffer()] as const,
  );
  if (!MODEL_NAME.test(name)) {
    const sentence = `the model is called ${show(name)}; give the field "name" before the file, such as spam`;
    refuse('E_BAD_REQUEST', sentence, { pointer: '/name' });
  }
  requireFastReading(decodeState(bytes), service.limits);
  return putModel(service, name, bytes, ifVersionOf(request));
}

/** Serves a model under a name, within the limit of the number of models. */
export async function putModel(
  { store, limits, log }: Service,
  name: string,
  bytes: Uint8Array,
  options: { readonly ifVersion?: number | undefined } = {},
): Promise<Served> {
  if (!store.get(name) && store.list().length >= limits.models) {
    refuse('E_LIMIT', `the limit of ${limits.models} models is reached; remove one first`, { limit: limits.models });
  }
  const served = await store.put(name, bytes, options);
  log('info', 'upload', { model: name, version: served.version, bytes: bytes.length });
  return served;
}

/** The media type of forms. */
export const FORM = 'multipart/form-data';

/** Reads a form with one file and known fields. `take` gets the file; fields behind it are added later. */
export async function readForm<F extends string, T>(
  request: FastifyRequest,
  known: readonly F[],
  take: (file: MultipartFile, fields: { readonly [K in F]?: string }) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) refuse('E_MEDIA_TYPE', `send the file as ${FORM}`);
  const fields: { [K in F]?: string } = Object.create(null);
  let found: { readonly file: T } | undefined;
  for await (const part of request.parts()) {
    const name = part.fieldname as F;
    if (part.type === 'file') {
      if (found) refuse('E_BAD_REQUEST', 'there is more than one file in the form');
      found = { file: await take(part, fields) };
    } else if (!known.includes(name)) {
      refuse('E_BAD_REQUEST', `the form has the unknown field ${show(name)}`, { pointer: `/${name.slice(0, 64)}` });
    } else if (Object.hasOwn(fields, name)) refuse('E_BAD_REQUEST', `the form has ${show(name)} twice`);
    else fields[name] = String(part.value);
  }
  return found ? found.file : refuse('E_BAD_REQUEST', 'there is no file in the form');
}

const summaryOf = ({ name, version, model }: Served) => ({
  name,
  version,
  kind: model.kind,
  summary: model.summary,
  classes: model.classes.length,
  learns: model.learns,
});

function sendCard({ store }: Service, served: Served, reply: FastifyReply): FastifyReply {
  const { version, model } = served;
  return reply.header('etag', `"${version}"`).send({
    ...summaryOf(served),
    classes: model.classes,
    priors: model.priors(),
    target: model.target ?? null,
    columns: model.columns,
    evaluation: model.evaluation(),
    learning: store.state,
  });
}
