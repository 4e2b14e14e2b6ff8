import { engineUnavailable, queryFailed } from '../failure.ts';

export const NAME = 'ClickHouse';

/** Codes of the server: no such user, wrong password, authentication failed. */
const strangers = new Set([192, 193, 194, 516]);

/** What Node says when nobody answers at an address. */
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/**
 * Refuses for what went wrong at the server or on the way to it. ClickHouse repeats the query in its messages, and versions
 * write them differently; the sentence keeps what the server says about the fault and leaves out the query.
 */
export function clickHouseFailed(cause: unknown, signal?: AbortSignal): never {
  const error = cause as { readonly message?: unknown; readonly code?: unknown };
  const text = String(error.message ?? cause);
  const code = Number(/^\d+$/.test(String(error.code)) ? error.code : /Code: (\d+)/.exec(text)?.[1]);
  if (!signal?.aborted) {
    if (strangers.has(code)) {
      engineUnavailable(NAME, 'it refused the user; set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD', cause);
    }
    if (unreachable.has(String(error.code))) {
      engineUnavailable(NAME, 'nobody answers at its address; check host and port, and that the server runs', cause);
    }
  }
  if (!code) queryFailed(NAME, cause, signal);
  return queryFailed(NAME, new Error(`${told(text)} (code ${code})`, { cause }), signal);
}

/** The fault in the words of the server, without its own decoration and without the query. */
function told(text: string): string {
  const words = /DB::(?:Net)?Exception: (.*)/s.exec(text)?.[1] ?? text;
  return words
    .split(
      /,? e\.what\(\)|\(version |Stack trace|: ?While |:? ?in scope |\. In scope | failed at position| \(in query|\n/i,
    )[0]
    .replace(/[\s.,:]+$/, '');
}
