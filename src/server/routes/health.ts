import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Service } from '../service.ts';
import { amount, answers, closed, content, problemAnswer } from '../shapes.ts';

const readiness = closed({ ready: Type.Boolean(), models: amount, learning: Type.String(), version: Type.String() });

/** GET /healthz, /readyz and /metrics */
export function healthRoutes(app: FastifyInstance, service: Service): void {
  const { store, ready, version } = service;
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'health',
        tags: ['operation'],
        summary: 'Whether the process lives.',
        response: answers(closed({ status: Type.Literal('ok') }), 'It lives.'),
      },
    },
    () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'readiness',
        tags: ['operation'],
        summary: 'Whether requests are welcome, and whether the models learn.',
        response: {
          ...answers(readiness, 'Requests are welcome.'),
          503: { description: 'They are not.', content: { 'application/json': { schema: readiness } } },
        },
      },
    },
    (_, reply) => {
      if (!ready()) reply.status(503);
      return reply.send({ ready: ready(), models: store.list().length, learning: store.state, version });
    },
  );
  metricsRoute(app, service);
}

function metricsRoute(app: FastifyInstance, { metrics }: Service): void {
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'metrics',
        tags: ['operation'],
        summary: 'What the server counts, as text for Prometheus.',
        response: { 200: content('The counts.', { 'text/plain': Type.String() }), default: problemAnswer },
      },
    },
    async (_, reply) =>
      reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
