import { parentPort, workerData } from 'node:worker_threads';
import { PolyaError } from '../../errors.ts';
import type { Word } from './office.ts';
import { runTask } from './run-task.ts';
import type { Task } from './task.ts';

const port = parentPort!;
const post = (word: Word) => port.postMessage(word);

/** Progress is told at most ten times a second. */
const EVERY = 100;
let told = 0;

async function main(): Promise<void> {
  try {
    const done = await runTask(workerData as Task, (progress) => {
      if (performance.now() - told < EVERY) return;
      told = performance.now();
      post({ progress });
    });
    post({ done });
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    const { code, message, details } = error;
    post({ refused: { code, message, details } });
  }
}

void main();
