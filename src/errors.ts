/**
 * Every way Pólya can refuse, in one table: code → what it means in general.
 * A code is API (it changes only with a major version); the sentence of one refusal says what, where and what to do.
 */
export const refusals = {
  E_PARAM: 'a parameter is outside its legal range',
  E_NOT_FITTED: 'the estimator has learned nothing yet',
  E_MERGE_MISMATCH: 'two learners of different family, schema or parameters cannot be added',
  E_UNLEARN_UNDERFLOW: 'more was taken away than had been learned',
  E_COUNT_OVERFLOW: 'a count would pass 2^53 − 1 and stop being exact',
  E_CONFLICT: 'the request contradicts the present state',
  E_CANCELLED: 'the caller aborted the work',

  E_EMPTY_INPUT: 'there is nothing to learn from',
  E_SHAPE: 'lengths or dimensions do not fit together',
  E_FEATURE_COUNT: 'rows have another number of features than the model',
  E_FEATURE_MISSING: 'a named column is absent',
  E_FEATURE_UNKNOWN: 'a named column is not part of the model',
  E_FEATURE_DUPLICATE: 'two columns have the same name',
  E_TYPE: 'a value has another type than its column',
  E_NOT_FINITE: 'a value is NaN or infinite',
  E_NEGATIVE: 'a count is negative',
  E_VALUE_RANGE: 'a value is outside the range that can be computed with',
  E_SPARSE_INDEX: 'a column index of a sparse row is bad or repeated',
  E_CATEGORY_UNKNOWN: 'a category was never seen in training',
  E_UNICODE: 'a string is not well-formed Unicode',
  E_ZERO_EVIDENCE: 'every class gives the row probability zero',

  E_LABEL_MISSING: 'a row has no label',
  E_LABEL_TYPE: 'labels are of different or unsuitable types',
  E_CLASS_UNKNOWN: 'a label is not on the closed list of classes',
  E_CLASSES_TOO_FEW: 'the model needs more classes',
  E_CLASS_TOO_SMALL: 'a class has too few rows',
  E_WEIGHT_SHAPE: 'there is not one weight per row',
  E_WEIGHT_INVALID: 'a weight is negative or not finite',
  E_WEIGHTS_ALL_ZERO: 'all weights are zero',

  E_FORMAT: 'a file does not follow its format',
  E_ENCODING: 'bytes are not valid text in the stated encoding',
  E_ARCHIVE: 'an archive has an unsafe or damaged member',
  E_PATH: 'a path is not allowed or not there',
  E_IO: 'reading or writing failed',
  E_DISK_FULL: 'the disk is full',
  E_CHECKSUM: 'a checksum does not fit its content',
  E_URL_BLOCKED: 'the address may not be fetched',

  E_MODEL_MAGIC: 'the bytes are not a Pólya model',
  E_MODEL_VERSION: 'the model was written in a format this version cannot read',
  E_MODEL_CORRUPT: 'the model file is damaged or contradicts itself',
  E_MODEL_LIMIT: 'the model file claims more than the limits allow',
  E_STORE_LOCKED: 'another process owns the store',
  E_STORE_CORRUPT: 'the store is damaged',
  E_STORE_READONLY: 'the store accepts no writes',

  E_ENGINE_UNAVAILABLE: 'the engine is not installed or cannot be reached',
  E_ENGINE_QUERY: 'the engine refused or lost a query',
  E_ENGINE_CAPABILITY: 'the engine cannot count this faithfully',
  E_IDENTIFIER: 'a name cannot be an identifier of the engine',

  E_BAD_REQUEST: 'the request is malformed',
  E_AUTH: 'the token is missing or wrong',
  E_ORIGIN: 'the request comes from another site',
  E_HOST: 'the host name is not on the list',
  E_NOT_FOUND: 'there is no such thing here',
  E_MEDIA_TYPE: 'the body is of another media type',
  E_TOO_LARGE: 'the request is too large',
  E_RATE: 'the client is over its quota',
  E_OVERLOADED: 'the server is busy',
  E_IDEMPOTENCY_CONFLICT: 'the key was used with another body',

  E_LIMIT: 'a limit was passed',
  E_TIMEOUT: 'the time is over',
  E_USAGE: 'the command was called in a wrong way',
  E_INTERNAL: 'a bug in Pólya',
} as const;

/** The stable name of a refusal. */
export type ErrorCode = keyof typeof refusals;

/** A plain JSON value; what the details of a refusal are made of. */
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

  /** The error as plain JSON, for `--json` and HTTP answers. */
  toJSON(): { code: ErrorCode; message: string; details: ErrorDetails } {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** Throws a `PolyaError`. */
export function refuse(code: ErrorCode, sentence: string, details?: ErrorDetails, cause?: unknown): never {
  throw new PolyaError(code, sentence, details, cause);
}

/** What work returns; undefined where it is refused, by one of these codes if there are any. Cancelling is no refusal. */
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
