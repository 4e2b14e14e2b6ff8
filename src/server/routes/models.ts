import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { decodeState } from '../../core/artifact.ts';
import { refuse, show } from '../../errors.ts';
import { findModel, wantedVersion } from '../find-model.ts';
import { readUpload } from '../http/upload.ts';
import { requireFastReading } from '../model/patterns.ts';
import type { Served } from '../model-store.ts';
import type { Service } from '../service.ts';
import { amount, answers, closed, MODEL_NAME, modelParams, problemAnswer } from '../shapes.ts';
import { card, entry, ifMatch, summary } from './models-schema.ts';

const named = (request: FastifyRequest): string => (request.params as Static<typeof modelParams>).model;
const expected = ({ headers }: FastifyRequest) => ({ ifVersion: wantedVersion(headers['if-match']) });
const tags = ['models'];

/** The models themselves: list, upload, look at, remove; versions, snapshot, rollback. */
export function modelRoutes(app: FastifyInstance, service: Service): void {
  const { store } = service;
  app.get(
    '/v1/models',
    {
      schema: {
        operationId: 'listModels',
        tags,
        summary: 'All models.',
        response: answers(closed({ models: Type.Array(closed(summary)) }), 'The models by name.'),
      },
    },
    () => ({ models: store.list().map(summaryOf) }),
  );
  app.get(
    '/v1/models/:model',
    {
      schema: {
        operationId: 'getModel',
        tags,
        summary: 'What a model is: its classes, columns, priors and scores.',
        params: modelParams,
        response: { ...answers(card, 'The card of the model.'), 304: { description: 'The version is the same.' } },
      },
    },
    (request, reply) => sendCard(service, findModel(store, named(request)), request, reply),
  );
  versionsRoute(app, service);
  uploadRoute(app, service);
  removeRoute(app, service);
  historyRoutes(app, service);
}

function versionsRoute(app: FastifyInstance, { store }: Service): void {
  app.get(
    '/v1/models/:model/versions',
    {
      schema: {
        operationId: 'listVersions',
        tags,
        summary: 'The versions of a model, from the first to the one of now.',
        params: modelParams,
        response: answers(
          closed({ model: Type.String(), version: amount, versions: Type.Array(entry) }),
          'The versions.',
        ),
      },
    },
    (request) => {
      const { name, version } = findModel(store, named(request));
      return { model: name, version, versions: store.versions(name) };
    },
  );
}

function uploadRoute(app: FastifyInstance, service: Service): void {
  const { store, limits, log } = service;
  app.post(
    '/v1/models',
    {
      schema: {
        operationId: 'uploadModel',
        tags,
        summary: 'Uploads a model file; a model of the same name is swapped while requests go on.',
        consumes: ['multipart/form-data'],
        headers: ifMatch,
        response: answers(card, 'The card of the new model.', 201),
      },
    },
    async (request, reply) => {
      const { fields, bytes } = await readUpload(request, limits.uploadBytes, ['name']);
      const { name = '' } = fields;
      if (!new RegExp(MODEL_NAME).test(name)) {
        refuse(
          'E_BAD_REQUEST',
          `the model is called ${show(name)}; give the field "name" before the file, such as spam`,
          {
            pointer: '/name',
          },
        );
      }
      if (!store.get(name) && store.list().length >= limits.models) {
        refuse('E_LIMIT', `there are ${limits.models} models already; remove one first`, { limit: limits.models });
      }
      requireFastReading(decodeState(bytes), limits);
      const served = await store.put(name, bytes, expected(request));
      log('info', 'upload', { model: name, version: served.version, bytes: bytes.length });
      reply.status(201).header('location', `/v1/models/${name}`);
      return sendCard(service, served, undefined, reply);
    },
  );
}

function removeRoute(app: FastifyInstance, { store, log }: Service): void {
  app.delete(
    '/v1/models/:model',
    {
      schema: {
        operationId: 'removeModel',
        tags,
        summary: 'Removes a model.',
        params: modelParams,
        headers: ifMatch,
        response: { 204: { description: 'It is gone.' }, default: problemAnswer },
      },
    },
    async (request, reply) => {
      const { name } = findModel(store, named(request));
      await store.remove(name, expected(request));
      log('info', 'remove', { model: name });
      return reply.status(204).send();
    },
  );
}

function historyRoutes(app: FastifyInstance, { store, log }: Service): void {
  app.post(
    '/v1/models/:model/snapshot',
    {
      schema: {
        operationId: 'snapshot',
        tags: ['learning'],
        summary: 'Writes the model of now as a whole, so that a start need not learn again.',
        params: modelParams,
        response: answers(closed({ model: Type.String(), version: amount, bytes: amount }), 'It is on stable storage.'),
      },
    },
    async (request) => {
      const { name } = findModel(store, named(request));
      return { model: name, ...(await store.snapshot(name)) };
    },
  );
  const version = closed({ version: Type.Integer({ minimum: 1 }) });
  app.post(
    '/v1/models/:model/rollback',
    {
      schema: {
        operationId: 'rollback',
        tags: ['learning'],
        summary: 'The model as it was at a version, under a new version number.',
        params: modelParams,
        headers: ifMatch,
        body: { content: { 'application/json': { schema: version } } },
        response: answers(closed({ model: Type.String(), version: amount }), 'The new version.'),
      },
    },
    async (request, reply) => {
      const { name } = findModel(store, named(request));
      const wanted = (request.body as Static<typeof version>).version;
      const served = await store.rollback(name, wanted, expected(request));
      log('info', 'rollback', { model: name, to: wanted, version: served.version });
      return reply.header('etag', `"${served.version}"`).send({ model: name, version: served.version });
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
