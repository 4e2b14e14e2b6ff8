import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import * as Type from 'typebox';
import { PolyaError, refuse, show } from '../../errors.ts';
import { NDJSON } from '../http/lines.ts';
import { PROBLEM } from '../http/problem.ts';

/** An object with these entries and no others. */
export const closed = <P extends TProperties>(properties: P, description?: string): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) });

/** An object with any entries. */
export const anyObject = (description: string) => Type.Object({}, { additionalProperties: true, description });

/** A class label. */
export const label = Type.Unsafe<string | number | boolean>({ type: ['string', 'integer', 'boolean'] });

/** A whole number from 0 on. */
export const amount = Type.Integer({ minimum: 0 });

/** A probability. */
export const probability = Type.Number({ minimum: 0, maximum: 1 });

/** A number, or null if it is not defined. */
export const numberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** The name of a model and the version that answers. */
export const head = { model: Type.String(), version: amount };

/** Names of models. */
export const MODEL_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The name of a model. */
export const modelName = Type.String({ pattern: MODEL_NAME.source, examples: ['spam'] });

/** An instance as clients send it. */
export const instance = Type.Unsafe<unknown>({
  type: ['string', 'object', 'array'],
  description: 'A text, an object with the cells by name, or an array with the cells in the order of the columns.',
});

/** The header that limits a change to one version. */
export const ifMatch = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'The version that the change is meant for, in quotes.' })),
});

/** A whole number in a query, where values are strings. */
export const wholeNumber = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,6}$', description }));

/** A response with another media type than JSON, or with several. */
export const content = (description: string, schemas: Readonly<Record<string, TSchema>>): object => ({
  description,
  content: Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }])),
});

/** The schemas of a route. */
interface Operation<Q extends TSchema, B extends TSchema> {
  /** Its name in OpenAPI. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Parameters of the address other than the model. */
  readonly params?: TProperties;
  readonly query?: Q;
  readonly headers?: TSchema;
  /** A JSON body. */
  readonly body?: B;
  /** Media types of a body that is not JSON. */
  readonly consumes?: readonly string[];
  /** A JSON answer, and its status if that is not 200. */
  readonly answer?: TSchema;
  readonly status?: number;
  /** The answer to a line, for routes that also take streams of lines. */
  readonly line?: TSchema;
  /** Further responses. */
  readonly responses?: object;
}

/** A request whose parts have passed the schemas of its route. */
export type RouteRequest<Q extends TSchema = TSchema, B extends TSchema = TSchema> = FastifyRequest<{
  Params: { readonly model: string; readonly id: string; readonly version?: string };
  Querystring: Static<Q>;
  Body: Static<B>;
}>;

/** Adds a route such as `GET /v1/models/:model`. Its schemas check requests and describe it in OpenAPI. */
export function addRoute<Q extends TSchema = TSchema, B extends TSchema = TSchema>(
  app: FastifyInstance,
  address: `${'GET' | 'POST' | 'DELETE'} /${string}`,
  operation: Operation<Q, B>,
  handler: (request: RouteRequest<Q, B>, reply: FastifyReply) => unknown,
): void {
  const { id: operationId, tag, summary, description, query, headers, body, answer, line, responses } = operation;
  const { status = 200, consumes = [] } = operation;
  const [method, url] = address.split(' ');
  const params = { ...(url.includes(':model') && { model: modelName }), ...operation.params };
  const bodies = { ...(body && { 'application/json': { schema: body } }), ...(line && anyLines) };
  const types = [...Object.keys(bodies), ...consumes];
  const response = {
    ...(answer && { [status]: content(summary, { 'application/json': answer, ...(line && { [NDJSON]: line }) }) }),
    ...responses,
    default: { description: 'An error.', content: { [PROBLEM]: { schema: { $ref: 'Problem#' } } } },
  };
  app.route({
    method,
    url,
    ...(method !== 'GET' && { onRequest: requireType(types) }),
    schema: {
      operationId,
      tags: [tag],
      summary,
      response,
      ...(description !== undefined && { description }),
      ...(consumes.length > 0 && { consumes }),
      ...(Object.keys(params).length > 0 && { params: closed(params) }),
      ...(query && { querystring: query }),
      ...(headers && { headers }),
      ...(types.length > consumes.length && { body: { content: bodies } }),
    },
    handler: (request, reply) => handler(request as RouteRequest<Q, B>, reply),
  });
}

const anyLines = { [NDJSON]: { schema: Type.Unknown() } };

/** Refuses a body of a media type that the route does not declare, before it is read. */
function requireType(types: readonly string[]): onRequestHookHandler {
  const known = new Set(types);
  const list = types.length > 0 ? `takes ${types.join(' or ')}` : 'takes no body';
  return ({ headers }, _, done) => {
    const type = headers['content-type'] ?? '';
    if (known.has(type) || known.has(type.split(';')[0].trim().toLowerCase())) return done();
    const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    if (isEmpty && types.length === 0) return done();
    done(new PolyaError('E_MEDIA_TYPE', `this address ${list}`, {}));
  };
}

/** Sets the version of an answer as the entity tag; returns the answer. */
export function tagged<A extends { readonly version: number }>(reply: FastifyReply, answer: A): A {
  reply.header('etag', `"${answer.version}"`);
  return answer;
}

/** The version that a change is meant for, from `If-Match`. */
export function ifVersionOf({ headers }: FastifyRequest): { readonly ifVersion: number | undefined } {
  const header = headers['if-match'];
  if (header === undefined || header === '*') return { ifVersion: undefined };
  const [, version] = /^"(\d{1,15})"$/.exec(header.trim()) ?? [];
  if (version !== undefined) return { ifVersion: Number(version) };
  const sentence = `if-match is ${show(header)}; give the version in quotes, such as "17"`;
  return refuse('E_BAD_REQUEST', sentence, { header: 'if-match' });
}
