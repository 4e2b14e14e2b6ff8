import { engineUnavailable } from '../failure.ts';

/** Loads the package of DuckDB, which is optional. */
export async function loadDuckDb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    return engineUnavailable('DuckDB', 'install it beside Pólya with: npm install @duckdb/node-api', cause);
  }
}
