import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { PolyaError, refuse } from '../errors.ts';
import { checkUrl, parseUrl, pinnedLookup, type UrlPolicy } from './url-guard.ts';

/** Options of a request. */
export interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly policy: UrlPolicy;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds without data after which the connection is closed. */
  readonly idleTimeout: number;
}

const MOST_REDIRECTS = 5;

/**
 * Requests a URL and follows redirects, checking each like the first URL; returns the response with its body unread.
 */
export async function get(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  let place = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    checkUrl(place, options.policy);
    const response = await send(place, options);
    const { statusCode = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return response;
    response.destroy();
    place = parseUrl(headers.location, place);
  }
  return refuse('E_IO', `the address redirects more than ${MOST_REDIRECTS} times`, { limit: MOST_REDIRECTS });
}

function send(url: URL, { headers, policy, signal, idleTimeout }: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const make = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const options = { headers, lookup: pinnedLookup(policy), agent: false as const, ...(signal && { signal }) };
    const request = make(url, options, resolve);
    request.setTimeout(idleTimeout, () => request.destroy(silence(idleTimeout)));
    request.on('error', (error) => reject(signal?.aborted ? cancelled(signal) : error));
    request.end();
  });
}

function silence(milliseconds: number): Error {
  return Object.assign(new Error(`nothing came for ${milliseconds} ms`), { code: 'ETIMEDOUT' });
}

/** The error of an aborted download. */
export function cancelled(signal: AbortSignal): PolyaError {
  return new PolyaError('E_CANCELLED', 'the download was aborted by the caller', {}, signal.reason);
}
