import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { decodeState } from '../../core/artifact.ts';
import { refuse, show } from '../../errors.ts';
import { findModel, wantedVersion } from '../find-model.ts';
import { readUpload } from '../http/upload.ts';
import { requireFastReading } from '../model/patterns.ts';
import type { Served } from '../model-store.ts';
import type { Service } from '../service.ts';
import { amount, closed, MODEL_NAME, modelParams, operation } from '../shapes.ts';
import { card, entry, ifMatch, summary } from './models-schema.ts';

const named = (request: FastifyRequest): string => (request.params as Static<typeof modelParams>).model;
const expected = ({ headers }: FastifyRequest) => ({ ifVersion: wantedVersion(headers['if-match']) });
const tag = 'models';

/** The models themselves: list, upload, look at, remove; versions, snapshot, rollback. */
export function modelRoutes(app: FastifyInstance, service: Service): void {
  const { store, log } = service;
  const list = closed({ models: Type.Array(closed(summary)) });
  app.get('/v1/models', operation('listModels', tag, 'All models, by name.', { answer: list }), () => ({
    models: store.list().map(summaryOf),
  }));
  app.get(
    '/v1/models/:model',
    operation('getModel', tag, 'What a model is: its classes, columns, priors and scores.', {
      params: modelParams,
      answer: card,
      responses: { 304: { description: 'The version is the same.' } },
    }),
    (request, reply) => sendCard(service, findModel(store, named(request)), request, reply),
  );
  app.post(
    '/v1/models',
    operation('uploadModel', tag, 'Uploads a model file; a model of the same name is replaced while requests go on.', {
      consumes: ['multipart/form-data'],
      headers: ifMatch,
      answer: card,
      status: 201,
    }),
    async (request, reply) => {
      const served = await upload(service, request);
      reply.status(201).header('location', `/v1/models/${served.name}`);
      return sendCard(service, served, undefined, reply);
    },
  );
  app.delete(
    '/v1/models/:model',
    operation('removeModel', tag, 'Removes a model.', {
      params: modelParams,
      headers: ifMatch,
      responses: { 204: { description: 'It is removed.' } },
    }),
    async (request, reply) => {
      const { name } = findModel(store, named(request));
      await store.remove(name, expected(request));
      log('info', 'remove', { model: name });
      return reply.status(204).send();
    },
  );
  versionRoutes(app, service);
}

/** Adds or replaces the model of a form. */
async function upload({ store, limits, log }: Service, request: FastifyRequest): Promise<Served> {
  const { fields, bytes } = await readUpload(request, limits.uploadBytes, ['name']);
  const { name = '' } = fields;
  if (!new RegExp(MODEL_NAME).test(name)) {
    const sentence = `the model is called ${show(name)}; give the field "name" before the file, such as spam`;
    refuse('E_BAD_REQUEST', sentence, { pointer: '/name' });
  }
  if (!store.get(name) && store.list().length >= limits.models) {
    refuse('E_LIMIT', `there are ${limits.models} models already; remove one first`, { limit: limits.models });
  }
  requireFastReading(decodeState(bytes), limits);
  const served = await store.put(name, bytes, expected(request));
  log('info', 'upload', { model: name, version: served.version, bytes: bytes.length });
  return served;
}

/** The history of a model. */
function versionRoutes(app: FastifyInstance, { store, log }: Service): void {
  const history = closed({ model: Type.String(), version: amount, versions: Type.Array(entry) });
  app.get(
    '/v1/models/:model/versions',
    operation('listVersions', tag, 'The versions of a model, oldest first.', { params: modelParams, answer: history }),
    (request) => {
      const { name, version } = findModel(store, named(request));
      return { model: name, version, versions: store.versions(name) };
    },
  );
  const written = closed({ model: Type.String(), version: amount, bytes: amount });
  app.post(
    '/v1/models/:model/snapshot',
    operation('snapshot', 'learning', 'Writes the model as a file on stable storage, so that a start is fast.', {
      params: modelParams,
      answer: written,
    }),
    async (request) => {
      const { name } = findModel(store, named(request));
      const { version, bytes } = await store.snapshot(name);
      return { model: name, version, bytes };
    },
  );
  const wanted = closed({ version: Type.Integer({ minimum: 1 }) });
  app.post(
    '/v1/models/:model/rollback',
    operation('rollback', 'learning', 'Serves an earlier version again, under a new version number.', {
      params: modelParams,
      headers: ifMatch,
      body: wanted,
      answer: closed({ model: Type.String(), version: amount }),
    }),
    async (request, reply) => {
      const { name } = findModel(store, named(request));
      const to = (request.body as Static<typeof wanted>).version;
      const { version } = await store.rollback(name, to, expected(request));
      log('info', 'rollback', { model: name, to, version });
      return reply.header('etag', `"${version}"`).send({ model: name, version });
    },
  );
}

const summaryOf = ({ name, version, model }: Served) => ({
  name,
  version,
  kind: model.kind,
  summary: model.summary,
  classes: model.classes.length,
  learns: model.learns,
});

function sendCard(
  { store }: Service,
  served: Served,
  request: FastifyRequest | undefined,
  reply: FastifyReply,
): FastifyReply {
  const { version, model } = served;
  reply.header('etag', `"${version}"`);
  if (request?.headers['if-none-match'] === `"${version}"`) return reply.status(304).send();
  return reply.send({
    ...summaryOf(served),
    classes: model.classes,
    priors: model.priors(),
    target: model.target ?? null,
    columns: model.columns,
    evaluation: model.evaluation(),
    learning: store.state,
  });
}
