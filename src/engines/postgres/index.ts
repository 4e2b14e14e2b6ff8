/**
 * The entry point `polya/engines/postgres`: opens PostgreSQL as an engine. Needs Node and `pg`.
 *
 * @module polya/engines/postgres
 */
import { refuse } from '../../errors.ts';
import type { SqlEngine } from '../engine.ts';
import { CONNECT_DEADLINE, engineUnavailable } from '../failure.ts';
import { type PostgresClient, postgresEngine } from './engine.ts';
import { connectingFailed, NAME } from './failure.ts';

/**
 * The settings of every session: literals as the dialect writes them, numbers with all their digits, dates in ISO form.
 */
const SESSION = "SET standard_conforming_strings = on; SET extra_float_digits = 3; SET DateStyle = 'ISO'";

/** An idle connection is probed after this time, in milliseconds, so that a dead server is noticed. */
const KEEPALIVE_AFTER = 30_000;

/**
 * Connects to `postgres://user@host:5432/database`, with `?sslmode=verify-full` for TLS. User and password may come
 * from PGUSER and PGPASSWORD. Throws E_ENGINE_UNAVAILABLE if `pg` is not installed, if nothing responds and if the user
 * is rejected.
 */
export async function openPostgres(
  address: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SqlEngine> {
  const connectionString = completeAddress(address, environment);
  const { default: pg } = await import('pg').catch((cause) =>
    engineUnavailable(NAME, 'its client is missing: npm install pg', cause),
  );
  const connect = async () => {
    const client = new pg.Client({
      connectionString,
      application_name: 'polya',
      connectionTimeoutMillis: CONNECT_DEADLINE,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER,
    });
    client.on('error', () => {}); // the running query, or the next one, fails with a lost connection
    try {
      await client.connect();
    } catch (cause) {
      await client.end().catch(() => {});
      connectingFailed(cause);
    }
    return client;
  };
  const client = await connect();
  const process = (client as unknown as { readonly processID: number }).processID;
  const engine = postgresEngine(client as PostgresClient, async () => {
    const second = await connect();
    await second.query('SELECT pg_catalog.pg_cancel_backend($1)', [process]).finally(() => second.end());
  });
  await engine.execute(SESSION);
  return engine;
}

function completeAddress(address: string, environment: Readonly<Record<string, string | undefined>>): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    refuse('E_PARAM', 'the address of PostgreSQL has the form postgres://user@host:5432/database', { name: 'engine' });
  }
  if (url.hostname !== '') {
    url.username ||= encodeURIComponent(environment.PGUSER ?? '');
    url.password ||= encodeURIComponent(environment.PGPASSWORD ?? '');
  }
  return url.href;
}
