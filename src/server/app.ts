import type { RequestListener, Server } from 'node:http';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { PolyaError } from '../errors.ts';
import { requireType, typesOf } from './http/media-types.ts';
import { addParsers } from './http/parsers.ts';
import { ownError, PROBLEM, problemOf, retryAfter } from './http/problem.ts';
import { requestId } from './http/request-id.ts';
import type { SlowBodies } from './http/slow-bodies.ts';
import { addDocs } from './routes/docs.ts';
import { addRoutes } from './routes/index.ts';
import type { Service } from './service.ts';
import { problem } from './shapes.ts';

/** Headers of every answer: nothing of it runs, is framed, is guessed at or is kept. */
const plainHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Nothing is converted, filled in or left out: what does not fit is refused. */
const strict = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  allowUnionTypes: true,
} as const;

/** The routing table: every route with its schema, and what becomes of errors. `listen` puts the front before it. */
export async function makeApp(
  service: Service,
  slow: SlowBodies,
  listen: (handler: RequestListener) => Server,
): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    serverFactory: (handler) => listen(handler as unknown as RequestListener),
    bodyLimit: service.limits.bodyBytes,
    routerOptions: { maxParamLength: service.limits.addressLength },
    ajv: { customOptions: strict },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestIdHeader: false,
    exposeHeadRoutes: true,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  });
  app.setSerializerCompiler(() => (data) => JSON.stringify(data)); // nothing is dropped or converted on the way out
  app.addSchema({ $id: 'Problem', ...problem });
  addParsers(app, service, slow);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(plainHeaders).header('x-request-id', request.id);
    done();
  });
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' && route.method !== 'HEAD') route.onRequest = requireType(typesOf(route.schema));
    const note = service.metrics.timer(String(route.method), route.url);
    route.onResponse = (_: FastifyRequest, reply: FastifyReply, done: () => void) => {
      note(reply.statusCode, reply.elapsedTime);
      done();
    };
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(service, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    sendError(service, new PolyaError('E_NOT_FOUND', 'there is no such address; see /docs'), request, reply);
  });
  await addDocs(app, service);
  addRoutes(app, service);
  await app.ready();
  return app;
}

/** Errors as problems. What is no refusal is a bug: it is logged once, and the client gets a name to ask about. */
function sendError(service: Service, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const own = ownError(error) ?? internal(service, error, request);
  service.metrics.refusedWith(own.code);
  const told = problemOf(own, request.id);
  const problem = request.url.startsWith('/v2') ? { ...told, error: told.detail } : told;
  const wait = retryAfter(own.code);
  if (wait !== undefined) reply.header('retry-after', wait);
  reply
    .status(problem.status)
    .header('content-type', PROBLEM)
    .send(Buffer.from(JSON.stringify(problem)));
}

function internal({ log }: Service, error: unknown, request: FastifyRequest): PolyaError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  log('error', 'bug', { requestId: request.id, method: request.method, name, message, stack: stack?.slice(0, 2000) });
  return new PolyaError('E_INTERNAL', `a bug in Pólya; the log tells more under ${request.id}`, {}, error);
}
