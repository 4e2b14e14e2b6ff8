/**
 * A process that learns under load until it is killed: `writer.js folder connections from [ids to try again]`. Every row has a key, so
 * that a row that was not acknowledged can be tried again. What it says goes out before it goes on, and so outlives it.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../src/server/store/index.ts';
import { rowOf } from './rows.ts';

const [folder, connections, from, again = ''] = process.argv.slice(2);
const stop = process.argv[6] === 'until-end' ? waitForEnd() : undefined;

/** Writes a whole line; waits while the pipe is full. */
function say(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

const store = await openStore(folder, new Map(), { snapshotEvery: 300, onWarning: (text) => say(`warning ${text}`) });
let next = Number(from);
let ended = false;
stop?.then(() => {
  ended = true;
});

async function attempt(act: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await act();
    say(done);
    return true;
  } catch (error) {
    say(`refused ${(error as { code?: string }).code}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  }
}

async function learn(id: number): Promise<boolean> {
  say(`try ${id}`);
  return attempt(() => store.learn('mail', [rowOf(id)], { key: `k${id}` }), `learned ${id}`);
}

async function connection(): Promise<void> {
  while (!ended) {
    const id = next++;
    const learned = await learn(id);
    if (!learned || id % 10 !== 0) continue;
    say(`forget ${id}`);
    await attempt(() => store.unlearn('mail', [rowOf(id)]), `forgotten ${id}`);
  }
}

function waitForEnd(): Promise<void> {
  return new Promise((resolve) => process.stdin.once('data', () => resolve()));
}

say(`ready ${store.get('mail')?.version}`);
await Promise.all(
  again
    .split(',')
    .filter(Boolean)
    .map((id) => learn(Number(id))),
);
await Promise.all(Array.from({ length: Number(connections) }, connection));
await store.close();
say('closed');
process.exit(0);
