import { refuse } from '../../errors.ts';

/** The address of a Spark Connect server, with user, token, session and headers. */
export interface SparkAddress {
  /** Host and port. */
  readonly target: string;
  readonly secure: boolean;
  readonly user: string;
  readonly token: string | undefined;
  /** The session to join, which stays when the engine is closed; a new one if it is not given. */
  readonly session: string | undefined;
  /** Further headers of every call, as gateways need them. */
  readonly headers: Readonly<Record<string, string>>;
}

const NAMES = new Set(['user_id', 'token', 'use_ssl', 'session_id']);

const HEADER = /^x-[a-z0-9_.-]+$/;

const FORM = 'the address of Spark has the form sc://host:15002/;user_id=name;use_ssl=true';

/**
 * Parses the connection string of Spark Connect: `sc://host:port/;name=value;…` with `user_id`, `token`, `use_ssl`, `session_id`, and
 * headers, whose names begin with `x-`, such as `x-databricks-cluster-id`.
 * The token may come from SPARK_CONNECT_TOKEN. A token requires TLS, because it would otherwise be sent in clear text.
 */
export function sparkAddress(address: string, environment: Readonly<Record<string, string | undefined>>): SparkAddress {
  const [, host, port = '15002', rest = ''] =
    /^sc:\/\/([\w.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?:\/(;.*)?)?$/i.exec(address) ?? [];
  if (host === undefined) refuse('E_PARAM', FORM, { name: 'engine' });
  const given = new Map<string, string>();
  for (const pair of rest.split(';').filter((text) => text !== '')) {
    const [name, value] = [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)];
    const isKnown = NAMES.has(name) || HEADER.test(name);
    if (!isKnown || !pair.includes('=')) {
      refuse('E_PARAM', `${FORM}; options are token, session_id and x-… headers too`, { name: name.slice(0, 40) });
    }
    given.set(name, decodeURIComponent(value));
  }
  const token = given.get('token') ?? (environment.SPARK_CONNECT_TOKEN || undefined);
  if (token !== undefined && given.get('use_ssl') === 'false') {
    refuse('E_PARAM', 'a token of Spark is sent over TLS only: leave out use_ssl=false', { name: 'use_ssl' });
  }
  return {
    target: `${host}:${port}`,
    secure: token !== undefined || given.get('use_ssl') === 'true',
    user: given.get('user_id') ?? 'polya',
    token,
    session: sessionOf(given.get('session_id')),
    headers: Object.fromEntries([...given].filter(([name]) => HEADER.test(name))),
  };
}

/** A session is named by a UUID; servers refuse other names. */
function sessionOf(given: string | undefined): string | undefined {
  if (given === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) return given;
  return refuse('E_PARAM', 'the session_id of Spark is a UUID', { name: 'session_id' });
}
