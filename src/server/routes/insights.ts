import type { FastifyInstance } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import type { State } from '../../core/artifact.ts';
import { findModel } from '../find-model.ts';
import { exportFormats } from '../jobs/export-task.ts';
import { featureOrders, type InsightTask } from '../jobs/insight-task.ts';
import type { Service } from '../service.ts';
import { amount, closed, content, modelParams, OCTETS, operation, perhaps, wholeWord } from '../shapes.ts';

const MOST = 1000;
const head = { model: Type.String(), version: amount };
const classes = Type.Array(Type.String());
const cell = Type.Unknown({ description: 'A number, a level, or null.' });

const features = closed({
  ...head,
  by: Type.Enum([...featureOrders]),
  classes,
  all: amount,
  features: Type.Array(
    Type.Object(
      {
        feature: Type.String(),
        class: Type.String(),
        score: perhaps,
        level: Type.Optional(Type.String()),
        rows: Type.Optional(Type.Number()),
        mi: Type.Optional(perhaps),
        chi2: Type.Optional(perhaps),
        gainRatio: Type.Optional(perhaps),
        logOdds: Type.Optional(perhaps),
        low: Type.Optional(perhaps),
        high: Type.Optional(perhaps),
        bns: Type.Optional(perhaps),
      },
      { additionalProperties: false },
    ),
  ),
});
const nomogram = closed({
  ...head,
  classes,
  prior: Type.Array(Type.Number()),
  axes: Type.Array(
    closed({ feature: Type.String(), points: Type.Array(closed({ value: cell, nats: Type.Array(Type.Number()) })) }),
  ),
});
const densities = closed({
  ...head,
  feature: Type.String(),
  kind: Type.String(),
  classes,
  points: Type.Array(closed({ value: cell, densities: Type.Array(Type.Number()) })),
});

const difference = closed({
  model: Type.String(),
  from: amount,
  to: amount,
  unit: Type.Enum(['count', 'nats']),
  classes: Type.Array(closed({ class: Type.String(), before: perhaps, after: perhaps })),
  all: amount,
  moved: Type.Array(
    closed({ class: Type.String(), feature: Type.String(), before: Type.Number(), after: Type.Number() }),
  ),
});

const differenceQuery = closed({
  from: Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'The earlier version.' }),
  to: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'The later one; the present one unless given.' }),
  ),
  limit: wholeWord('How many; 20 unless given, at most 1000.'),
});
const featureQuery = closed({
  by: Type.Optional(Type.Enum([...featureOrders])),
  class: Type.Optional(Type.String({ maxLength: 1000 })),
  limit: wholeWord('How many; 20 unless given, at most 1000.'),
});
const nomogramQuery = closed({
  class: Type.Optional(Type.String({ maxLength: 1000 })),
  limit: wholeWord('How many axes; 10 unless given.'),
});
const densityQuery = closed({ feature: Type.String({ maxLength: 1000 }) });
const exportQuery = closed({ format: Type.Optional(Type.Enum([...exportFormats])) });

const named = (params: unknown): string => (params as Static<typeof modelParams>).model;
const count = (word: unknown, usual: number): number =>
  word === undefined ? usual : Math.max(1, Math.min(MOST, Number(word)));

const route = (what: string, summary: string, querystring: TSchema, answer: TSchema) =>
  operation(what, 'insight', summary, { params: modelParams, querystring, answer });

/** What the studio draws, and what can be downloaded: read in a thread, from a copy of the model. */
export function insightRoutes(app: FastifyInstance, service: Service): void {
  const { store, jobs } = service;
  const look = async (name: string, task: (state: State) => InsightTask): Promise<object> => {
    const { version, model } = findModel(store, name);
    const { result } = await jobs.ask(task(model.toState()));
    return { model: name, version, ...result };
  };
  app.get(
    '/v1/models/:model/features',
    route('features', 'The words or columns that tell most about the class.', featureQuery, features),
    (request) => {
      const { by = 'mi', class: label, limit } = request.query as Static<typeof featureQuery>;
      return look(named(request.params), (state) => ({ kind: 'features', state, by, label, limit: count(limit, 20) }));
    },
  );
  app.get(
    '/v1/models/:model/nomogram',
    route('nomogram', 'What each value adds to the score, in nats.', nomogramQuery, nomogram),
    (request) => {
      const { class: label, limit } = request.query as Static<typeof nomogramQuery>;
      return look(named(request.params), (state) => ({ kind: 'nomogram', state, label, limit: count(limit, 10) }));
    },
  );
  app.get(
    '/v1/models/:model/densities',
    route('densities', 'How the values of one feature are spread in each class.', densityQuery, densities),
    (request) => {
      const { feature } = request.query as Static<typeof densityQuery>;
      return look(named(request.params), (state) => ({ kind: 'densities', state, feature }));
    },
  );
  app.get(
    '/v1/models/:model/difference',
    route('difference', 'What moved between two versions: classes, words, parameters.', differenceQuery, difference),
    async (request) => {
      const { from, to, limit } = request.query as Static<typeof differenceQuery>;
      const { name, version } = findModel(store, named(request.params));
      const versions = { from: Number(from), to: to === undefined ? version : Number(to) };
      const [before, after] = await Promise.all([store.read(name, versions.from), store.read(name, versions.to)]);
      const { result } = await jobs.ask({ kind: 'difference', from: before, to: after, limit: count(limit, 20) });
      return { model: name, ...versions, ...result };
    },
  );
  exportRoute(app, service);
}

function exportRoute(app: FastifyInstance, { store, jobs }: Service): void {
  app.get(
    '/v1/models/:model/export',
    operation('exportModel', 'models', 'Downloads a model: as a model file, ONNX, JSON, or a module on its own.', {
      params: modelParams,
      querystring: exportQuery,
      responses: {
        200: content('The file.', {
          [OCTETS]: Type.String({ format: 'binary' }),
          'application/json': Type.Unknown(),
          'text/plain': Type.String(),
        }),
      },
    }),
    async (request, reply) => {
      const { format = 'polya' } = request.query as Static<typeof exportQuery>;
      const { name, version, model } = findModel(store, named(request.params));
      const { bytes, type } = await jobs.ask({ kind: 'export', state: model.toState(), format });
      return reply
        .header('content-type', type)
        .header('etag', `"${version}"`)
        .header('content-disposition', `attachment; filename="${name}.${format}"`)
        .send(Buffer.from(bytes!.buffer, bytes!.byteOffset, bytes!.byteLength));
    },
  );
}
