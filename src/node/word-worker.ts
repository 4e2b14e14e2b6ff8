import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serve } from '../engines/workers.ts';
import { type WordAnswer, type WordQuestion, WordReader } from './word-tasks.ts';

const reader = new WordReader();

// Who started the thread asks, or who was given the other end of a channel.
const port = (workerData as { port?: MessagePort } | null)?.port;
port?.on('close', () => process.exit());

serve<WordQuestion, WordAnswer>(port ?? parentPort!, (question, note) => {
  const found = reader.answer(question, note);
  const arrays = Object.values(found.counts).filter((value) => ArrayBuffer.isView(value));
  const rows = found.rows.flatMap(({ noted: { records, words, times } }) => [records, words, times]);
  return { found, transfer: [...arrays, ...rows].map(({ buffer }) => buffer as ArrayBuffer) };
});
