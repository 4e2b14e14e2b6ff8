import type { FastifySchema, onRequestHookHandler } from 'fastify';
import { PolyaError } from '../../errors.ts';

/** The media types of the bodies that a route declares. */
export function typesOf(
  schema: (FastifySchema & { readonly consumes?: readonly string[] }) | undefined,
): readonly string[] {
  const { content = {} } = (schema?.body ?? {}) as { readonly content?: object };
  return [...Object.keys(content), ...(schema?.consumes ?? [])];
}

/** Refuses a body of a media type that the route does not declare, before it is read. */
export function requireType(types: readonly string[]): onRequestHookHandler {
  const known = new Set(types);
  const list = types.length > 0 ? `takes ${types.join(' or ')}` : 'takes no body';
  return ({ headers }, _, done) => {
    const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    const type = (headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
    if (known.has(type) || (empty && types.length === 0)) return done();
    done(new PolyaError('E_MEDIA_TYPE', `this address ${list}`, {}));
  };
}
