import type { SqlEngine } from './engine.ts';
import { Mutex } from './mutex.ts';

/** How an engine runs several queries on one state of its tables: one transaction at a time, rolled back at its end. */
export function snapshots(execute: SqlEngine['execute'], begin: string): NonNullable<SqlEngine['inSnapshot']> {
  const mutex = new Mutex();
  return async (work) => {
    const release = await mutex.acquire();
    try {
      await execute(begin);
      try {
        return await work();
      } finally {
        await execute('ROLLBACK').catch(() => undefined); // nothing was written; a lost connection has also ended it
      }
    } finally {
      release();
    }
  };
}
