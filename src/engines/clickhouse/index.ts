/**
 * The entry point `polya/engines/clickhouse`: opens ClickHouse as an engine. Needs Node and `@clickhouse/client`.
 *
 * @module polya/engines/clickhouse
 */
import type { SqlEngine } from '../engine.ts';
import { CONNECT_DEADLINE, engineUnavailable } from '../failure.ts';
import { clickHouseAddress } from './address.ts';
import { clickHouseEngine } from './engine.ts';
import { NAME } from './failure.ts';

/**
 * One day: results are sent when they are complete, so the connection is idle while the query runs. A dead server is
 * noticed earlier, by TCP keepalive.
 */
const LONGEST_SILENCE = 24 * 60 * 60 * 1000;

/**
 * Connects to ClickHouse at `clickhouse://user@host:8123/database`. User and password may come from CLICKHOUSE_USER and
 * CLICKHOUSE_PASSWORD. Throws E_ENGINE_UNAVAILABLE if `@clickhouse/client` is not installed, if nothing responds and if
 * the server rejects the user.
 */
export async function openClickHouse(
  address: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SqlEngine> {
  const { url, username, password, database } = clickHouseAddress(address, environment);
  const { createClient, ClickHouseLogLevel } = await import('@clickhouse/client').catch((cause) =>
    engineUnavailable(NAME, 'its client is missing: npm install @clickhouse/client', cause),
  );
  const client = createClient({
    url,
    username,
    password,
    database,
    application: 'polya',
    request_timeout: LONGEST_SILENCE,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const engine = clickHouseEngine(client);
  const signal = AbortSignal.timeout(CONNECT_DEADLINE);
  try {
    await engine.execute('SELECT 1', { signal });
  } catch (error) {
    await engine.close();
    if (signal.aborted) engineUnavailable(NAME, 'its address does not answer; check host and port', error);
    throw error;
  }
  return engine;
}
