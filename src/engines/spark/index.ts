/**
 * The entry point `polya/engines/spark`: opens Spark Connect as an engine. Needs Node, `@grpc/grpc-js` and
 * `apache-arrow`.
 *
 * @module polya/engines/spark
 */
import type { SqlEngine } from '../engine.ts';
import { engineUnavailable } from '../failure.ts';
import { sparkAddress } from './address.ts';
import { SparkConnection } from './connection.ts';
import { sparkEngine } from './engine.ts';
import { connectingFailed, NAME } from './failure.ts';

/**
 * Connects to a Spark Connect server at `sc://host:15002/;user_id=name`. A token comes from SPARK_CONNECT_TOKEN. Throws
 * E_ENGINE_UNAVAILABLE if `@grpc/grpc-js` or `apache-arrow` is not installed, if nothing responds and if the token is
 * rejected.
 */
export async function openSpark(
  address: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SqlEngine> {
  const parsed = sparkAddress(address, environment);
  const [grpc, arrow] = await Promise.all([import('@grpc/grpc-js'), import('apache-arrow')]).catch((cause) =>
    engineUnavailable(NAME, 'its client needs two packages: npm install @grpc/grpc-js apache-arrow', cause),
  );
  const connection = new SparkConnection(grpc, parsed);
  const engine = sparkEngine(connection, arrow, parsed);
  try {
    for await (const _ of engine.query('SELECT 1'));
  } catch (cause) {
    connection.close();
    connectingFailed(cause);
  }
  return engine;
}
