import type { Socket } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { PolyaError } from '../errors.ts';
import { commonHeaders, type Entry } from './http/entry.ts';
import { addForwarding } from './http/forward.ts';
import { requireType, typesOf } from './http/media-types.ts';
import { addParsers } from './http/parsers.ts';
import { ownError, PROBLEM, problemOf, retryAfter } from './http/problem.ts';
import { nextId, requestId } from './http/request-id.ts';
import { addDocs } from './routes/docs.ts';
import { addRoutes } from './routes/index.ts';
import type { Service, Trace } from './service.ts';
import { problem } from './shapes.ts';

/** Nothing is converted, filled in or left out: what does not fit is refused. */
const strict = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  allowUnionTypes: true,
} as const;

/** Statuses of requests that the guard refuses. */
const byGuard: ReadonlySet<number> = new Set([401, 403, 421, 429]);

/** The one HTTP stack: Fastify with every limit set, the checks of `entry` as its first hook, all routes, and errors as problems. */
export async function makeApp(service: Service, entry: Entry, writer?: string): Promise<FastifyInstance> {
  const { limits, metrics } = service;
  const app = fastify({
    logger: false,
    http: {
      headersTimeout: limits.headersTime,
      connectionsCheckingInterval: Math.min(1000, limits.headersTime),
      maxHeaderSize: limits.headerBytes,
      noDelay: true,
    },
    requestTimeout: 0, // bodies have deadlines of their own, so that a stream may be long
    keepAliveTimeout: limits.idleTime,
    bodyLimit: limits.bodyBytes,
    routerOptions: { maxParamLength: limits.addressLength },
    ajv: { customOptions: strict },
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestIdHeader: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => clientError(error, socket, service),
    frameworkErrors: (error, request, reply) => {
      try {
        if (!entry.admit(request, reply)) sendError(service, error, request, reply);
      } catch (refusal) {
        sendError(service, refusal, request, reply);
      }
    },
  });
  app.server.maxConnections = limits.connections;
  app.server.maxHeadersCount = 100;
  app.setSerializerCompiler(() => (data) => JSON.stringify(data)); // nothing is dropped or converted
  app.addSchema({ $id: 'Problem', ...problem });
  app.addHook('onRequest', (request, reply, done) => {
    try {
      if (!entry.admit(request, reply)) done();
    } catch (refusal) {
      done(refusal as Error);
    }
  });
  if (writer !== undefined) addForwarding(app, writer, entry.slow);
  if (service.trace) addTrace(app, service.trace);
  addParsers(app, service, entry.slow);
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' && route.method !== 'HEAD') route.onRequest = requireType(typesOf(route.schema));
    const note = metrics.timer(String(route.method), route.url);
    route.onResponse = (_: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (!byGuard.has(reply.statusCode)) note(reply.statusCode, reply.elapsedTime); // others have not reached the route
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

/** Reports every routed request that was admitted to the program around the server. */
function addTrace(app: FastifyInstance, trace: Trace): void {
  const ends = new WeakMap<FastifyRequest, ReturnType<Trace>>();
  app.addHook('onRequest', (request, _, done) => {
    const { id, method, routeOptions, headers } = request;
    const { traceparent, tracestate } = headers as Record<string, string | undefined>;
    if (routeOptions.url) ends.set(request, trace({ id, method, route: routeOptions.url, traceparent, tracestate }));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    ends.get(request)?.({ status: reply.statusCode });
    done();
  });
}

/** Sends an error as a problem. Anything but a refusal is a bug: it is logged once, and the client gets the request id. */
function sendError(service: Service, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const own = ownError(error) ?? internal(service, error, request);
  service.metrics.refusedWith(own.code);
  const found = problemOf(own, request.id);
  const sent = request.url.startsWith('/v2') ? { ...found, error: found.detail } : found;
  const wait = retryAfter(own.code);
  if (wait !== undefined) reply.header('retry-after', wait);
  if (own.code === 'E_AUTH') reply.header('www-authenticate', 'Bearer');
  if (!request.raw.complete && hasLongBody(request)) reply.header('connection', 'close');
  else reply.removeHeader('connection'); // which Fastify sets for a body that is refused, though it was read
  reply
    .status(sent.status)
    .header('content-type', PROBLEM)
    .send(Buffer.from(JSON.stringify(sent)));
}

/** Unread bytes of a refused request that are skipped so that its connection can be used again. */
const MAX_SKIPPED = 65_536;

const hasLongBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_SKIPPED;

function internal({ log }: Service, error: unknown, request: FastifyRequest): PolyaError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  log('error', 'bug', { requestId: request.id, method: request.method, name, message, stack: stack?.slice(0, 2000) });
  return new PolyaError('E_INTERNAL', `a bug in Pólya; see the log for ${request.id}`, {}, error);
}

const clientErrors: Readonly<Record<string, readonly [number, string, 'E_TIMEOUT' | 'E_TOO_LARGE', string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'E_TIMEOUT', 'the headers of the request took too long'],
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'E_TOO_LARGE',
    'the headers of the request are too large',
  ],
};
const malformed = [400, 'Bad Request', 'E_BAD_REQUEST', 'the request is not well-formed HTTP'] as const;

/** Answers what cannot be read as a request, with the headers of every other response, and closes the connection. */
function clientError(error: Error & { code?: string }, socket: Socket, { metrics }: Service): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason, code, sentence] = clientErrors[error.code ?? ''] ?? malformed;
  metrics.refusedWith(code);
  const id = nextId();
  const body = JSON.stringify({ ...problemOf(new PolyaError(code, sentence), id), status });
  const headers = {
    ...commonHeaders,
    'x-request-id': id,
    'content-type': PROBLEM,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}
