import { sparkHome, sparkIsMissing, startSpark } from './engines/spark-cluster.ts';
import { runSuite, skip } from './engines/suite.ts';

/** `npm run test:spark`: a standalone Spark cluster with a Spark Connect server. */

function missing(): string | undefined {
  try {
    const why = sparkIsMissing();
    if (why === undefined) sparkHome();
    return why;
  } catch (error) {
    return `Spark cannot be installed here (${(error as Error).message.split('\n')[0]})`;
  }
}

const why = missing();
if (why !== undefined) skip('spark', why);
else {
  await runSuite('spark', async (folder) => ({
    servers: { ...(await startSpark(folder)), folder },
    ran: 'a standalone Spark cluster of a master, two workers and a Connect server',
  }));
}
