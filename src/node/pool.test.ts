import { describe, expect, test } from 'vitest';
import type { Block, BlockLayout } from '../data/blocks.ts';
import { PolyaError, refuse } from '../errors.ts';
import { type Piece, type PoolOptions, runPool } from './pool.ts';

const layout: BlockLayout = {
  format: 'text',
  columns: ['text'],
  wanted: undefined,
  delimiter: undefined,
  maxRowBytes: undefined,
  file: { name: 'lines', isPath: false, transcoded: false },
};

const encoder = new TextEncoder();

/** Pieces with one row, their number; the reader optionally fails after them. */
async function* pieces(count: number, failure?: Error): AsyncGenerator<Piece> {
  for (let index = 0; index < count; index++) {
    const bytes = encoder.encode(`${index}\n`);
    const block: Block = { index, bytes, line: index + 1, offset: 0, before: new Uint8Array(0) };
    yield { index, file: 0, block, layout };
  }
  if (failure) throw failure;
}

/** A worker that runs this for each piece with its number; it starts as slowly as real ones. */
const workerOf = (onPiece: string, onStart = '') =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      ${onStart}
      parentPort.on('message', ({ piece, end }) => {
        if (end) parentPort.postMessage({ totals: [] });
        if (!piece) return;
        const { index } = piece;
        ${onPiece}
        parentPort.postMessage({ found: index });
      });
    `)}`,
  );

type Options = PoolOptions<undefined, number, undefined>;

/** The number in the only row of a piece; piece `bad` throws. */
const make =
  (bad?: number): Options['make'] =>
  () => ({
    take(tables) {
      const [table] = tables;
      const index = Number(table.column('text').cell(0));
      if (index === bad) refuse('E_FORMAT', `piece ${index} is bad`);
      return index;
    },
    end: () => undefined,
  });

const options = (threads: number, worker: URL, more: Partial<Options> = {}): Options => ({
  ...{ worker, name: 'numbers', make: make(), setup: undefined, threads },
  ...more,
});

describe.each([1, 2, 8])('with %i threads', (threads) => {
  test('results come in the order of the pieces', async () => {
    const found: number[] = [];
    await runPool(pieces(40), options(threads, workerOf(''), { onFound: (index) => void found.push(index) }));
    expect(found).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  test('a bad piece is reported, also when the reader fails after it', async () => {
    const bad = `if (index === 4) {
      parentPort.postMessage({ error: { code: 'E_FORMAT', message: 'piece 4 is bad', details: {} } });
      return;
    }`;
    for (const failure of [undefined, new Error('the disk is gone')]) {
      const run = runPool(pieces(6, failure), options(threads, workerOf(bad), { make: make(4) }));
      await expect(run).rejects.toMatchObject({ code: 'E_FORMAT', message: 'piece 4 is bad' });
    }
  });

  test('a failure of the reader is reported when all pieces are good', async () => {
    const failure = new Error('the disk is gone');
    await expect(runPool(pieces(6, failure), options(threads, workerOf('')))).rejects.toBe(failure);
  });

  test('an aborted signal ends the work', async () => {
    const stop = new AbortController();
    const onFound = () => stop.abort();
    const run = runPool(pieces(1000), options(threads, workerOf(''), { onFound, signal: stop.signal }));
    await expect(run).rejects.toMatchObject({ code: 'E_CANCELLED' });
  });
});

test('the reader waits for a slow piece', async () => {
  const slow = workerOf('if (index === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);');
  let [read, before, handed] = [0, 0, 0];
  async function* counted() {
    for await (const piece of pieces(2000)) {
      read++;
      yield piece;
    }
  }
  const onFound = (index: number) => {
    expect(index).toBe(handed++);
    if (index === 1) before = read;
  };
  await runPool(counted(), options(2, slow, { onFound }));
  expect([handed, before <= 20]).toEqual([2000, true]);
});

test('a worker that exits is reported, whether it has work or not', async () => {
  for (const worker of [workerOf('process.exit(3);'), workerOf('', 'process.exit(3);')]) {
    for (const lanes of [undefined, 4]) {
      async function* slowly() {
        for await (const piece of pieces(12)) {
          yield piece;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      await expect(runPool(slowly(), options(2, worker, { lanes }))).rejects.toThrow('a worker ended with 3');
    }
  }
});

test('an error of a worker keeps its properties besides the message', async () => {
  const data = "{ code: 'E_TYPE', message: 'no', details: { row: 1 }, hints: { notes: ['try'] } }";
  const worker = workerOf(`parentPort.postMessage({ error: ${data} }); return;`);
  const error: unknown = await runPool(pieces(3), options(2, worker)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PolyaError);
  expect(error).toMatchObject({ code: 'E_TYPE', message: 'no', details: { row: 1 }, hints: { notes: ['try'] } });
});

test('a reader that pauses while a worker finishes all its pieces does not stop the pool', async () => {
  async function* pausing(): AsyncGenerator<Piece> {
    for await (const piece of pieces(60)) {
      if (piece.index % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 100));
      yield piece;
    }
  }
  const found: number[] = [];
  const slow = workerOf('', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);');
  await runPool(pausing(), options(2, slow, { onFound: (index) => void found.push(index) }));
  expect(found).toEqual(Array.from({ length: 60 }, (_, index) => index));
});
