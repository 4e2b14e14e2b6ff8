import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { type ErrorCode, PolyaError } from '../../errors.ts';

/** Who may call. */
export interface Boundaries {
  /** The address that is listened on. */
  readonly host: string;
  readonly port: number;
  /** Further names by which clients may call it, with their port where it is another one. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins of pages that may call it. */
  readonly origins?: readonly string[] | undefined;
  /** What clients must know; needed unless only this machine can call. */
  readonly token?: string | undefined;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine can call an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';
const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Addresses that say no more than that the server lives, for whoever watches over it. */
const open: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/v2/health/live', '/v2/health/ready']);

/** Checks every request before it is routed: its host, where it comes from, and whether it may. */
export class Guard {
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;
  private readonly ownOrigins: ReadonlySet<string>;
  private readonly token: Buffer | undefined;

  constructor({ host, port, hosts = [], origins = [], token }: Boundaries) {
    const names = [...namesOf(host), ...hosts.map((name) => name.toLowerCase())];
    const withPort = names.map((name) => (/:\d+$/.test(name) ? name : `${name}:${port}`));
    const all = port === 80 ? [...withPort, ...names] : withPort;
    this.hosts = new Set(all);
    this.ownOrigins = new Set(all.map((name) => `http://${name}`));
    this.origins = new Set(origins.map((origin) => origin.toLowerCase()));
    this.token = token === undefined ? undefined : digest(token);
  }

  /** The refusal of a request, or undefined. */
  refusal({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): PolyaError | undefined {
    const { host } = headers;
    if (host === undefined || !this.hosts.has(host.toLowerCase())) {
      return refusal('E_HOST', 'this server does not answer to the host name of the request');
    }
    return this.stranger(headers) ?? this.unknown(headers, url);
  }

  /** The origin of a page that may call from elsewhere. */
  allowedOrigin({ origin }: IncomingHttpHeaders): string | undefined {
    return origin !== undefined && this.origins.has(origin.toLowerCase()) ? origin : undefined;
  }

  private stranger(headers: IncomingHttpHeaders): PolyaError | undefined {
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    if (origin === undefined && site === undefined) return undefined;
    if (this.allowedOrigin(headers)) return undefined;
    const foreign = origin !== undefined && !this.ownOrigins.has(origin.toLowerCase());
    if (!foreign && (site === undefined || site === 'same-origin' || site === 'none')) return undefined;
    return refusal('E_ORIGIN', 'the request comes from a page of another site');
  }

  private unknown({ authorization = '' }: IncomingHttpHeaders, url: string): PolyaError | undefined {
    if (this.token === undefined || open.has(url)) return undefined;
    const [, given] = /^bearer (.+)$/i.exec(authorization) ?? [];
    const known = given !== undefined && timingSafeEqual(digest(given), this.token);
    return known ? undefined : refusal('E_AUTH', 'the token is missing or wrong');
  }
}

const refusal = (code: ErrorCode, sentence: string) => new PolyaError(code, sentence);
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The names by which a listening address can be called. */
function namesOf(host: string): string[] {
  if (isLoopback(host)) return [...new Set([...loopback, bracketed(host)])];
  if (!isEverywhere(host)) return [bracketed(host.toLowerCase())];
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  return [...loopback, hostname().toLowerCase(), ...addresses.map(bracketed)];
}
