import { parentPort } from 'node:worker_threads';
import { cacheCode } from './code-cache.ts';

cacheCode(import.meta.url);
void Promise.all([import('../node/pool.ts'), import('./work/works.ts'), import('../node/estimator-work.ts')]).then(
  ([{ serveWork }, own, library]) => serveWork(parentPort!, { ...own.works, ...library.works }),
);
