import { refuse } from '../../errors.ts';

/** The address of a server, with user and password. */
export interface ClickHouseAddress {
  /** The URL for the client: http or https, without user and password. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

/**
 * Parses `clickhouse://user:password@host:8123/database`; `clickhouses://`, or `?secure=true` at the end, is TLS on
 * port 8443. A missing user or password comes from CLICKHOUSE_USER and CLICKHOUSE_PASSWORD; the defaults are those of
 * the server.
 */
export function clickHouseAddress(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): ClickHouseAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^clickhouses?:$/.test(url.protocol) || url.hostname === '') {
    refuse('E_PARAM', 'the address of ClickHouse has the form clickhouse://user@host:8123/database', {
      name: 'engine',
    });
  }
  const { secure = String(url.protocol === 'clickhouses:'), ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || !['true', 'false'].includes(secure)) {
    refuse('E_PARAM', 'the address of ClickHouse takes one option, ?secure=true', { name: unknown ?? 'secure' });
  }
  const [scheme, port] = secure === 'true' ? ['https', '8443'] : ['http', '8123'];
  return {
    url: `${scheme}://${url.hostname}:${url.port || port}`,
    username: decodeURIComponent(url.username) || environment.CLICKHOUSE_USER || 'default',
    password: decodeURIComponent(url.password) || environment.CLICKHOUSE_PASSWORD || '',
    database: decodeURIComponent(url.pathname.replace(/^\//, '')) || 'default',
  };
}
