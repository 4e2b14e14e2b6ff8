import type { FastifyRequest } from 'fastify';

const bodies = new WeakMap<object, Buffer>();

/** Keeps the bytes of a body whose hash will be asked for. */
export function keepRawBody(request: FastifyRequest, bytes: Buffer): void {
  if (request.headers['idempotency-key'] !== undefined) bodies.set(request, bytes);
}

/** The bytes of the body of a request with an idempotency key. */
export const rawBody = (request: FastifyRequest): Buffer => bodies.get(request) ?? Buffer.alloc(0);
