import { type ErrorCode, type ErrorDetails, PolyaError } from '../errors.ts';

/** A place in a file, with the lines around it. */
export interface Excerpt {
  readonly line: number;
  readonly text: string;
  /** The place of the fault in `text`, from 1. */
  readonly caret: number;
  readonly before?: { readonly line: number; readonly text: string } | undefined;
}

/** What a problem may say beside its sentence. */
export interface Hints {
  readonly details?: ErrorDetails | undefined;
  /** Why, and what to do. */
  readonly notes?: readonly string[] | undefined;
  readonly excerpt?: Excerpt | undefined;
  /** The whole command as it was probably meant. */
  readonly command?: string | undefined;
  readonly exit?: number | undefined;
  readonly cause?: unknown;
}

/** A refusal with all that a person at a terminal needs: what, where, why, what to do. */
export class Problem extends PolyaError {
  readonly hints: Hints;

  constructor(code: ErrorCode, sentence: string, hints: Hints = {}) {
    super(code, sentence, hints.details ?? {}, hints.cause);
    this.hints = hints;
  }
}

/** Throws a `Problem`. */
export function fail(code: ErrorCode, sentence: string, hints?: Hints): never {
  throw new Problem(code, sentence, hints);
}

/** The exit codes, as docs/cli.md tells them. */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  input: 3,
  model: 4,
  io: 5,
  engine: 6,
  limit: 7,
  gate: 8,
  interrupted: 130,
  terminated: 143,
} as const;

const groups: readonly (readonly [exit: number, codes: readonly ErrorCode[]])[] = [
  [EXIT.usage, ['E_USAGE', 'E_PARAM', 'E_BAD_REQUEST']],
  [
    EXIT.model,
    [
      'E_NOT_FITTED',
      'E_MERGE_MISMATCH',
      'E_CONFLICT',
      'E_MODEL_MAGIC',
      'E_MODEL_VERSION',
      'E_MODEL_CORRUPT',
      'E_MODEL_LIMIT',
    ],
  ],
  [
    EXIT.io,
    [
      'E_PATH',
      'E_IO',
      'E_DISK_FULL',
      'E_CHECKSUM',
      'E_URL_BLOCKED',
      'E_STORE_LOCKED',
      'E_STORE_CORRUPT',
      'E_STORE_READONLY',
    ],
  ],
  [EXIT.engine, ['E_ENGINE_UNAVAILABLE', 'E_ENGINE_QUERY', 'E_ENGINE_CAPABILITY', 'E_IDENTIFIER']],
  [EXIT.limit, ['E_LIMIT', 'E_TIMEOUT', 'E_COUNT_OVERFLOW', 'E_TOO_LARGE', 'E_RATE', 'E_OVERLOADED']],
  [EXIT.interrupted, ['E_CANCELLED']],
  [EXIT.internal, ['E_INTERNAL']],
];
const exits = new Map(groups.flatMap(([exit, codes]) => codes.map((code) => [code, exit])));

/** The exit code of an error; what no group names is about the input. */
export function exitOf(error: unknown): number {
  if (error instanceof Problem && error.hints.exit !== undefined) return error.hints.exit;
  return error instanceof PolyaError ? (exits.get(error.code) ?? EXIT.input) : EXIT.internal;
}
