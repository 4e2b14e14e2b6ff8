import { homedir, tmpdir } from 'node:os';
import { type ErrorCode, type ErrorDetails, PolyaError, refusals } from '../../errors.ts';
import { pointerStep } from '../model/instances.ts';
import { statusOf } from './status.ts';

/** An error as `application/problem+json`. RFC 9457 (2023). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly requestId: string;
  readonly suggestion?: string;
  /** The places of the request that are meant, as JSON pointers. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** The media type of problems. */
export const PROBLEM = 'application/problem+json';

/** What a client can do about it, where the sentence does not say so. */
const suggestions: Partial<Record<ErrorCode, string>> = {
  E_AUTH: 'Send the header "authorization: Bearer TOKEN" with the token that the server was started with.',
  E_HOST: 'Ask for the server by the address that it printed, or start it with --allow-host NAME.',
  E_ORIGIN: 'Pages of other sites may not call this server; start it with --allow-origin ORIGIN to let one.',
  E_MEDIA_TYPE: 'Send JSON with the header "content-type: application/json".',
  E_OVERLOADED: 'Try again after the seconds in the header "retry-after".',
  E_STORE_READONLY: 'Look at the disk of the journal; learning resumes by itself, and what was acknowledged is safe.',
  E_DISK_FULL: 'Free space on the disk of the journal; learning resumes by itself.',
  E_UNLEARN_UNDERFLOW: 'Unlearn only what was learned before, with the same label and weight.',
};

/** What a client is told of an error. */
export function problemOf(error: PolyaError, requestId: string, status: number = statusOf(error.code)): Problem {
  const { code, message } = error;
  const { pointer, ...details } = error.details;
  const detail = publicText(message, MAX_SENTENCE);
  const short = JSON.parse(JSON.stringify(details), (_, value) => {
    if (typeof value === 'string') return publicText(value, MAX_VALUE);
    return Array.isArray(value) ? value.slice(0, MAX_LIST) : value;
  }) as ErrorDetails;
  const suggestion = suggestions[code];
  return {
    type: `/docs#${code}`,
    title: refusals[code],
    status,
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

/** Folders of this machine, which no client is told. */
const folders = [...new Set([tmpdir(), homedir(), process.cwd()])].filter((folder) => folder.length > 1);

function publicText(text: string, limit: number): string {
  let shown = text;
  for (const folder of folders) shown = shown.replaceAll(folder, '…');
  return shown.length > limit ? `${shown.slice(0, limit - 1)}…` : shown;
}

/** How long a client waits before it tries again, in seconds. */
export function retryAfter(code: ErrorCode): number | undefined {
  if (code === 'E_OVERLOADED' || code === 'E_RATE') return 1;
  return code === 'E_STORE_READONLY' || code === 'E_DISK_FULL' ? 10 : undefined;
}

/** What Fastify and Node throw, by their codes. */
const foreign: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['E_TOO_LARGE', 'the body is larger than this server takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['E_MEDIA_TYPE', 'this address does not take a body of this media type'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['E_BAD_REQUEST', 'the body is empty; send JSON'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['E_BAD_REQUEST', 'the body is not as long as its header says'],
  FST_ERR_BAD_URL: ['E_BAD_REQUEST', 'the address is not well formed'],
  FST_ERR_MAX_PARAM_LENGTH: ['E_BAD_REQUEST', 'a name in the address is too long'],
  FST_ERR_NOT_FOUND: ['E_NOT_FOUND', 'there is no such address'],
  FST_REQ_FILE_TOO_LARGE: ['E_TOO_LARGE', 'the file is larger than this server takes'],
  FST_FILES_LIMIT: ['E_BAD_REQUEST', 'there is more than one file in the body'],
  FST_PARTS_LIMIT: ['E_BAD_REQUEST', 'the body has too many parts'],
  FST_FIELDS_LIMIT: ['E_BAD_REQUEST', 'the body has too many fields'],
  FST_PROTO_VIOLATION: ['E_BAD_REQUEST', 'a part of the body has a name that is not allowed'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['E_MEDIA_TYPE', 'the body is not multipart/form-data'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['E_BAD_REQUEST', 'the body is not JSON'],
  ECONNRESET: ['E_BAD_REQUEST', 'the client has gone away'],
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

/** Any error as one of the house; undefined for what is a bug. */
export function ownError(error: unknown): PolyaError | undefined {
  if (error instanceof PolyaError) return error;
  const { code = '', statusCode = 500, validation, validationContext } = (error ?? {}) as Foreign;
  if (validation) return invalid(validation, validationContext ?? 'body');
  const known = Object.hasOwn(foreign, code) ? foreign[code] : undefined;
  if (known) return new PolyaError(known[0], known[1], {}, error);
  if (statusCode >= 400 && statusCode < 500)
    return new PolyaError('E_BAD_REQUEST', 'the request is malformed', {}, error);
  return undefined;
}

/** The first thing that a schema says is wrong, in words. */
function invalid([first]: NonNullable<Foreign['validation']>, where: string): PolyaError {
  const { additionalProperty, missingProperty } = first.params as Record<string, string | undefined>;
  const name = additionalProperty ?? missingProperty;
  const step = additionalProperty === undefined ? '' : `/${pointerStep(additionalProperty)}`;
  const pointer = `${first.instancePath}${step}`;
  const shown = name === undefined ? '' : ` ${JSON.stringify(name.slice(0, 100))}`;
  const what = additionalProperty !== undefined ? `has the unknown key${shown}` : (first.message ?? 'is refused');
  const place = first.instancePath === '' ? `the ${where}` : `${where}${first.instancePath}`;
  return new PolyaError('E_BAD_REQUEST', `${place.slice(0, 200)} ${what}`, { pointer });
}
