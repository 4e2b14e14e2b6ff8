import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PolyaError } from '../../errors.ts';
import type { Service } from '../service.ts';
import { NDJSON } from '../shapes.ts';
import type { SlowBodies } from './slow-bodies.ts';
import { parseBody } from './strict-body.ts';

const bodies = new WeakMap<object, Buffer>();

/** The bytes of the JSON body of a request with an idempotency key. */
export const rawBody = (request: FastifyRequest): Buffer => bodies.get(request) ?? Buffer.alloc(0);

/** The media types that bodies may have: strict JSON, streams of lines, and forms with a file where a route takes one. */
export function addParsers(app: FastifyInstance, { limits }: Service, slow: SlowBodies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = bytes as Buffer;
    try {
      requirePlain(request);
      if (request.headers['idempotency-key'] !== undefined) bodies.set(request, body);
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
    payload.on('data', () => slow.prolong(request.raw)).pause();
    done(null, payload);
  });
  app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fileSize: limits.uploadBytes, files: 1, fields: 8, fieldSize: 4096, fieldNameSize: 64, parts: 10 },
  });
}

/** Bodies are sent as they are, in UTF-8: unpacking is where small requests become large ones. */
function requirePlain({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if ((encoding === undefined || encoding === 'identity') && (charset === undefined || /^utf-?8$/i.test(charset)))
    return;
  throw new PolyaError('E_MEDIA_TYPE', 'bodies are taken as plain UTF-8, without compression', {});
}
