import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeWithExtensions } from './engines/duckdb-extensions.ts';
import { writeIceberg } from './engines/iceberg.ts';
import { runSuite, skip } from './engines/suite.ts';

/** `npm run test:objects`: DuckDB with its extensions, reading from a web server and an object store on this machine. */

function extensions(): string | Error {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return new Error('its extensions are fetched for Linux on x64');
  try {
    return homeWithExtensions(['httpfs', 'delta', 'avro', 'iceberg']);
  } catch (error) {
    return new Error(`the extensions of DuckDB cannot be fetched (${(error as Error).message.split('\n')[0]})`);
  }
}

/** The columns y and c of the rows that the suite expects, and some more that are deleted from the table of Iceberg. */
const lines = Array.from({ length: 80 }, (_, i) => (i < 60 ? `${i % 3 ? 'a' : 'b'},v${i % 4}` : 'a,gone'));

/** A table of Iceberg; undefined if pyiceberg cannot be had. */
function iceberg(folder: string): string | undefined {
  const file = join(folder, 'rows.csv');
  mkdirSync(join(folder, 'lake'));
  writeFileSync(file, `y,c\n${lines.join('\n')}\n`);
  try {
    return writeIceberg(join(folder, 'lake'), file, "c = 'gone'");
  } catch (error) {
    console.warn(`test:objects writes no table of Iceberg (${(error as Error).message.split('\n')[0]})`);
    return undefined;
  }
}

const home = extensions();
if (typeof home !== 'string') skip('objects', home.message);
else {
  await runSuite('objects', async (folder) => {
    const lake = iceberg(folder);
    const servers = { home, ...(lake !== undefined && { iceberg: lake }) };
    return { servers, ran: `DuckDB with httpfs, delta${lake === undefined ? '' : ' and iceberg'}` };
  });
}
