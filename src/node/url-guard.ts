import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { refuse, show } from '../errors.ts';
import { isLoopback, isPublic, literalOf } from './addresses.ts';

/** All addresses of a name, as returned by `dns.lookup` with `all`. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

/** Which hosts a download may contact. */
export interface UrlPolicy {
  /** Whether this machine itself may be contacted: only if the caller's URL names it. */
  readonly loopback: boolean;
  /** Resolves names to addresses. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/** The policy for a URL given by the caller: this machine is allowed only if the URL names it. */
export function policyFor(url: URL, resolve?: Resolve): UrlPolicy {
  const literal = literalOf(url.hostname);
  const own = url.hostname === 'localhost' || (literal !== undefined && isLoopback(literal));
  return { loopback: own, ...(resolve && { resolve }) };
}

/** Parses a URL; an invalid one is `E_URL_BLOCKED`. */
export function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    block(text, 'it is no address');
  }
}

/**
 * Rejects a URL before any byte is sent: everything except https (or http to this machine, if allowed), user names, and
 * private addresses as host. Names are checked by `pinnedLookup` when the connection resolves them.
 */
export function checkUrl(url: URL, policy: UrlPolicy): void {
  const literal = literalOf(url.hostname);
  const own = url.hostname === 'localhost' || (literal !== undefined && isLoopback(literal));
  if (url.username !== '' || url.password !== '') block(url.host, 'it contains a user name');
  if (own && policy.loopback && (url.protocol === 'http:' || url.protocol === 'https:')) return;
  if (url.protocol !== 'https:') block(url.protocol + url.host, 'only https is fetched');
  if (own || (literal !== undefined && !isPublic(literal))) block(url.host, 'its address is not public');
}

/**
 * The lookup function of a connection: the name is resolved once, all its addresses are checked, and the connection
 * uses one of these, so a name cannot be public when checked and private when used.
 */
export function pinnedLookup({ loopback, resolve = allAddresses }: UrlPolicy): LookupFunction {
  return (name, options, callback) => {
    resolve(name, (error, addresses) => {
      if (error) return callback(error, []);
      const wanted = addresses.filter(({ family }) => !options.family || options.family === family);
      const bad = addresses.find(
        ({ address }) => !isPublic(address) && !(loopback && name === 'localhost' && isLoopback(address)),
      );
      if (bad !== undefined || wanted.length === 0) return callback(blockedHost(name), []);
      if (options.all)
        callback(
          null,
          wanted.map(({ address, family }) => ({ address, family })),
        );
      else callback(null, wanted[0]!.address, wanted[0]!.family);
    });
  };
}

const allAddresses: Resolve = (name, done) =>
  systemLookup(name, { all: true }, (error, addresses) => done(error, addresses ?? []));

function blockedHost(name: string): NodeJS.ErrnoException {
  try {
    return block(name, 'its address is not public');
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function block(what: string, why: string): never {
  refuse('E_URL_BLOCKED', `${show(what)} is not fetched: ${why}`, { host: what.slice(0, 200) });
}
