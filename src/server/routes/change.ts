import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { Classifier } from '../../auto/classifier.ts';
import { type LoadedModel, load } from '../../auto/load.ts';
import { refuse } from '../../errors.ts';
import { findModel, wantedVersion } from '../find-model.ts';
import { readUpload } from '../http/upload.ts';
import type { VersionEntry } from '../model-store.ts';
import type { Service } from '../service.ts';
import { amount, closed, modelParams, operation } from '../shapes.ts';
import { ifMatch } from './models-schema.ts';

const answer = closed({ model: Type.String(), version: amount });
const decayed = closed({
  factor: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'What all counts are multiplied by.' }),
});

/** What models that are made of counts can do. */
interface Countable {
  merge?(other: unknown): unknown;
  decay?(halfLife: number, elapsed: number): unknown;
  toBytes(): Uint8Array;
}

/** POST …/merge and …/decay: changes of the whole model, as a new version. */
export function changeRoutes(app: FastifyInstance, service: Service): void {
  app.post(
    '/v1/models/:model/merge',
    operation('merge', 'learning', 'Adds what another model of the same kind, sent as a form, has learned.', {
      params: modelParams,
      headers: ifMatch,
      consumes: ['multipart/form-data'],
      answer,
    }),
    async (request, reply) => {
      const { bytes } = await readUpload(request, service.limits.uploadBytes, []);
      const other = load<LoadedModel>(bytes);
      return change(service, request, reply, 'merged', (model) => {
        if (!model.merge) refuseKind('merge');
        model.merge(other);
      });
    },
  );
  app.post(
    '/v1/models/:model/decay',
    operation('decay', 'learning', 'Multiplies all counts by a factor: what was learned long ago counts less.', {
      params: modelParams,
      headers: ifMatch,
      body: decayed,
      answer,
    }),
    (request, reply) => {
      const { factor } = request.body as Static<typeof decayed>;
      return change(service, request, reply, 'decayed', (model) => {
        if (!model.decay) refuseKind('decay');
        if (model instanceof Classifier) model.decay(factor);
        else model.decay(1, -Math.log2(factor)); // a half-life of 1, over the time in which so much is left
      });
    },
  );
}

function refuseKind(method: string): never {
  return refuse('E_CONFLICT', `this model has no ${method}: it keeps no counts`, { method });
}

/** Changes a copy of a model and serves it as a new version, unless the model has changed meanwhile. */
async function change(
  { store, log }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  origin: VersionEntry['origin'],
  act: (copy: Countable) => void,
): Promise<FastifyReply> {
  const { name, version: before, model } = findModel(store, (request.params as Static<typeof modelParams>).model);
  const ifVersion = wantedVersion(request.headers['if-match']) ?? before;
  const copy: Countable = load<LoadedModel>(model.toBytes());
  act(copy);
  const { version } = await store.put(name, copy.toBytes(), { ifVersion, origin });
  log('info', origin, { model: name, version });
  return reply.header('etag', `"${version}"`).send({ model: name, version });
}
