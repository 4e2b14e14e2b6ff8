import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { LikelyRoles } from '../node/likely-words.ts';

/** Threads that a command will want, started before its line is read: they load in the meantime. */
export interface Ahead {
  /** What runs the command. */
  readonly command: Worker;
  /** By name of their file, what reaches other threads; they end when it is closed. */
  readonly ready: Readonly<Record<string, MessagePort[]>>;
  /** Lets this thread help, a little at a time, once the command knows what it begins with. */
  readonly help: () => void;
}

/** A file whose bytes will be counted, and what its columns are as far as the words tell. */
interface Counted {
  readonly path: string;
  readonly roles: LikelyRoles;
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
  const counted = availableParallelism() > 1 ? countedFile(words) : undefined;
  if (!counted) return { command, ready: {}, help: () => undefined };
  const { port1, port2 } = new MessageChannel();
  const loaded: Promise<typeof import('../node/word-worker.ts')> = import(countingFile.href);
  return {
    command,
    ready: { 'word-worker': [...startCounting(availableParallelism() - 2), port2] }, // the last is taken first
    help: () =>
      void loaded.then(
        ({ countAhead }) => countAhead(port1, counted.path, counted.roles),
        () => port1.close(), // who waits for it is told
      ),
  };
}

/** The file whose bytes will be counted on several threads, where one is. */
function countedFile(words: readonly string[]): Counted | undefined {
  const family = words.find((word) => families.test(word));
  if (!counting.has(words[0]) || family === undefined || !isBuilt(countingFile)) return undefined;
  if (valueOf(words, '--threads', '--threads') !== undefined) return undefined;
  const large = (word: string) => (statSync(word, { throwIfNoEntry: false })?.size ?? 0) >= LARGE;
  const name = words.find((word) => /\.(jsonl|ndjson)$/i.test(word) && large(word));
  if (name === undefined) return undefined;
  const [text, label] = [valueOf(words, '--text', '-x'), valueOf(words, '--target', '-t')];
  return { path: resolve(name), roles: { text, label, presence: family.endsWith('bernoulli') } };
}

/** The value of an option, if it stands in the words. */
function valueOf(words: readonly string[], long: string, short: string): string | undefined {
  const joined = words.find((word) => word.startsWith(`${long}=`));
  const at = words.findIndex((word) => word === long || word === short);
  return joined?.slice(long.length + 1) ?? (at < 0 ? undefined : words[at + 1]);
}

/** Threads besides the one of the command and this one. */
function startCounting(threads: number): MessagePort[] {
  return Array.from({ length: Math.max(0, threads) }, () => {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(countingFile, {
      ...{ workerData: { port: port1 }, transferList: [port1] },
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.unref();
    return port2;
  });
}
