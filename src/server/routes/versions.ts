import type { FastifyInstance, FastifyReply } from 'fastify';
import * as Type from 'typebox';
import { Classifier } from '../../auto/classifier.ts';
import { type LoadedModel, load } from '../../auto/load.ts';
import { refuse } from '../../errors.ts';
import type { Service } from '../service.ts';
import { origins, type Past } from '../store/records.ts';
import { FORM, readForm } from './models.ts';
import { addRoute, amount, closed, head, ifMatch, ifVersionOf, type RouteRequest, tagged } from './route.ts';

const entry = closed({
  version: amount,
  origin: Type.Enum([...origins]),
  at: Type.String(),
  rows: amount,
  kept: Type.Boolean({ description: 'Whether rollback can return to it.' }),
});
const wanted = closed({ version: Type.Integer({ minimum: 1 }) });
const decayed = closed({
  factor: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'The factor for all counts.' }),
});

/** What models that are made of counts can do. */
interface Countable {
  merge?(other: unknown): unknown;
  decay?(halfLife: number, elapsed: number): unknown;
  toBytes(): Uint8Array;
}

/** The versions of a model: list, snapshot, rollback, and changes of the whole model, merge and decay. */
export function versionRoutes(app: FastifyInstance, service: Service): void {
  const { store, log } = service;
  const history = {
    id: 'listVersions',
    tag: 'models',
    summary: 'The versions of a model, oldest first.',
    answer: closed({ ...head, versions: Type.Array(entry) }),
  };
  addRoute(app, 'GET /v1/models/:model/versions', history, ({ params }) => {
    const { name, version } = store.find(params.model);
    return { model: name, version, versions: store.versions(name) };
  });
  const snapshot = {
    id: 'snapshot',
    tag,
    summary: 'Writes the model as a file on stable storage, so that a start is fast.',
    answer: closed({ ...head, bytes: amount }),
  };
  addRoute(app, 'POST /v1/models/:model/snapshot', snapshot, async ({ params }) => {
    const { name } = store.find(params.model);
    const { version, bytes } = await store.snapshot(name);
    return { model: name, version, bytes };
  });
  const rollback = {
    id: 'rollback',
    tag,
    summary: 'Serves an earlier version again, under a new version number.',
    headers: ifMatch,
    body: wanted,
    answer,
  };
  addRoute(app, 'POST /v1/models/:model/rollback', rollback, async (request, reply) => {
    const { name } = store.find(request.params.model);
    const to = request.body.version;
    const { version } = await store.rollback(name, to, ifVersionOf(request));
    log('info', 'rollback', { model: name, to, version });
    return tagged(reply, { model: name, version });
  });
  const merge = {
    id: 'merge',
    tag,
    summary: 'Merges another model of the same kind, uploaded as a form.',
    headers: ifMatch,
    consumes: [FORM],
    answer,
  };
  addRoute(app, 'POST /v1/models/:model/merge', merge, async (request, reply) => {
    const other = load<LoadedModel>(await readForm(request, [], (file) => file.toBuffer()));
    return change(service, request, reply, 'merged', (model) => {
      if (!model.merge) refuseKind('merge');
      model.merge(other);
    });
  });
  const decay = {
    id: 'decay',
    tag,
    summary: 'Multiplies all counts by a factor, so that older rows count less.',
    headers: ifMatch,
    body: decayed,
    answer,
  };
  addRoute(app, 'POST /v1/models/:model/decay', decay, (request, reply) => {
    const { factor } = request.body;
    return change(service, request, reply, 'decayed', (model) => {
      if (!model.decay) refuseKind('decay');
      if (model instanceof Classifier) model.decay(factor);
      else model.decay(1, -Math.log2(factor)); // after this many half-lives, `factor` is left
    });
  });
}

const tag = 'learning';
const answer = closed(head);

function refuseKind(method: string): never {
  return refuse('E_CONFLICT', `this model has no ${method}: it keeps no counts`, { method });
}

/** Changes a copy of a model and serves it as a new version, unless the model has changed meanwhile. */
async function change(
  { store, log }: Service,
  request: RouteRequest,
  reply: FastifyReply,
  origin: Past['origin'],
  act: (copy: Countable) => void,
): Promise<object> {
  const { name, version: before, model } = store.find(request.params.model);
  const { ifVersion = before } = ifVersionOf(request);
  const copy: Countable = load<LoadedModel>(model.toBytes());
  act(copy);
  const { version } = await store.put(name, copy.toBytes(), { ifVersion, origin });
  log('info', origin, { model: name, version });
  return tagged(reply, { model: name, version });
}
