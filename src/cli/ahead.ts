import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';

/** Threads that a command will want, started before its line is read: they load in the meantime. */
export interface Ahead {
  /** What runs the command. */
  readonly command: Worker;
  /** By name of their file, what reaches other threads; they end when it is closed. */
  readonly ready: Readonly<Record<string, MessagePort[]>>;
}

/** Commands that run in a thread whatever their options are. */
const heavy = new Set(['fit', 'train', 'evaluate', 'compare', 'tune', 'calibrate', 'features', 'update', 'unlearn']);
/** Those that count bytes of a file on all cores, where it is so large and the model one of these. */
const counting = new Set(['fit', 'train']);
const families = /^(--model=)?(multinomial|complement|bernoulli)$/;
const LARGE = 8 << 20;

const commandFile = new URL('./worker.js', import.meta.url);
const countingFile = new URL('./word-worker.js', import.meta.url);
const isBuilt = (file: URL): boolean => existsSync(fileURLToPath(file));

/** Starts what the words of a command line are likely to need; nothing where it answers at once, or nothing is built. */
export function startAhead(words: readonly string[]): Ahead | undefined {
  const asks = words.some((word) => word === '--help' || word === '-h' || word === '--print-config');
  if (asks || words.length < 2 || !heavy.has(words[0]) || !isBuilt(commandFile)) return undefined;
  const command = new Worker(commandFile, { env: process.env, stdin: false });
  const path = countedPath(words);
  return { command, ready: { 'word-worker': path === undefined ? [] : startCounting(path) } };
}

/** The file whose bytes will be counted, where one is. */
function countedPath(words: readonly string[]): string | undefined {
  if (!counting.has(words[0]) || !words.some((word) => families.test(word)) || !isBuilt(countingFile)) return undefined;
  const large = (word: string) => (statSync(word, { throwIfNoEntry: false })?.size ?? 0) >= LARGE;
  const name = words.find((word) => /\.(jsonl|ndjson)$/i.test(word) && large(word));
  return name === undefined ? undefined : resolve(name);
}

function startCounting(path: string): MessagePort[] {
  return Array.from({ length: Math.max(0, availableParallelism() - 1) }, (_, k) => {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(countingFile, {
      ...{ workerData: { port: port1, ...(k === 0 && { path }) }, transferList: [port1] },
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.unref();
    return port2;
  });
}
