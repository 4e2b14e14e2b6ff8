/**
 * What does a request cost? Server and driver share one machine, so requests per second say little; the figure is processor time of
 * the server per answered request, in slices of two seconds that alternate with a bare fastify "hello" after a warm-up, and the
 * median of the pairs. `npx tsx bench/server.ts [pairs] [soak seconds] [only]`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { rolldown } from 'rolldown';
import { Generator } from '../src/math/generator.ts';
import { middle } from './measure.ts';

const [pairs = 7, soakSeconds = 0] = process.argv.slice(2).map(Number);
const only = process.argv[4];
const WORDS = 50_000;
const random = new Generator(5);
let fresh = 0;

/** A text of Zipf's kind. */
const textOf = (length: number): string =>
  Array.from({ length }, () => `w${Math.floor(WORDS ** random.uniform()).toString(36)}`).join(' ');
const texts = Array.from({ length: 500 }, () => textOf(120));
const messages = Array.from({ length: 500 }, () => textOf(20));
const any = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)];

/** One kind of request. */
interface Ask {
  readonly name: string;
  readonly path: string;
  /** Which share of the requests of a slice is enough. */
  readonly share?: number;
  body?(): string;
}

const predict: Ask = {
  name: 'predict, 120 words',
  path: '/v1/models/news/predict',
  body: () => JSON.stringify({ instances: [any(texts)] }),
};
const predictMany: Ask = {
  name: 'predict, 64 documents',
  path: '/v1/models/news/predict',
  share: 1 / 40,
  body: () => JSON.stringify({ instances: Array.from({ length: 64 }, () => any(texts)) }),
};
const learnOf = (name: string, list: readonly string[]): Ask => ({
  name,
  path: '/v1/models/news/learn',
  body: () => JSON.stringify({ examples: [{ instance: `${any(list)} new${fresh++}`, label: `class ${fresh % 20}` }] }),
});
const learn = learnOf('durable learn, 20 words and a new one', messages);
const learnLong = learnOf('durable learn, 120 words and a new one', texts);
const hello: Ask = { name: 'hello', path: '/' };

interface Usage {
  readonly cpu: number;
  readonly rss: number;
  readonly heapUsed: number;
}

/** A server in a process of its own. */
class Subject {
  readonly child: ChildProcess;
  url = '';
  bytes = 0;
  highest = 0;

  constructor(file: string, kind: string) {
    this.child = fork(file, [kind, String(WORDS), '20'], { execArgv: ['--expose-gc'] });
  }

  async ready(): Promise<this> {
    const [{ url, bytes }] = await once(this.child, 'message');
    this.url = url;
    this.bytes = bytes;
    return this;
  }

  async tell(wish: string): Promise<Usage> {
    this.child.send(wish);
    const [usage] = (await once(this.child, 'message')) as [Usage];
    this.highest = Math.max(this.highest, usage.rss);
    return usage;
  }
}

/** What a slice has shown. */
interface Slice {
  readonly perSecond: number;
  readonly micros: number;
  readonly p99: number;
  readonly failed: number;
}

/** So many requests come first, whatever time they take: cold code costs ten times as much. */
const WARM_UP = 12_000;
const SLICE = { duration: 2 };

/** Asks for some seconds, or so many times, over so many connections. */
async function slice(
  subject: Subject,
  asks: readonly Ask[],
  length: { readonly duration: number } | { readonly amount: number },
  connections = 50,
): Promise<Slice> {
  const before = await subject.tell('usage');
  const start = performance.now();
  const result = await autocannon({
    url: subject.url,
    connections,
    ...length,
    requests: asks.map(({ path, body }) => ({
      path,
      method: body ? 'POST' : 'GET',
      ...(body && {
        headers: { 'content-type': 'application/json' },
        setupRequest: (request: autocannon.Request) => ({ ...request, body: body() }),
      }),
    })),
  });
  const seconds = (performance.now() - start) / 1000;
  const after = await subject.tell('usage');
  const answered = result['2xx'];
  return {
    perSecond: answered / seconds,
    micros: (after.cpu - before.cpu) / answered,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

const round = (value: number): number => Number(value.toPrecision(3));
const lines: object[] = [];

/** Slices of a request and of hello by turns. */
async function compare(ask: Ask, base: Subject, subject: Subject): Promise<void> {
  if (only && !ask.name.includes(only)) return;
  const part = ask.share ?? 1;
  await slice(base, [hello], { amount: WARM_UP });
  await slice(subject, [ask], { amount: WARM_UP * part });
  const found: [Slice, Slice][] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const calm = await slice(base, [hello], SLICE);
    found.push([calm, await slice(subject, [ask], SLICE)]);
  }
  const median = (pick: (pair: [Slice, Slice]) => number) => round(middle(found.map(pick)));
  lines.push({
    work: ask.name,
    helloMicros: median(([own]) => own.micros),
    micros: median(([, own]) => own.micros),
    cpuRatio: median(([a, b]) => b.micros / a.micros),
    perSecond: Math.round(median(([, own]) => own.perSecond)),
    rateRatio: median(([a, b]) => b.perSecond / a.perSecond),
    p99: median(([, own]) => own.p99),
    p99Ratio: median(([a, b]) => b.p99 / Math.max(1, a.p99)),
    failed: found.reduce((sum, [, own]) => sum + own.failed, 0),
  });
  console.table(lines.slice(-1));
}

/** How often a second a few bytes can be synced to the disk that the store is on. */
function syncsPerSecond(): number {
  const folder = join(tmpdir(), `polya-sync-${process.pid}`);
  mkdirSync(folder);
  const file = openSync(join(folder, 'file'), 'w');
  const end = performance.now() + 1000;
  let count = 0;
  for (; performance.now() < end; count++) {
    writeSync(file, Buffer.alloc(4096), 0, 4096, 0);
    fdatasyncSync(file);
  }
  closeSync(file);
  rmSync(folder, { recursive: true });
  return count;
}

/** Eight times the connections: what is refused is refused at once, and what is answered is not much less. */
async function overload(subject: Subject): Promise<object> {
  const usual = await slice(subject, [predict], { duration: 4 });
  const crowded = await slice(subject, [predict], { duration: 6 }, 400);
  const after = await slice(subject, [predict], { duration: 2 });
  return {
    work: 'predict over 400 connections',
    goodput: round(crowded.perSecond / usual.perSecond),
    refused: crowded.failed,
    p99: crowded.p99,
    p99After: after.p99,
  };
}

/** A hundred models put in the place of each other under load. */
async function swaps(subject: Subject): Promise<object> {
  const quiet = await slice(subject, [predict], { duration: 4 });
  const load = slice(subject, [predict], { duration: 30 });
  let swapped = 0;
  const end = Date.now() + 28_000;
  for (; swapped < 100 && Date.now() < end; swapped++) {
    await subject.tell('swap');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { failed, p99 } = await load;
  return { work: 'hot swaps under load', swapped, failed, p99, p99Ratio: round(p99 / Math.max(1, quiet.p99)) };
}

/** Learning and predicting, one to nine, for minutes: the heap after a collection, from the first third to the end. */
async function soak(subject: Subject, seconds: number): Promise<object> {
  const asks = [...Array.from({ length: 9 }, () => predict), learn];
  const heaps: number[] = [];
  const slices: Slice[] = [];
  for (let part = 0; part < 3; part++) {
    slices.push(await slice(subject, asks, { duration: seconds / 3 }));
    heaps.push((await subject.tell('collect')).heapUsed / 2 ** 20);
  }
  return {
    work: `soak, ${seconds} s`,
    requests: Math.round(slices.reduce((sum, own) => sum + (own.perSecond * seconds) / 3, 0)),
    failed: slices.reduce((sum, own) => sum + own.failed, 0),
    heap: heaps.map(round).join(', '),
    growth: round(heaps[2] - heaps[0]),
    p99: slices.map(({ p99 }) => p99).join(', '),
  };
}

async function build(): Promise<string> {
  const folder = new URL('../node_modules/.cache/polya/bench', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'server-subject.mjs');
  const input = new URL('./server-subject.ts', import.meta.url).pathname;
  const bundle = await rolldown({ input, platform: 'node', external: [/^[a-z@][^:]*$/, /^node:/], logLevel: 'silent' });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

const file = await build();
const base = await new Subject(file, 'hello').ready();
const subject = await new Subject(file, 'polya').ready();
const syncs = syncsPerSecond();
for (const ask of [predict, learn, learnLong, predictMany]) await compare(ask, base, subject);
if (!only || only === 'overload') lines.push(await overload(subject));
if (!only || only === 'swaps') lines.push(await swaps(subject));
if (soakSeconds > 0) lines.push(await soak(subject, soakSeconds));
const memory = {
  work: 'memory',
  modelMB: round(subject.bytes / 2 ** 20),
  highestRssMB: round(subject.highest / 2 ** 20),
};
lines.push(memory);
for (const line of lines) console.table([line]);
console.info(
  JSON.stringify({ title: 'server', words: WORDS, classes: 20, syncsPerSecond: syncs, node: process.version, lines }),
);
for (const own of [base, subject]) own.child.send('end');
