/**
 * What bench/server.ts measures, as a process of its own: `hello` is a bare fastify, `polya` a server with a durable store and a model of
 * 50 000 words and 20 classes. It answers the driver by messages: its port, its processor time, its memory, a swap of the model.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fastify from 'fastify';
import { startServer } from '../src/server/server.ts';
import { openStore } from '../src/server/store/index.ts';

const [kind, words, classes, file] = process.argv.slice(2);

/** A model that was fitted in another process, so that its memory does not count here. */
const model = (): Uint8Array => readFileSync(file);

async function hello() {
  const app = fastify();
  app.get('/', async () => ({ hello: 'world' }));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const nothing = async () => undefined;
  return { url, swap: nothing, add: nothing, size: () => undefined, close: () => app.close() };
}

async function polya() {
  const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));
  const store = await openStore(folder, new Map([['news', model()]]));
  const { url, close } = await startServer({ store, port: 0 });
  const end = async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  };
  const size = () =>
    store
      .get('news')!
      .model.toParts()
      .reduce((sum, part) => sum + part.length, 0);
  const put = (name: string) => () => store.put(name, model());
  return { url, swap: put('news'), add: put('mail'), size, close: end };
}

/** The speed of replay: a store is filled, copied as a crash would leave it, and opened. */
async function replay(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));
  const records = 60_000;
  const store = await openStore(join(folder, 'store'), new Map([['news', model()]]), { snapshotEvery: 10 ** 9 });
  let fresh = 0;
  const example = () => {
    const text = Array.from({ length: 20 }, () => `w${Math.floor(Number(words) ** Math.random()).toString(36)}`);
    return [{ instance: `${text.join(' ')} new${fresh % 1000}`, label: `class ${fresh++ % Number(classes)}` }];
  };
  while (fresh < records) await Promise.all(Array.from({ length: 500 }, () => store.learn('news', example())));
  cpSync(join(folder, 'store'), join(folder, 'copy'), { recursive: true, filter: (name) => !name.endsWith('.sock') });
  const [start, before] = [performance.now(), process.cpuUsage()];
  const again = await openStore(join(folder, 'copy'));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const same = Buffer.compare(again.get('news')!.model.toBytes(), store.get('news')!.model.toBytes()) === 0;
  await Promise.all([again.close(), store.close()]);
  rmSync(folder, { recursive: true, force: true });
  const rate = (time: number) => Math.round(records / time);
  return {
    work: 'replay at a start',
    records,
    seconds,
    perSecond: rate(seconds),
    perCpuSecond: rate((user + system) / 1e6),
    same,
  };
}

/** Resolution of the event loop delay, in milliseconds. */
const LOOK = 5;
const delay = monitorEventLoopDelay({ resolution: LOOK });
delay.enable();

const subject = kind === 'hello' ? await hello() : await polya();

process.on('message', async (wish: string) => {
  const answer = wish === 'replay' ? await replay() : wish === 'size' ? subject.size() : undefined;
  if (wish === 'swap') await subject.swap();
  if (wish === 'add') await subject.add();
  if (wish === 'calm') delay.reset();
  if (wish === 'collect') (globalThis as { gc?: () => void }).gc?.();
  if (wish === 'end') {
    await subject.close();
    process.exit(0);
  }
  const { user, system } = process.cpuUsage();
  const { heapUsed } = process.memoryUsage();
  const stall = Math.max(0, delay.max / 1e6 - LOOK);
  process.send?.({ cpu: user + system, heapUsed, stall, answer });
});
process.send?.({ url: subject.url });
