import { engineUnavailable, isUnreachable, NO_ANSWER, queryFailed } from '../failure.ts';

export const NAME = 'ClickHouse';

/** Error codes of the server: no such user, wrong password, authentication failed. */
const strangers = new Set([192, 193, 194, 516]);

/** Node's error codes if a connection ends before the response. */
const lost = /ECONNRESET|EPIPE|socket hang up/;

/** Whether a statement failed because its connection ended, so that it can be sent again. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return lost.test(`${(error as { code?: unknown }).code} ${error.message}`) || isConnectionLost(error.cause);
}

/**
 * Throws for a failure of the server or of the connection. ClickHouse repeats the query in its messages, in a format
 * that depends on the version; only the server's description of the error is kept.
 */
export function clickHouseFailed(cause: unknown, signal?: AbortSignal): never {
  const error = cause as { readonly message?: unknown; readonly code?: unknown };
  const text = String(error.message ?? cause);
  const code = Number(/^\d+$/.test(String(error.code)) ? error.code : /Code: (\d+)/.exec(text)?.[1]);
  if (!signal?.aborted) {
    if (strangers.has(code)) {
      engineUnavailable(NAME, 'it rejected the user; set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD', cause);
    }
    if (isUnreachable(error)) engineUnavailable(NAME, NO_ANSWER, cause);
  }
  if (!code) queryFailed(NAME, cause, signal);
  return queryFailed(NAME, new Error(`${faultOf(text)} (code ${code})`, { cause }), signal);
}

/** The error in the words of the server, without prefixes and without the query. */
function faultOf(text: string): string {
  const words = /DB::(?:Net)?Exception: (.*)/s.exec(text)?.[1] ?? text;
  return words
    .split(
      /,? e\.what\(\)|\(version |Stack trace|: ?While |:? ?in scope |\. In scope | failed at position| \(in query|\n/i,
    )[0]
    .replace(/[\s.,:]+$/, '');
}
