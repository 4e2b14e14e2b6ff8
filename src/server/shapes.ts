import type { FastifySchema } from 'fastify';
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';

/** An object with these entries and no others. */
export const closed = <P extends TProperties>(properties: P, description?: string): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...(description !== undefined && { description }) });

/** A class label. */
export const label = Type.Unsafe<string | number | boolean>({ type: ['string', 'integer', 'boolean'] });

/** A whole number from 0 on. */
export const amount = Type.Integer({ minimum: 0 });

/** A probability. */
export const probability = Type.Number({ minimum: 0, maximum: 1 });

/** A number, or null where there is none. */
export const perhaps = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** What the name of a model is made of. */
export const MODEL = '[a-z0-9][a-z0-9._-]{0,63}';
export const MODEL_NAME = `^${MODEL}$`;

/** The name of a model. */
export const modelName = Type.String({ pattern: MODEL_NAME, examples: ['spam'] });

/** The path of everything under one model. */
export const modelParams = closed({ model: modelName });

/** What a client asks about. */
export const instance = Type.Unsafe<unknown>({
  type: ['string', 'object', 'array'],
  description: 'A text, an object with the cells by name, or an array with the cells in the order of the columns.',
});

/** A label with its probability. */
export const problem = closed(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    code: Type.String({ pattern: '^E_[A-Z_]+$' }),
    details: Type.Object({}, { additionalProperties: true }),
    requestId: Type.String(),
    suggestion: Type.Optional(Type.String()),
    error: Type.Optional(Type.String({ description: 'Of /v2: the detail, where clients of that protocol look.' })),
    errors: Type.Optional(Type.Array(closed({ pointer: Type.String(), detail: Type.String() }))),
  },
  'What is wrong, after RFC 9457. `code` is stable.',
);

/** Media types that are not JSON. */
export const NDJSON = 'application/x-ndjson';
export const OCTETS = 'application/octet-stream';

/** An answer with another media type than JSON, or with several. */
export const content = (description: string, schemas: Readonly<Record<string, TSchema>>): object => ({
  description,
  content: Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }])),
});

/** The answer that every address may give: a problem. */
export const problemAnswer: object = {
  description: 'What is wrong, as application/problem+json.',
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
};

/** A JSON answer of a route, beside the problems it may have. */
export const answers = (schema: TSchema, description: string, status = 200): Record<string, object> => ({
  [status]: { description, content: { 'application/json': { schema } } },
  default: problemAnswer,
});

/** Query values are words; this is one that is a whole number. */
export const wholeWord = (description: string): TSchema =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,6}$', description }));

/** What a route takes and gives, apart from its name. */
interface Operation {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
  /** A JSON body. */
  readonly body?: TSchema;
  /** Media types of a body that is no JSON. */
  readonly consumes?: readonly string[];
  /** A JSON answer and its status. */
  readonly answer?: TSchema;
  readonly status?: number;
  /** Answers beside that one. */
  readonly responses?: object;
}

/** The options of a route: its schema, which checks requests and describes the route in OpenAPI. */
export function operation(
  operationId: string,
  tag: string,
  summary: string,
  { body, answer, status, responses, ...rest }: Operation,
): { schema: FastifySchema & { readonly consumes?: readonly string[] } } {
  const json = body && { body: { content: { 'application/json': { schema: body } } } };
  const response = { ...(answer ? answers(answer, summary, status) : { default: problemAnswer }), ...responses };
  return { schema: { operationId, tags: [tag], summary, ...rest, ...json, response } };
}
