/**
 * Cost of a request, and behaviour under overload, swaps, restarts and over time. Server and driver share one machine, so the figure is
 * the processor time of the server per answered request, in slices of two seconds that alternate with a bare fastify "hello" after a
 * warm-up; the median of the pairs.
 * `npx tsx bench/server.ts [pairs] [soak seconds] [predict,learn,long,batch,mixed,overload,swaps,replay]`
 */
import { closeSync, fdatasyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { middle } from './measure.ts';
import {
  type Ask,
  build,
  CLASSES,
  hello,
  learn,
  learnLong,
  mixed,
  predict,
  predictMany,
  type Slice,
  Subject,
  slice,
  soakAsks,
  WORDS,
} from './server-load.ts';

const [pairs = 7, soakSeconds = 0] = process.argv.slice(2, 4).map(Number);
const only = process.argv[4]?.split(',');

/** Requests before the first measurement: cold code costs ten times as much. */
const WARM_UP = 12_000;
const SLICE = { duration: 2 };

const round = (value: number): number => Number(value.toPrecision(3));

/** Alternates slices of a request and of hello. */
async function compare(ask: Ask, base: Subject, subject: Subject): Promise<object> {
  const part = ask.share ?? 1;
  await slice(base, [hello], { amount: WARM_UP });
  await slice(subject, [ask], { amount: WARM_UP * part });
  const found: [Slice, Slice][] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const calm = await slice(base, [hello], SLICE);
    found.push([calm, await slice(subject, [ask], SLICE)]);
  }
  const median = (pick: (pair: [Slice, Slice]) => number) => round(middle(found.map(pick)));
  return {
    work: ask.name,
    helloMicros: median(([own]) => own.micros),
    micros: median(([, own]) => own.micros),
    cpuRatio: median(([a, b]) => b.micros / a.micros),
    perSecond: Math.round(median(([, own]) => own.perSecond)),
    rateRatio: median(([a, b]) => b.perSecond / a.perSecond),
    p99: median(([, own]) => own.p99),
    p99Ratio: median(([a, b]) => b.p99 / a.p99),
    failed: found.reduce((sum, [, own]) => sum + own.failed, 0),
  };
}

/** Syncs per second of a few bytes to the disk of the store. */
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

/** Eight times the connections: goodput, refusals and recovery. */
async function overload(subject: Subject, base: Subject): Promise<object> {
  await slice(subject, [predict], { amount: WARM_UP });
  const usual = await slice(subject, [predict], { duration: 4 });
  const crowded = await slice(subject, [predict], { duration: 6, connections: 400 });
  const after = await slice(subject, [predict], { duration: 2 });
  const calm = await slice(base, [hello], { duration: 3 });
  const busy = await slice(base, [hello], { duration: 3, connections: 400 });
  return {
    work: 'predict over 400 connections',
    goodput: round(crowded.perSecond / usual.perSecond),
    helloGoodput: round(busy.perSecond / calm.perSecond),
    cpuRatio: round(crowded.micros / usual.micros),
    refused: crowded.failed,
    p99: crowded.p99,
    p99After: after.p99,
  };
}

/** One learn request to nine predictions at half of the peak rate, and predictions while others learn. */
async function together(subject: Subject): Promise<object> {
  await slice(subject, mixed, { amount: WARM_UP });
  const peak = await slice(subject, mixed, { duration: 4 });
  const half = await slice(subject, mixed, { duration: 6, rate: peak.perSecond / 2 });
  const alone = await slice(subject, [predict], { duration: 3, rate: peak.perSecond / 4 });
  const [beside] = await Promise.all([
    slice(subject, [predict], { duration: 5, rate: peak.perSecond / 4 }),
    slice(subject, [learn], { duration: 5 }),
  ]);
  return {
    work: 'predict and learn, 9 to 1',
    peak: Math.round(peak.perSecond),
    p99AtHalf: half.p99,
    predictP99Alone: alone.p99,
    predictP99BesideLearning: beside.p99,
    failed: peak.failed + half.failed + beside.failed,
  };
}

/** A hundred swaps of a model under load, in half a minute. */
async function swaps(subject: Subject): Promise<object> {
  const quiet = await slice(subject, [predict], { duration: 4 });
  const load = slice(subject, [predict], { duration: 31 });
  let swapped = 0;
  const start = performance.now();
  for (; swapped < 100 && performance.now() - start < 30_000; swapped++) {
    await subject.tell('swap');
    await pause(Math.max(0, start + (swapped + 1) * 290 - performance.now()));
  }
  const seconds = (performance.now() - start) / 1000;
  const { failed, p99 } = await load;
  return {
    work: 'hot swaps under load',
    swapped,
    seconds: round(seconds),
    failed,
    p99,
    p99Ratio: round(p99 / quiet.p99),
  };
}

/** Seconds between two swaps of the soak. */
const SWAP_EVERY = 10;

/** Predictions, learning, unlearning and swaps for minutes: the heap after a collection and the memory in each third. */
async function soak(subject: Subject, seconds: number): Promise<object> {
  const heaps: number[] = [];
  const memory: number[] = [];
  const slices: Slice[] = [];
  await subject.tell('add');
  const swapping = setInterval(() => void subject.tell('swap'), SWAP_EVERY * 1000);
  for (let part = 0; part < 3; part++) {
    slices.push(await slice(subject, soakAsks, { duration: seconds / 3 }));
    heaps.push((await subject.tell('collect')).heapUsed / 2 ** 20);
    memory.push(subject.resident().highest);
  }
  clearInterval(swapping);
  return {
    work: `soak, ${seconds} s`,
    requests: Math.round(slices.reduce((sum, own) => sum + (own.perSecond * seconds) / 3, 0)),
    failed: slices.reduce((sum, own) => sum + own.failed, 0),
    heap: heaps.map(round).join(', '),
    growth: round(heaps[2] - heaps[0]),
    memory: memory.join(', '),
    p99: slices.map(({ p99 }) => p99).join(', '),
  };
}

const file = await build();
const base = await new Subject(file, 'hello').ready();
const subject = await new Subject(file, 'polya').ready();
const syncs = syncsPerSecond();

const work: Readonly<Record<string, () => Promise<object>>> = {
  predict: () => compare(predict, base, subject),
  learn: () => compare(learn, base, subject),
  long: () => compare(learnLong, base, subject),
  batch: () => compare(predictMany, base, subject),
  mixed: () => together(subject),
  overload: () => overload(subject, base),
  swaps: () => swaps(subject),
};
const lines: object[] = [];
const note = (line: object): void => {
  lines.push(line);
  console.table([line]);
};

/** Megabytes beyond the limit for the largest model of a phase, the maximum over phases. */
let beyond = Number.NEGATIVE_INFINITY;
let largest = 0;

/** One phase: its result, the longest delay of the event loop, and memory. */
async function phase(run: () => Promise<object>): Promise<void> {
  await subject.tell('calm');
  for (const own of [base, subject]) own.resident();
  const line = await run();
  const { stall } = await subject.tell('usage');
  const [{ highest, anonymous, files }, bare] = [subject.resident(), base.resident()];
  const modelMB = round(((await subject.tell('size')).answer as number) / 2 ** 20);
  beyond = Math.max(beyond, highest - (2 * Math.max(largest, modelMB) + 200));
  largest = modelMB;
  const rss = { rss: highest, anonymous, files, modelMB, helloRss: bare.highest };
  note({ ...line, stall: round(stall), ...rss });
}
for (const [name, run] of Object.entries(work)) if (!only || only.includes(name)) await phase(run);
if (soakSeconds > 0) await phase(() => soak(subject, soakSeconds));
note({ work: 'memory', beyond2ModelsAnd200: round(beyond) });
if (!only || only.includes('replay')) note((await subject.tell('replay')).answer as object);
console.info(
  JSON.stringify({
    title: 'server',
    words: WORDS,
    classes: CLASSES,
    syncsPerSecond: syncs,
    node: process.version,
    lines,
  }),
);
for (const own of [base, subject]) own.child.send('end');
