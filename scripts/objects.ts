import { homeWithExtensions } from './engines/duckdb-extensions.ts';
import { runSuite, skip } from './engines/suite.ts';

/** `npm run test:objects`: DuckDB with its extensions, reading from a web server and an object store on this machine. */

function extensions(): string | Error {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return new Error('its extensions are fetched for Linux on x64');
  try {
    return homeWithExtensions(['httpfs', 'delta']);
  } catch (error) {
    return new Error(`the extensions of DuckDB cannot be fetched (${(error as Error).message.split('\n')[0]})`);
  }
}

const home = extensions();
if (typeof home !== 'string') skip('objects', home.message);
else await runSuite('objects', async () => ({ servers: { home }, ran: 'DuckDB with httpfs and delta' }));
