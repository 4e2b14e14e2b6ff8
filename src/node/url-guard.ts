import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { refuse, show } from '../errors.ts';
import { isLoopback, isPublic, literalOf } from './addresses.ts';

/** All addresses of a name, as `dns.lookup` with `all` tells them. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

/** Where a download may go. */
export interface UrlPolicy {
  /** Whether this machine itself may be asked: only where the caller wrote down its address. */
  readonly loopback: boolean;
  /** How names become addresses; the system's way unless told. */
  readonly resolve?: Resolve;
}

/** The policy for an address that a caller wrote down: this machine is allowed only if that is what it says. */
export function policyFor(url: URL, resolve?: Resolve): UrlPolicy {
  const literal = literalOf(url.hostname);
  const own = url.hostname === 'localhost' || (literal !== undefined && isLoopback(literal));
  return { loopback: own, ...(resolve && { resolve }) };
}

/** Reads an address; what is none is `E_URL_BLOCKED`. */
export function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    block(text, 'it is no address');
  }
}

/**
 * Refuses an address before any byte is sent: everything but https (http for this machine, where allowed), user names, and hosts
 * that are written as private addresses. Names are checked by `pinnedLookup` when the connection asks for them.
 */
export function checkUrl(url: URL, policy: UrlPolicy): void {
  const literal = literalOf(url.hostname);
  const own = url.hostname === 'localhost' || (literal !== undefined && isLoopback(literal));
  if (url.username !== '' || url.password !== '') block(url.host, 'it carries a user name');
  if (own && policy.loopback && (url.protocol === 'http:' || url.protocol === 'https:')) return;
  if (url.protocol !== 'https:') block(url.protocol + url.host, 'only https is fetched');
  if (own || (literal !== undefined && !isPublic(literal))) block(url.host, 'its address is not public');
}

/**
 * What a connection uses to find its host: the name is resolved once, all its addresses are checked, and the connection goes to
 * one of these, so that a name cannot be public when it is checked and private when it is used.
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
