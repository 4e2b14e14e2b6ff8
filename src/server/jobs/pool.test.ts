import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { TaskPool } from './pool.ts';
import type { Task } from './task.ts';

const task = { kind: 'profile', data: { path: '', name: '' } } as Task;
const thread = (code: string) => () =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, { eval: true });
const done = (wait: number) =>
  thread(`setTimeout(() => parentPort.postMessage({ done: { result: { ok: 1 } } }), ${wait})`);

test('a few tasks run, others wait, and more than can wait are refused', async () => {
  const pool = new TaskPool({ startThread: done(100), threads: 1, queue: 1 });
  const [first, second] = [pool.run(task), pool.run(task)];
  await expect(pool.run(task)).rejects.toMatchObject({ code: 'E_OVERLOADED' });
  expect(await first).toEqual({ result: { ok: 1 } });
  expect(await second).toEqual({ result: { ok: 1 } });
  expect(await pool.run(task)).toEqual({ result: { ok: 1 } });
});

test('a task is cancelled while it runs and while it waits', async () => {
  const pool = new TaskPool({ startThread: done(60_000), threads: 1, queue: 2 });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = pool.run(task, { signal: running.signal });
  const second = pool.run(task, { signal: waiting.signal });
  waiting.abort();
  await expect(second).rejects.toMatchObject({ code: 'E_CANCELLED' });
  running.abort();
  await expect(first).rejects.toMatchObject({ code: 'E_CANCELLED' });
});

test('progress, refusals and crashes come through', async () => {
  const shares: number[] = [];
  const steps = 'for (const share of [0, 0.5]) parentPort.postMessage({ progress: { share, what: "" } });';
  const refused = 'parentPort.postMessage({ refused: { code: "E_FORMAT", message: "bad", details: { line: 3 } } });';
  const pool = new TaskPool({ startThread: thread(steps + refused) });
  await expect(pool.run(task, { onProgress: ({ share }) => shares.push(share) })).rejects.toMatchObject({
    code: 'E_FORMAT',
    details: { line: 3 },
  });
  expect(shares).toEqual([0, 0.5]);
  await expect(new TaskPool({ startThread: thread('throw new Error("crash")') }).run(task)).rejects.toThrow('crash');
  const greedy = () =>
    new Worker('const all = []; for (;;) all.push(new Array(1e6).fill(1));', {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: 16 },
    });
  await expect(new TaskPool({ startThread: greedy }).run(task)).rejects.toMatchObject({ code: 'E_LIMIT' });
});
