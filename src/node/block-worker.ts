import { parentPort } from 'node:worker_threads';
import { works } from './estimator-work.ts';
import { serveWork } from './pool.ts';

serveWork(parentPort!, works);
