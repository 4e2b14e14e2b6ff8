import { request as call } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PolyaError } from '../../errors.ts';

/** Routes that a worker answers itself, from its copies of the models. */
const answered = /^\/(healthz|docs|openapi\.json)?$|^\/v1\/models\/:model\/(predict|explain|evaluate)$|^\/v2/;

/** Headers that belong to a connection. RFC 9110 (2022), §7.6.1. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te']);

/** Forwards requests that change something, or need what only the writer knows, to the writer. */
export function addForwarding(app: FastifyInstance, writer: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url === undefined || answered.test(url)) return done();
    forward(request, reply, writer);
  });
  app.addHook('preHandler', (request, reply, done) => {
    const { body } = request;
    if (typeof body !== 'object' || body === null || !('remember' in body) || !body.remember) return done();
    forward(request, reply, writer, JSON.stringify(body)); // the writer learns from feedback
  });
}

/** Sends a request to the writer, with its body as it comes or with the one given, and the response back. */
function forward(request: FastifyRequest, reply: FastifyReply, socketPath: string, body?: string): void {
  const { raw, id } = request;
  const isDropped = (name: string) => {
    if (name === 'transfer-encoding') return body !== undefined; // needed to send a body in chunks on
    return name === 'expect' || ofConnection.has(name) || (body !== undefined && name === 'content-length');
  };
  const headers = Object.fromEntries(Object.entries(raw.headers).filter(([name]) => !isDropped(name)));
  const options = { socketPath, method: raw.method, path: raw.url, headers: { ...headers, 'x-request-id': id } };
  const out = call(options, (answer) => {
    for (const [name, value] of Object.entries(answer.headers)) if (!ofConnection.has(name)) reply.header(name, value);
    reply.code(answer.statusCode ?? 500).send(answer);
  });
  out.on('error', (cause) => {
    if (!reply.sent) reply.send(new PolyaError('E_OVERLOADED', 'the process that learns does not answer', {}, cause));
  });
  reply.raw.once('close', () => out.destroy());
  if (body === undefined) raw.pipe(out);
  else out.end(body);
}
