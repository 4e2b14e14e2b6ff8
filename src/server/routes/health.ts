import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Service } from '../service.ts';
import { amount, closed, content, operation } from '../shapes.ts';

const readiness = closed({ ready: Type.Boolean(), models: amount, learning: Type.String(), version: Type.String() });
const tag = 'operation';

/** GET /healthz, /readyz and /metrics */
export function healthRoutes(app: FastifyInstance, { store, ready, version, metrics }: Service): void {
  const alive = closed({ status: Type.Literal('ok') });
  app.get('/healthz', operation('health', tag, 'Whether the process lives.', { answer: alive }), () => ({
    status: 'ok',
  }));
  const busy = { 503: content('Requests are not accepted.', { 'application/json': readiness }) };
  app.get(
    '/readyz',
    operation('readiness', tag, 'Whether requests are accepted, and whether the models learn.', {
      answer: readiness,
      responses: busy,
    }),
    (_, reply) => {
      if (!ready()) reply.status(503);
      return reply.send({ ready: ready(), models: store.list().length, learning: store.state, version });
    },
  );
  app.get(
    '/metrics',
    operation('metrics', tag, 'Counters of the server, as text for Prometheus.', {
      responses: { 200: content('The counters.', { 'text/plain': Type.String() }) },
    }),
    async (_, reply) => reply.header('content-type', metrics.registry.contentType).send(await metrics.text()),
  );
}
