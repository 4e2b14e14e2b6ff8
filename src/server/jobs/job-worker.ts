import { parentPort, workerData } from 'node:worker_threads';
import { PolyaError } from '../../errors.ts';
import type { ThreadMessage } from './pool.ts';
import { runTask, type Task } from './task.ts';

const post = (message: ThreadMessage) => parentPort!.postMessage(message);

/** Milliseconds between two reports of progress. */
const EVERY = 100;
let reported = 0;

runTask(workerData as Task, (progress) => {
  if (performance.now() - reported < EVERY) return;
  reported = performance.now();
  post({ progress });
}).then(
  (done) => post({ done }),
  (error: unknown) => {
    if (!(error instanceof PolyaError)) throw error;
    const { code, message, details } = error;
    post({ refused: { code, message, details } });
  },
);
