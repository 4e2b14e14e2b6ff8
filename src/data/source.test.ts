import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf, chunksOfMemory, type Source } from './source.ts';

async function textOf(source: Source, signal?: AbortSignal): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const chunk of chunksOf(source, signal)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

const sample = 'id,text\n1,Pólya 😀\n';
const bytes = new TextEncoder().encode(sample);

async function* later<T>(...pieces: T[]): AsyncGenerator<T> {
  yield* pieces;
}

test('every kind of source gives the same bytes', async () => {
  const sources: Source[] = [
    sample,
    bytes,
    bytes.buffer,
    new Blob([bytes]),
    new Blob([bytes]).stream(),
    [bytes.subarray(0, 3), bytes.subarray(3)],
    ['id,te', 'xt\n1,Pólya 😀\n'],
    later(bytes.subarray(0, 11), bytes.subarray(11)),
    later<string | Uint8Array>('id,', bytes.subarray(3)),
  ];
  for (const source of sources) expect(await textOf(source)).toBe(sample);
});

test('a string split anywhere, even inside a surrogate pair, gives the same bytes', async () => {
  const text = fc.string({ unit: 'binary' });
  await fc.assert(
    fc.asyncProperty(text, fc.nat(), async (whole, where) => {
      const cut = where % (whole.length + 1);
      expect(await textOf([whole.slice(0, cut), whole.slice(cut)])).toBe(whole);
    }),
    { seed: 3 },
  );
});

test('long pieces are split into pieces of at most 128 KiB', () => {
  const long = 'é'.repeat(300_000);
  const lengths = [...chunksOfMemory(new TextEncoder().encode(long))].map((chunk) => chunk.length);
  expect(Math.max(...lengths)).toBe(1 << 17);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(600_000);
});

test('a lone surrogate is an error with its byte offset, after everything before it was read', () => {
  const chunks = chunksOfMemory('é\ud800x');
  expect(chunks.next().value).toEqual(new TextEncoder().encode('é'));
  expect(() => chunks.next()).toThrow(expect.objectContaining({ code: 'E_UNICODE', details: { offset: 2 } }));
});

test('a high surrogate at the end of a piece waits for the next piece, and is an error if bytes or nothing follow', async () => {
  await expect(textOf(['a\ud83d'])).rejects.toMatchObject({ code: 'E_UNICODE', details: { offset: 1 } });
  await expect(textOf(['a\ud83d', bytes])).rejects.toMatchObject({ code: 'E_UNICODE', details: { offset: 1 } });
});

test('an invalid source is an error', async () => {
  for (const source of [7, null, {}, [1, 2], later(7)]) {
    await expect(textOf(source as unknown as Source)).rejects.toMatchObject({ code: 'E_PARAM' });
  }
});

test('a source that fails is an I/O error with its cause', async () => {
  const cause = new Error('the cable broke');
  const failing = async function* () {
    yield bytes;
    throw cause;
  };
  await expect(textOf(failing())).rejects.toMatchObject({ code: 'E_IO', cause });
});

test('an aborted reading is cancelled, by signal or by the source itself', async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(textOf(sample, controller.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' });
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
    throw new DOMException('aborted', 'AbortError');
  };
  await expect(textOf(failing())).rejects.toMatchObject({ code: 'E_CANCELLED' });
});

test('a stream that is left early is cancelled', async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const _ of chunksOf(stream)) break;
  expect(cancelled).toBe(true);
});
