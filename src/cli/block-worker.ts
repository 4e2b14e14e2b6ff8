import { parentPort } from 'node:worker_threads';
import { cacheCode } from './code-cache.ts';

cacheCode(import.meta.url);
void Promise.all([import('../node/pool.ts'), import('./work/works.ts')]).then(([{ serveWork }, { works }]) =>
  serveWork(parentPort!, works),
);
