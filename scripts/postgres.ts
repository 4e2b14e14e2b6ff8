import { postgresPrograms, startPostgres } from './engines/postgres-server.ts';
import { runSuite, skip } from './engines/suite.ts';

/** `npm run test:postgres`: a separate PostgreSQL server. */

function missing(): string | undefined {
  try {
    postgresPrograms();
    return undefined;
  } catch (error) {
    return `PostgreSQL is not installed and cannot be fetched (${(error as Error).message.split('\n')[0]})`;
  }
}

const why = missing();
if (why !== undefined) skip('postgres', why);
else {
  await runSuite('postgres', async (folder) => {
    const server = await startPostgres(folder);
    return { servers: server, ran: server.version };
  });
}
