import { homedir, tmpdir } from 'node:os';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { type ErrorCode, PolyaError, refusals } from '../../errors.ts';
import { pointerStep } from '../model/instances.ts';

/** The media type of problems. */
export const PROBLEM = 'application/problem+json';

/** An error as `application/problem+json`. RFC 9457 (2023). */
export const problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    code: Type.String({ pattern: '^E_[A-Z_]+$' }),
    details: Type.Object({}, { additionalProperties: true }),
    requestId: Type.String(),
    suggestion: Type.Optional(Type.String()),
    error: Type.Optional(
      Type.String({ description: 'Of /v2: a copy of detail, where clients of that protocol expect it.' }),
    ),
    errors: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }, { additionalProperties: false }), {
        description: 'The places in the request, as JSON pointers.',
      }),
    ),
  },
  { additionalProperties: false, description: 'An error, after RFC 9457. `code` is stable.' },
);

/** See `problem`. */
export type Problem = Static<typeof problem>;

/** The HTTP status of every code that is not a refusal of well-formed content. */
const statuses: Partial<Record<ErrorCode, number>> = {
  E_BAD_REQUEST: 400,
  E_ENCODING: 400,
  E_UNICODE: 400,
  E_AUTH: 401,
  E_ORIGIN: 403,
  E_NOT_FOUND: 404,
  E_TIMEOUT: 408,
  E_CONFLICT: 409,
  E_CANCELLED: 409,
  E_IDEMPOTENCY_CONFLICT: 409,
  E_TOO_LARGE: 413,
  E_LIMIT: 413,
  E_MEDIA_TYPE: 415,
  E_HOST: 421,
  E_RATE: 429,
  E_INTERNAL: 500,
  E_IO: 500,
  E_STORE_CORRUPT: 500,
  E_OVERLOADED: 503,
  E_STORE_READONLY: 503,
  E_STORE_LOCKED: 503,
  E_DISK_FULL: 507,
};

/** What a client can do, where the sentence does not say so. */
const suggestions: Partial<Record<ErrorCode, string>> = {
  E_AUTH: 'Send the header "authorization: Bearer TOKEN" with the token that the server was started with.',
  E_HOST: 'Call the server by the address that it printed, or start it with --allow-host NAME.',
  E_ORIGIN: 'Pages of other sites may not call this server; start it with --allow-origin ORIGIN to allow one.',
  E_MEDIA_TYPE: 'Send JSON with the header "content-type: application/json".',
  E_OVERLOADED: 'Try again after the seconds in the header "retry-after".',
  E_STORE_READONLY: 'Check the disk of the journal; learning resumes by itself, and what was acknowledged is safe.',
  E_DISK_FULL: 'Free space on the disk of the journal; learning resumes by itself.',
  E_UNLEARN_UNDERFLOW: 'Unlearn only what was learned before, with the same label and weight.',
};

/** An error as clients see it. */
export function problemOf(error: PolyaError, requestId: string): Problem {
  const { code, message } = error;
  const { pointer, ...details } = error.details;
  const detail = publicText(message, MAX_SENTENCE);
  const short = JSON.parse(JSON.stringify(details), (_, value) => {
    if (typeof value === 'string') return publicText(value, MAX_VALUE);
    return Array.isArray(value) ? value.slice(0, MAX_LIST) : value;
  }) as object;
  const suggestion = suggestions[code];
  return {
    type: `/docs#${code}`,
    title: refusals[code],
    status: statuses[code] ?? 422, // refused by the model or by the data
    detail,
    code,
    details: short,
    requestId,
    ...(suggestion !== undefined && { suggestion }),
    ...(typeof pointer === 'string' && { errors: [{ pointer: publicText(pointer, MAX_VALUE), detail }] }),
  };
}

/** The longest sentence, value and list of a problem. */
const [MAX_SENTENCE, MAX_VALUE, MAX_LIST] = [400, 200, 20];

/** Folders of this machine, which no response contains. */
const folders = [...new Set([tmpdir(), homedir(), process.cwd()])].filter((folder) => folder.length > 1);

function publicText(text: string, limit: number): string {
  let shown = text;
  for (const folder of folders) shown = shown.replaceAll(folder, '…');
  return shown.length > limit ? `${shown.slice(0, limit - 1)}…` : shown;
}

/** Seconds after which a client may try again. */
export function retryAfter(code: ErrorCode): number | undefined {
  if (code === 'E_OVERLOADED' || code === 'E_RATE') return 1;
  return code === 'E_STORE_READONLY' || code === 'E_DISK_FULL' ? 10 : undefined;
}

/** Errors of Fastify and Node, by their codes. */
const foreign: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['E_TOO_LARGE', 'the body is larger than this server accepts'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['E_MEDIA_TYPE', 'this address does not accept a body of this media type'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['E_BAD_REQUEST', 'the body is not as long as its header says'],
  FST_ERR_BAD_URL: ['E_BAD_REQUEST', 'the address is not well formed'],
  FST_ERR_MAX_PARAM_LENGTH: ['E_BAD_REQUEST', 'a name in the address is too long'],
  FST_REQ_FILE_TOO_LARGE: ['E_TOO_LARGE', 'the file is larger than this server accepts'],
  FST_FILES_LIMIT: ['E_BAD_REQUEST', 'there is more than one file in the body'],
  FST_PARTS_LIMIT: ['E_BAD_REQUEST', 'the body has too many parts'],
  FST_FIELDS_LIMIT: ['E_BAD_REQUEST', 'the body has too many fields'],
  FST_PROTO_VIOLATION: ['E_BAD_REQUEST', 'a part of the body has a name that is not allowed'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['E_MEDIA_TYPE', 'the body is not multipart/form-data'],
  ECONNRESET: ['E_BAD_REQUEST', 'the client closed the connection'],
};

interface Foreign {
  readonly code?: string;
  readonly statusCode?: number;
  readonly validation?: readonly {
    readonly instancePath: string;
    readonly message?: string;
    readonly params: object;
  }[];
  readonly validationContext?: string;
}

/** Any error as a `PolyaError`; what is no refusal is a bug, `E_INTERNAL`. */
export function toPolyaError(error: unknown): PolyaError {
  if (error instanceof PolyaError) return error;
  const { code = '', statusCode = 500, validation, validationContext = 'body' } = (error ?? {}) as Foreign;
  if (validation) return invalid(validation, validationContext);
  const known = Object.hasOwn(foreign, code) ? foreign[code] : undefined;
  if (known) return new PolyaError(known[0], known[1], {}, error);
  if (statusCode >= 400 && statusCode < 500)
    return new PolyaError('E_BAD_REQUEST', 'the request is malformed', {}, error);
  return new PolyaError('E_INTERNAL', 'a bug in Pólya', {}, error);
}

/** The first violation of a schema, in words. */
function invalid([first]: NonNullable<Foreign['validation']>, where: string): PolyaError {
  const { additionalProperty } = first.params as { additionalProperty?: string };
  const isUnknown = additionalProperty !== undefined;
  const pointer = isUnknown ? `${first.instancePath}/${pointerStep(additionalProperty)}` : first.instancePath;
  const what = isUnknown
    ? `has the unknown key ${JSON.stringify(additionalProperty.slice(0, 100))}`
    : (first.message ?? 'is refused');
  const place = first.instancePath === '' ? `the ${where}` : `${where}${first.instancePath}`;
  return new PolyaError('E_BAD_REQUEST', `${place.slice(0, 200)} ${what}`, { pointer });
}
