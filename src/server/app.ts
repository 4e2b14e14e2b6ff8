import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import { PolyaError } from '../errors.ts';
import { commonHeaders } from './http/entry.ts';
import { addForwarding } from './http/forward.ts';
import { NDJSON } from './http/lines.ts';
import { PROBLEM, problem, problemOf, retryAfter, toPolyaError } from './http/problem.ts';
import { parseBody } from './http/strict-body.ts';
import { datasetRoutes } from './routes/datasets.ts';
import { addDocs } from './routes/docs.ts';
import { evaluateRoute } from './routes/evaluate.ts';
import { explainRoute } from './routes/explain.ts';
import { healthRoutes } from './routes/health.ts';
import { inferenceRoutes } from './routes/inference.ts';
import { insightRoutes } from './routes/insights.ts';
import { jobRoutes } from './routes/jobs.ts';
import { learnRoutes } from './routes/learn.ts';
import { modelRoutes } from './routes/models.ts';
import { predictRoute } from './routes/predict.ts';
import { versionRoutes } from './routes/versions.ts';
import type { Service, Trace } from './service.ts';

/** Options of the validator: nothing is converted, filled in or removed. */
const strict = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  allowUnionTypes: true,
} as const;

const routes = [
  healthRoutes,
  predictRoute,
  explainRoute,
  learnRoutes,
  evaluateRoute,
  insightRoutes,
  jobRoutes,
  inferenceRoutes,
];

/** Routes that take forms. */
const formRoutes = [modelRoutes, versionRoutes, datasetRoutes];

/** The one HTTP stack: Fastify with every limit set, the checks of the entry as its first hook, all routes, errors as problems. */
export async function makeApp(service: Service, writer?: string): Promise<FastifyInstance> {
  const { limits, metrics, entry } = service;
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
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    requestIdHeader: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerClientError(error, socket, service),
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
  if (writer !== undefined) addForwarding(app, writer);
  if (service.trace) addTrace(app, service.trace);
  addParsers(app, service);
  app.addHook('onRoute', (route) => {
    const note = metrics.timer(String(route.method), route.url);
    const begin: onRequestHookHandler = (request, reply, done) => {
      entry.begin(request, reply, note);
      done();
    };
    const own = route.method === 'HEAD' ? [] : [route.onRequest ?? []].flat(); // HEAD has the hooks of its GET route
    route.onRequest = [begin, ...own];
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(service, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    sendError(service, new PolyaError('E_NOT_FOUND', 'there is no such address; see /docs'), request, reply);
  });
  await addDocs(app, service);
  for (const add of routes) add(app, service);
  app.register(async (forms) => {
    // Forms have asynchronous hooks, which other requests need not pay for.
    const { uploadBytes } = limits;
    await forms.register(multipart, {
      throwFileSizeLimit: true,
      limits: { fileSize: uploadBytes, files: 1, fields: 8, fieldSize: 4096, fieldNameSize: 64, parts: 10 },
    });
    for (const add of formRoutes) add(forms, service);
  });
  await app.ready();
  return app;
}

const idStart = randomBytes(6).toString('base64url');
let idCount = 0;

/** The id of a request: the one that the client gave if it is harmless, otherwise a new one. */
function requestId(given?: string | string[]): string {
  if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given;
  return `${idStart}-${(++idCount).toString(36)}`;
}

/** The media types of bodies: strict JSON, and streams of lines. Forms are added where routes take them. */
function addParsers(app: FastifyInstance, { limits, entry }: Service): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = bytes as Buffer;
    try {
      requirePlain(request);
      done(null, parseBody(body, limits.depth));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(NDJSON, { bodyLimit: limits.uploadBytes }, (request, payload, done) => {
    try {
      requirePlain(request);
    } catch (error) {
      return done(error as Error);
    }
    entry.prolong(request.raw);
    payload.pause();
    done(null, payload);
  });
}

/** Refuses a body that is compressed, which can make a small request large, or that is not UTF-8. */
function requirePlain({ headers }: FastifyRequest): void {
  const { 'content-encoding': encoding, 'content-type': type } = headers;
  if (type === 'application/json' && encoding === undefined) return;
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(type ?? '')?.[1];
  if ((encoding === undefined || encoding === 'identity') && (charset === undefined || /^utf-?8$/i.test(charset)))
    return;
  throw new PolyaError('E_MEDIA_TYPE', 'send the body as plain UTF-8, without compression', {});
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
function sendError({ log, metrics }: Service, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const own = toPolyaError(error);
  if (own.code === 'E_INTERNAL') {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    log('error', 'bug', { requestId: request.id, method: request.method, name, message, stack: stack?.slice(0, 2000) });
  }
  metrics.refusedWith(own.code);
  const found = problemOf(own, request.id);
  const sent = request.url.startsWith('/v2') ? { ...found, error: found.detail } : found;
  const wait = retryAfter(own.code);
  if (wait !== undefined) reply.header('retry-after', wait);
  if (own.code === 'E_AUTH') reply.header('www-authenticate', 'Bearer');
  if (!request.raw.complete && hasLongBody(request)) reply.header('connection', 'close');
  else reply.removeHeader('connection'); // Fastify sets it for a body that is refused, although it was read
  reply
    .status(sent.status)
    .header('content-type', PROBLEM)
    .send(Buffer.from(JSON.stringify(sent)));
}

/** Unread bytes of a refused request that are skipped so that its connection can be used again. */
const MAX_SKIPPED = 65_536;

const hasLongBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_SKIPPED;

const clientErrors: Readonly<Record<string, readonly [number, string, 'E_TIMEOUT' | 'E_TOO_LARGE', string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'E_TIMEOUT', 'the headers of the request took too long'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'E_TOO_LARGE', 'the headers are too large'],
};
const malformed = [400, 'Bad Request', 'E_BAD_REQUEST', 'the request is not well-formed HTTP'] as const;

/** Answers what cannot be read as a request, with the headers of every other response, and closes the connection. */
function answerClientError(error: Error & { code?: string }, socket: Socket, { metrics }: Service): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason, code, sentence] = clientErrors[error.code ?? ''] ?? malformed;
  metrics.refusedWith(code);
  const id = requestId();
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
