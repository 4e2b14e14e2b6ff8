import type { MessagePort } from 'node:worker_threads';
import { serve } from '../engines/workers.ts';
import { hasKernels } from '../text/wasm-kernel.ts';
import type { MergedWords } from '../text/word-merge.ts';
import { type LikelyRoles, likelyTasks } from './likely-words.ts';
import { WordReader } from './word-reader.ts';
import type { WordAnswer, WordQuestion } from './word-tasks.ts';

type WordFound = WordAnswer | MergedWords | Uint32Array | string;

/** Answers who asks through a port, and works at what will be asked as long as nobody does. */
export function serveWords(port: MessagePort, reader: WordReader, stop: () => void): void {
  let [asked, waits, ended] = [0, false, false];
  const idle = () => {
    waits = false;
    if (asked === 0 && !ended && reader.idle()) rest();
  };
  const rest = () => {
    if (!waits) setImmediate(idle);
    waits = true;
  };
  const end = () => {
    ended = true;
    stop();
  };
  port.on('close', end);
  const answer = async (question: WordQuestion, note: (bytes: number) => void) => {
    asked++;
    try {
      const found = await answerOf(reader, question, note);
      return { found, transfer: [...buffersOf(found)] };
    } finally {
      asked--;
      rest();
    }
  };
  serve<WordQuestion, WordFound>(port, answer, end);
  hasKernels(); // they are compiled before anybody waits for it
  rest();
}

/**
 * Counts the words of a file on a thread that has to be heard meanwhile, and begins before it is asked: with what it is likely to be asked,
 * which the other side is told.
 */
export function countAhead(port: MessagePort, path: string, roles: LikelyRoles): void {
  const reader = new WordReader(path);
  const tasks = hasKernels() ? likelyTasks(path, roles) : undefined;
  if (tasks) {
    reader.begin(tasks);
    port.postMessage(tasks);
  }
  serveWords(port, reader, () => port.close());
}

function answerOf(
  reader: WordReader,
  question: WordQuestion,
  note: (bytes: number) => void,
): WordFound | Promise<WordFound> {
  if ('sha256' in question) return reader.sha256(question.sha256);
  if ('add' in question) return reader.add(question.add);
  if ('numbersOf' in question) return reader.numbersOf(question.numbersOf);
  return reader.count(question, note);
}

/** The buffers of all arrays in what is found, which are given away. */
function buffersOf(found: unknown): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(found)) return new Set([found.buffer as ArrayBuffer]);
  if (typeof found !== 'object' || found === null) return new Set();
  return new Set(Object.values(found).flatMap((part) => [...buffersOf(part)]));
}
