import type { FastifyInstance } from 'fastify';
import * as Type from 'typebox';
import type { State } from '../../core/artifact.ts';
import { exportFormats, featureOrders, type InsightTask } from '../jobs/task.ts';
import type { Service } from '../service.ts';
import { addRoute, amount, closed, content, head, numberOrNull, wholeNumber } from './route.ts';

const MAX_LIMIT = 1000;
const classes = Type.Array(Type.String());
const cell = Type.Unknown({ description: 'A number, a level, or null.' });
const maybe = Type.Optional(numberOrNull);
const text = Type.Optional(Type.String({ maxLength: 1000 }));
const limit = wholeNumber('How many; at most 1000.');
const version = (description: string) => Type.String({ pattern: '^[1-9][0-9]{0,14}$', description });

const features = {
  id: 'features',
  summary: 'The most informative words or columns for the class.',
  query: closed({ by: Type.Optional(Type.Enum([...featureOrders])), class: text, limit }),
  answer: closed({
    ...head,
    by: Type.Enum([...featureOrders]),
    classes,
    all: amount,
    features: Type.Array(
      closed({
        feature: Type.String(),
        class: Type.String(),
        score: numberOrNull,
        level: Type.Optional(Type.String()),
        rows: Type.Optional(Type.Number()),
        mi: maybe,
        chi2: maybe,
        gainRatio: maybe,
        logOdds: maybe,
        low: maybe,
        high: maybe,
        bns: maybe,
      }),
    ),
  }),
};
const nomogram = {
  id: 'nomogram',
  summary: 'What each value adds to the score, in nats.',
  query: closed({ class: text, limit }),
  answer: closed({
    ...head,
    classes,
    prior: Type.Array(Type.Number()),
    axes: Type.Array(
      closed({ feature: Type.String(), points: Type.Array(closed({ value: cell, nats: Type.Array(Type.Number()) })) }),
    ),
  }),
};
const densities = {
  id: 'densities',
  summary: 'The distribution of one feature in each class.',
  query: closed({ feature: Type.String({ maxLength: 1000 }) }),
  answer: closed({
    ...head,
    feature: Type.String(),
    kind: Type.String(),
    classes,
    points: Type.Array(closed({ value: cell, densities: Type.Array(Type.Number()) })),
  }),
};
const difference = {
  id: 'difference',
  summary: 'What changed between two versions: classes, words, parameters.',
  query: closed({
    from: version('The earlier version.'),
    to: Type.Optional(version('The later one; the present one unless given.')),
    limit,
  }),
  answer: closed({
    model: Type.String(),
    from: amount,
    to: amount,
    unit: Type.Enum(['count', 'nats']),
    classes: Type.Array(closed({ class: Type.String(), before: numberOrNull, after: numberOrNull })),
    all: amount,
    moved: Type.Array(
      closed({ class: Type.String(), feature: Type.String(), before: Type.Number(), after: Type.Number() }),
    ),
  }),
};
const download = {
  id: 'exportModel',
  tag: 'models',
  summary: 'Downloads a model: as a model file, ONNX, JSON, or a module without dependencies.',
  query: closed({ format: Type.Optional(Type.Enum([...exportFormats])) }),
  responses: {
    200: content('The file.', {
      'application/octet-stream': Type.String({ format: 'binary' }),
      'application/json': Type.Unknown(),
      'text/plain': Type.String(),
    }),
  },
};

const count = (given: string | undefined, fallback: number): number =>
  given === undefined ? fallback : Math.max(1, Math.min(MAX_LIMIT, Number(given)));

/** What the studio draws, and downloads: computed in a thread, from a copy of the model. */
export function insightRoutes(app: FastifyInstance, { store, jobs }: Service): void {
  const tag = 'insight';
  const look = async (name: string, task: (state: State) => InsightTask): Promise<object> => {
    const { version: own, model } = store.find(name);
    const { result } = await jobs.run(task(model.toState()));
    return { model: name, version: own, ...result };
  };
  addRoute(app, 'GET /v1/models/:model/features', { ...features, tag }, ({ params, query }) => {
    const { by = 'mi', class: label } = query;
    return look(params.model, (state) => ({ kind: 'features', state, by, label, limit: count(query.limit, 20) }));
  });
  addRoute(app, 'GET /v1/models/:model/nomogram', { ...nomogram, tag }, ({ params, query }) =>
    look(params.model, (state) => ({
      kind: 'nomogram',
      state,
      label: query.class,
      limit: count(query.limit, 10),
    })),
  );
  addRoute(app, 'GET /v1/models/:model/densities', { ...densities, tag }, ({ params, query }) =>
    look(params.model, (state) => ({ kind: 'densities', state, feature: query.feature })),
  );
  addRoute(app, 'GET /v1/models/:model/difference', { ...difference, tag }, async ({ params, query }) => {
    const { name, version: now } = store.find(params.model);
    const versions = { from: Number(query.from), to: Number(query.to ?? now) };
    const [from, to] = await Promise.all([store.read(name, versions.from), store.read(name, versions.to)]);
    const { result } = await jobs.run({ kind: 'difference', from, to, limit: count(query.limit, 20) });
    return { model: name, ...versions, ...result };
  });
  addRoute(app, 'GET /v1/models/:model/export', download, async ({ params, query }, reply) => {
    const { format = 'polya' } = query;
    const { name, version: own, model } = store.find(params.model);
    const { bytes, type } = await jobs.run({ kind: 'export', state: model.toState(), format });
    return reply
      .header('content-type', type)
      .header('etag', `"${own}"`)
      .header('content-disposition', `attachment; filename="${name}.${format}"`)
      .send(Buffer.from(bytes!.buffer, bytes!.byteOffset, bytes!.byteLength));
  });
}
