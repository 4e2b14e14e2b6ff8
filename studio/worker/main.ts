import { PolyaError } from '../../src/index.ts';
import type { News, Question, Refusal, Reply } from '../protocol.ts';
import { Laboratory } from './laboratory.ts';

const laboratory = new Laboratory();
const page = globalThis as unknown as { postMessage(reply: Reply): void; onmessage: (event: MessageEvent) => void };

/** An error as plain data; anything but a `PolyaError` becomes E_INTERNAL. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof PolyaError) return { code: error.code, sentence: error.message, details: error.details };
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

/** Requests run one after the other, so that data are read before a training uses them; only a stop is heard in between. */
let last: Promise<void> = Promise.resolve();

page.onmessage = ({ data }: MessageEvent<Question>) => {
  if (data.method === ('stopSearch' satisfies keyof Laboratory)) void answer(data);
  else last = last.then(() => answer(data));
};
