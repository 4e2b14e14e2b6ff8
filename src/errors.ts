/**
 * Every error code and its general meaning. A code is API (it changes only with a major version); the message of an error says what
 * is wrong, where, and what to do.
 */
export const refusals = {
  E_PARAM: 'a parameter is outside its legal range',
  E_NOT_FITTED: 'the estimator has learned nothing yet',
  E_MERGE_MISMATCH: 'models of different family, schema or parameters cannot be merged',
  E_UNLEARN_UNDERFLOW: 'more was unlearned than had been learned',
  E_COUNT_OVERFLOW: 'a count would exceed 2^53 − 1 and no longer be exact',
  E_CONFLICT: 'the request conflicts with the current state',
  E_CANCELLED: 'the caller aborted the work',

  E_EMPTY_INPUT: 'there is nothing to learn from',
  E_SHAPE: 'lengths or dimensions do not match',
  E_FEATURE_COUNT: 'rows and model differ in their number of features',
  E_FEATURE_MISSING: 'a column of the model is missing',
  E_FEATURE_UNKNOWN: 'a named column is not part of the model',
  E_FEATURE_DUPLICATE: 'two columns have the same name',
  E_TYPE: 'a value has the wrong type for its column',
  E_NOT_FINITE: 'a value is NaN or infinite',
  E_NEGATIVE: 'a count is negative',
  E_VALUE_RANGE: 'a value is outside the range that can be computed with',
  E_SPARSE_INDEX: 'a column index of a sparse row is invalid or repeated',
  E_CATEGORY_UNKNOWN: 'a category was never seen in training',
  E_UNICODE: 'a string is not well-formed Unicode',
  E_ZERO_EVIDENCE: 'the row has probability zero under every class',

  E_LABEL_MISSING: 'a row has no label',
  E_LABEL_TYPE: 'labels are of different or unsuitable types',
  E_CLASS_UNKNOWN: 'a label is not on the closed list of classes',
  E_CLASSES_TOO_FEW: 'the model needs more classes',
  E_CLASS_TOO_SMALL: 'a class has too few rows',
  E_WEIGHT_SHAPE: 'the number of weights differs from the number of rows',
  E_WEIGHT_INVALID: 'a weight is negative or not finite',
  E_WEIGHTS_ALL_ZERO: 'all weights are zero',

  E_FORMAT: 'a file does not follow its format',
  E_ENCODING: 'bytes are not valid text in the stated encoding',
  E_ARCHIVE: 'an archive has an unsafe or damaged member',
  E_PATH: 'a path does not exist or is not allowed',
  E_IO: 'reading or writing failed',
  E_DISK_FULL: 'the disk is full',
  E_CHECKSUM: 'a checksum does not match its content',
  E_URL_BLOCKED: 'the address is not allowed',

  E_MODEL_MAGIC: 'the bytes are not a Pólya model',
  E_MODEL_VERSION: 'the model was written in a format this version cannot read',
  E_MODEL_CORRUPT: 'the model file is damaged or inconsistent',
  E_MODEL_LIMIT: 'the model file claims more than the limits allow',
  E_STORE_LOCKED: 'another process owns the store',
  E_STORE_CORRUPT: 'the store is damaged',
  E_STORE_READONLY: 'the store accepts no writes',

  E_ENGINE_UNAVAILABLE: 'the engine is not installed or cannot be reached',
  E_ENGINE_QUERY: 'the engine refused or lost a query',
  E_ENGINE_CAPABILITY: 'the engine cannot count this correctly',
  E_IDENTIFIER: 'a name is not a valid identifier of the engine',

  E_BAD_REQUEST: 'the request is malformed',
  E_AUTH: 'the token is missing or wrong',
  E_ORIGIN: 'the request comes from another site',
  E_HOST: 'the host name is not on the list',
  E_NOT_FOUND: 'the resource does not exist',
  E_MEDIA_TYPE: 'the media type of the body is not supported',
  E_TOO_LARGE: 'the request is too large',
  E_RATE: 'the client is over its quota',
  E_OVERLOADED: 'the server is busy',
  E_IDEMPOTENCY_CONFLICT: 'the key was used with a different body',

  E_LIMIT: 'a limit was exceeded',
  E_TIMEOUT: 'the time limit was exceeded',
  E_USAGE: 'the command line is invalid',
  E_INTERNAL: 'a bug in Pólya',
} as const;

/** The stable code of an error. */
export type ErrorCode = keyof typeof refusals;

/** A plain JSON value, as in the details of an error. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where and how much: row, column, feature, class, limit, actual … as plain JSON. */
export type ErrorDetails = Readonly<Record<string, Json>>;

/** The one error of Pólya: a code for programs, a sentence for people, details for both. */
export class PolyaError extends Error {
  override readonly name = 'PolyaError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, sentence: string, details: ErrorDetails = {}, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }

  /** The error as plain JSON, for `--json` and HTTP responses. */
  toJSON(): { code: ErrorCode; message: string; details: ErrorDetails } {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** Throws a `PolyaError`. */
export function refuse(code: ErrorCode, sentence: string, details?: ErrorDetails, cause?: unknown): never {
  throw new PolyaError(code, sentence, details, cause);
}

/** The result of `work`; undefined if it throws a `PolyaError`, with one of these codes if any are given. Cancellation is rethrown. */
export function unlessRefused<T>(work: () => T, ...codes: readonly ErrorCode[]): T | undefined {
  try {
    return work();
  } catch (cause) {
    const refused = cause instanceof PolyaError && cause.code !== 'E_CANCELLED';
    if (refused && (codes.length === 0 || codes.includes(cause.code))) return undefined;
    throw cause;
  }
}

const MOST_USER_CHARACTERS = 200;

/** A value of the user inside a sentence: escaped, quoted when it is a string, at most 200 characters. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, MOST_USER_CHARACTERS)) : describe(value);
  return text.length > MOST_USER_CHARACTERS ? `${text.slice(0, MOST_USER_CHARACTERS - 1)}…` : text;
}

function describe(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return `a ${Object.prototype.toString.call(value).slice(8, -1)}`;
}
