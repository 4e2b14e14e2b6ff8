import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serve } from '../engines/workers.ts';
import { hasKernels } from '../text/wasm-kernel.ts';
import { type WordAnswer, type WordQuestion, WordReader } from './word-tasks.ts';

/** What a thread begins with, where somebody else than who asks has started it: the other end of a channel, and what will be asked. */
const { port, path } = (workerData ?? {}) as { port?: MessagePort; path?: string };
const reader = new WordReader(path);
port?.on('close', () => process.exit());

serve<WordQuestion, WordAnswer | string>(port ?? parentPort!, (question, note) => {
  if ('sha256' in question) return { found: reader.sha256(question.sha256), transfer: [] };
  const found = reader.count(question, note);
  const arrays = Object.values(found.counts).filter((value) => ArrayBuffer.isView(value));
  const rows = found.rows.flatMap(({ noted: { records, words, times } }) => [records, words, times]);
  return { found, transfer: [...arrays, ...rows].map(({ buffer }) => buffer as ArrayBuffer) };
});

function idle(): void {
  if (reader.idle()) setImmediate(idle);
}

hasKernels(); // they are compiled before anybody waits for it
idle();
