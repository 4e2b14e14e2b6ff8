import { parentPort } from 'node:worker_threads';
import { serveWork } from '../node/pool.ts';
import { works } from './work/works.ts';

serveWork(parentPort!, works);
