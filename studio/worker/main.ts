import { PolyaError } from '../../src/errors.ts';
import type { News, Question, Refusal, Reply } from '../protocol.ts';
import { Laboratory } from './laboratory.ts';

const laboratory = new Laboratory();
const page = globalThis as unknown as { postMessage(reply: Reply): void; onmessage: (event: MessageEvent) => void };

/** What went wrong, as a sentence; a failure that is no refusal is one of the program. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof PolyaError) return { code: error.code, sentence: error.message };
  return { code: 'E_INTERNAL', sentence: error instanceof Error ? error.message : String(error) };
}

async function answer({ id, method, given }: Question): Promise<void> {
  const tell = (news: News) => page.postMessage({ id, news });
  try {
    const work = laboratory[method as keyof Laboratory] as (...all: unknown[]) => unknown;
    page.postMessage({ id, value: await work.call(laboratory, ...given, tell) });
  } catch (error) {
    page.postMessage({ id, refusal: refusalOf(error) });
  }
}

/** One question after the other: rows that are being read are there before anyone trains on them. */
let last: Promise<void> = Promise.resolve();

page.onmessage = ({ data }: MessageEvent<Question>) => {
  last = last.then(() => answer(data));
};
