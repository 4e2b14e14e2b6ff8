import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { refuse } from '../../errors.ts';
import { TokenBucket } from './token-bucket.ts';

/** Who may call a server. */
export interface Boundaries {
  /** The address to listen on. Any address but a loopback one needs a token. Default: 127.0.0.1. */
  readonly host: string;
  readonly port: number;
  /** Further host names by which clients may call the server, as behind a proxy, with the port if it differs. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins of pages that may call the server. Default: none. */
  readonly origins?: readonly string[] | undefined;
  /** The token that clients must send, at least 16 characters; required unless only this machine can call. */
  readonly token?: string | undefined;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine can call an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';
/** A host as it is written in a URL. */
export const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Addresses that need no token: they only say that the server is up. */
const open: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/v2/health/live', '/v2/health/ready']);

/** Wrong tokens that a client address may send per second and at once, and how many addresses are remembered. */
const [GUESSES_PER_SECOND, GUESSES_AT_ONCE, MAX_ADDRESSES] = [1, 20, 10_000];

/** Checks the host, the origin and the token of every request before it is routed. */
export class Guard {
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;
  private readonly ownOrigins: ReadonlySet<string>;
  private readonly token: Buffer | undefined;
  private readonly guesses = new Map<string, TokenBucket>();
  /** Connections that have sent the token: guesses of others from the same address do not lock them out. */
  private readonly known = new WeakSet<object>();

  constructor({ host, port, hosts = [], origins = [], token }: Boundaries) {
    const names = [...namesOf(host), ...hosts.map((name) => name.toLowerCase())];
    const withPort = names.map((name) => (/:\d+$/.test(name) ? name : `${name}:${port}`));
    const all = port === 80 ? [...withPort, ...names] : withPort;
    this.hosts = new Set(all);
    this.ownOrigins = new Set(all.map((name) => `http://${name}`));
    this.origins = new Set(origins.map((origin) => origin.toLowerCase()));
    this.token = token === undefined ? undefined : digest(token);
  }

  /** Refuses a request for another host, or from a page of another site. */
  requireHost({ headers }: IncomingMessage): void {
    const { host } = headers;
    if (host === undefined || !this.hosts.has(host.toLowerCase())) {
      refuse('E_HOST', 'this server does not answer to the host name of the request');
    }
    if (this.isForeign(headers)) refuse('E_ORIGIN', 'the request comes from a page of another site');
  }

  /** The origin of a request if it is a listed one. */
  allowedOrigin({ origin }: IncomingHttpHeaders): string | undefined {
    return origin !== undefined && this.origins.has(origin.toLowerCase()) ? origin : undefined;
  }

  /** Refuses a request without the token. A client address that keeps sending wrong ones must wait. */
  requireToken({ headers: { authorization }, url = '', socket }: IncomingMessage): void {
    if (this.token === undefined || open.has(url)) return;
    const [, given] = /^bearer (.+)$/i.exec(authorization ?? '') ?? [];
    if (given === undefined) refuse('E_AUTH', 'the token is missing or wrong');
    const bucket = this.known.has(socket) ? undefined : this.bucketOf(socket.remoteAddress ?? '');
    if (bucket && !bucket.has(1, performance.now()))
      refuse('E_RATE', 'too many wrong tokens; wait before the next attempt');
    if (timingSafeEqual(digest(given), this.token)) {
      this.known.add(socket);
      return;
    }
    bucket?.take(1, performance.now());
    this.known.delete(socket);
    refuse('E_AUTH', 'the token is missing or wrong');
  }

  private bucketOf(address: string): TokenBucket {
    let bucket = this.guesses.get(address);
    if (!bucket) {
      const [oldest] = this.guesses.keys();
      if (this.guesses.size >= MAX_ADDRESSES) this.guesses.delete(oldest);
      this.guesses.set(address, (bucket = new TokenBucket(GUESSES_PER_SECOND, GUESSES_AT_ONCE)));
    }
    return bucket;
  }

  private isForeign(headers: IncomingHttpHeaders): boolean {
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    if ((origin === undefined && site === undefined) || this.allowedOrigin(headers)) return false;
    if (origin !== undefined && !this.ownOrigins.has(origin.toLowerCase())) return true;
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The names by which a listening address can be called. */
function namesOf(host: string): string[] {
  if (isLoopback(host)) return [...new Set([...loopback, bracketed(host)])];
  if (!isEverywhere(host)) return [bracketed(host.toLowerCase())];
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  return [...loopback, hostname().toLowerCase(), ...addresses.map(bracketed)];
}
