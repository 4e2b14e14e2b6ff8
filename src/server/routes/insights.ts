import type { FastifyInstance } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
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
  const look = async (name: string, task: (state: InsightTask['state']) => InsightTask): Promise<object> => {
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
