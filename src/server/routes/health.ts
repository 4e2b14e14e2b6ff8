import type { FastifyInstance } from 'fastify';
import * as Type from 'typebox';
import type { Service } from '../service.ts';
import { addRoute, amount, closed, content } from './route.ts';

const alive = closed({ status: Type.Literal('ok') });
const readiness = closed({ ready: Type.Boolean(), models: amount, learning: Type.String(), version: Type.String() });
const tag = 'operation';

/** GET /healthz, /readyz and /metrics */
export function healthRoutes(app: FastifyInstance, service: Service): void {
  const { store, version, metrics } = service;
  const health = { id: 'health', tag, summary: 'Whether the process is alive.', answer: alive };
  addRoute(app, 'GET /healthz', health, () => ({ status: 'ok' }));
  const ready = {
    id: 'readiness',
    tag,
    summary: 'Whether requests are accepted, and whether the models learn.',
    answer: readiness,
    responses: { 503: content('Requests are not accepted.', { 'application/json': readiness }) },
  };
  addRoute(app, 'GET /readyz', ready, (_, reply) => {
    if (!service.ready) reply.status(503);
    return reply.send({ ready: service.ready, models: store.list().length, learning: store.state, version });
  });
  const counters = {
    id: 'metrics',
    tag,
    summary: 'Metrics of the server, as text for Prometheus.',
    responses: { 200: content('The metrics.', { 'text/plain': Type.String() }) },
  };
  addRoute(app, 'GET /metrics', counters, async (_, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.text()),
  );
}
