import { request as call, type IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PolyaError } from '../../errors.ts';
import type { SlowBodies } from './slow-bodies.ts';

/** Routes that a process answers itself, from its copy of the models. */
const own = /^\/(healthz|docs|openapi\.json)?$|^\/v1\/models\/:model\/(predict|explain|evaluate)$|^\/v2/;

/** Headers that belong to a connection. RFC 9110 (2022), §7.6.1. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te']);

/** Sends requests that change something, or ask for what only the writer knows, to the writer. */
export function addForwarding(app: FastifyInstance, writer: string, slow: SlowBodies): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url === undefined || own.test(url)) return done();
    request.raw.on('data', () => slow.prolong(request.raw));
    forward(request, reply, writer);
  });
  app.addHook('preHandler', (request, reply, done) => {
    const { body } = request;
    if (typeof body !== 'object' || body === null || !('remember' in body) || !body.remember) return done();
    forward(request, reply, writer, JSON.stringify(body)); // the writer learns from feedback
  });
}

/** Sends a request to the writer, with its body as it comes or with the one given, and the answer back. */
function forward(request: FastifyRequest, reply: FastifyReply, socketPath: string, body?: string): void {
  const { raw, id } = request;
  const dropped = (name: string) =>
    name === 'expect' || (body !== undefined && name === 'content-length') || isOfConnection(name, body === undefined);
  const headers = Object.fromEntries(Object.entries(raw.headers).filter(([name]) => !dropped(name)));
  const options = { socketPath, method: raw.method, path: raw.url, headers: { ...headers, 'x-request-id': id } };
  const out = call(options, (answer: IncomingMessage) => {
    for (const [name, value] of Object.entries(answer.headers)) if (!isOfConnection(name)) reply.header(name, value);
    reply.code(answer.statusCode ?? 500).send(answer);
  });
  out.on('error', (cause) => {
    if (!reply.sent) reply.send(new PolyaError('E_OVERLOADED', 'the process that learns does not answer', {}, cause));
  });
  reply.raw.once('close', () => out.destroy());
  if (body === undefined) raw.pipe(out);
  else out.end(body);
}

/** Whether a header belongs to the connection; that of a body in chunks is needed to send the body on. */
const isOfConnection = (name: string, isStreamed = false): boolean =>
  ofConnection.has(name) && !(isStreamed && name === 'transfer-encoding');
