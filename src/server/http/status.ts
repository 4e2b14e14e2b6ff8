import type { ErrorCode } from '../../errors.ts';

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

/** Error code → HTTP status; what the model or the data refuse is 422. */
export const statusOf = (code: ErrorCode): number => statuses[code] ?? 422;
