import type { SqlEngine } from './engine.ts';
import { Turns } from './turns.ts';

/** How an engine runs several queries on one state of its tables: one transaction at a time, rolled back at its end. */
export function snapshots(execute: SqlEngine['execute'], begin: string): NonNullable<SqlEngine['inSnapshot']> {
  const turns = new Turns();
  return async (work) => {
    const leave = await turns.take();
    try {
      await execute(begin);
      try {
        return await work();
      } finally {
        await execute('ROLLBACK').catch(() => undefined); // nothing was written; a lost connection has also ended it
      }
    } finally {
      leave();
    }
  };
}
