import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { WordReader } from './word-reader.ts';
import { serveWords } from './word-service.ts';

export { countAhead } from './word-service.ts';

if (!isMainThread) {
  // Where somebody else than who asks has started the thread, it begins with the other end of a channel.
  const { port } = (workerData ?? {}) as { port?: MessagePort };
  serveWords(port ?? parentPort!, new WordReader(), () => process.exit());
}
