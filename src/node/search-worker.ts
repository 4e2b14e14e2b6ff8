import { parentPort, workerData } from 'node:worker_threads';
import { runSearchTask, type SearchTask } from './search-work.ts';

parentPort!.postMessage(runSearchTask(workerData as SearchTask));
