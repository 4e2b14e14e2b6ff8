/** The tools of bench/server.ts: servers in separate processes, kinds of requests, and slices of load. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { rolldown } from 'rolldown';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../src/estimators/pipeline.ts';
import { Generator } from '../src/math/generator.ts';
import { type Resident, residentOf } from './resident.ts';

/** Words that the model knows; the texts are drawn from them. `POLYA_WORDS` names another number. */
export const WORDS = Number(process.env.POLYA_WORDS ?? 50_000);

/** The number of classes. */
export const CLASSES = 20;

const random = new Generator(5);
let fresh = 0;

/** A text of Zipf's kind. */
const textOf = (length: number): string =>
  Array.from({ length }, () => `w${Math.floor(WORDS ** random.uniform()).toString(36)}`).join(' ');
const texts = Array.from({ length: 500 }, () => textOf(120));
const messages = Array.from({ length: 500 }, () => textOf(20));
const any = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)];

/** One kind of request. */
export interface Ask {
  readonly name: string;
  readonly path: string;
  /** The share of the requests of a slice to send. */
  readonly share?: number;
  body?(): string;
}

/** One text of 120 words. */
export const predict: Ask = {
  name: 'predict, 120 words',
  path: '/v1/models/news/predict',
  body: () => JSON.stringify({ instances: [any(texts)] }),
};

/** Sixty-four of them. */
export const predictMany: Ask = {
  name: 'predict, 64 documents',
  path: '/v1/models/news/predict',
  share: 1 / 40,
  body: () => JSON.stringify({ instances: Array.from({ length: 64 }, () => any(texts)) }),
};
const learnOf = (name: string, list: readonly string[]): Ask => ({
  name,
  path: '/v1/models/news/learn',
  body: () =>
    JSON.stringify({ examples: [{ instance: `${any(list)} new${fresh++}`, label: `class ${fresh % CLASSES}` }] }),
});

/** A short message, and a long one; each has a new word. */
export const learn: Ask = learnOf('durable learn, 20 words and a new one', messages);
export const learnLong: Ask = learnOf('durable learn, 120 words and a new one', texts);

/** The yardstick. */
export const hello: Ask = { name: 'hello', path: '/' };

/** Nine predictions for each learn request. */
export const mixed: readonly Ask[] = [...Array.from({ length: 9 }, () => predict), learn];

/** Eight predictions, then an example that another model learns and unlearns. */
export function soakAsks(): Ask[] {
  const body = JSON.stringify({ examples: [{ instance: `${any(messages)} new${fresh++}`, label: 'class 1' }] });
  const change = (verb: string): Ask => ({ name: verb, path: `/v1/models/mail/${verb}`, body: () => body });
  return [...Array.from({ length: 8 }, () => predict), change('learn'), change('unlearn')];
}

/** The resources used by a process. */
export interface Usage {
  readonly cpu: number;
  readonly heapUsed: number;
  /** The longest delay of the event loop since the last reset, in milliseconds. */
  readonly stall: number;
  readonly answer?: unknown;
}

/** What the unit for systemd sets for the server. */
function unitSettings(): Record<string, string> {
  const unit = readFileSync(new URL('../examples/serve/polya.service', import.meta.url), 'utf8');
  const settings = [...unit.matchAll(/^Environment="?(.*?)"?$/gm)].map(([, setting]) => setting);
  return Object.fromEntries(settings.map((own) => [own.slice(0, own.indexOf('=')), own.slice(own.indexOf('=') + 1)]));
}

/** A server in a process of its own. */
export class Subject {
  readonly child: ChildProcess;
  url = '';
  private last: Promise<unknown> = Promise.resolve();

  constructor(file: string, kind: string) {
    const env = { ...process.env, ...(kind === 'polya' && unitSettings()) };
    this.child = fork(file, [kind, String(WORDS), String(CLASSES), modelFile()], { execArgv: ['--expose-gc'], env });
  }

  async ready(): Promise<this> {
    const [{ url }] = await once(this.child, 'message');
    this.url = url;
    return this;
  }

  /** Sends a request to the process; one at a time, since answers have no ids. */
  tell(wish: string): Promise<Usage> {
    const answer = this.last.then(() => this.ask(wish));
    this.last = answer;
    return answer;
  }

  /** Its memory: the highest since it was asked for last, and what that is now made of. */
  resident(): Resident {
    return residentOf(this.child.pid!);
  }

  private async ask(wish: string): Promise<Usage> {
    this.child.send(wish);
    const [usage] = (await once(this.child, 'message')) as [Usage];
    return usage;
  }
}

/** The result of a slice. */
export interface Slice {
  readonly perSecond: number;
  readonly micros: number;
  /** Of the requests that succeeded, in milliseconds; autocannon's own figures are whole ones. */
  readonly p99: number;
  readonly failed: number;
}

/** The options of a slice. */
export interface Load {
  readonly duration?: number;
  readonly amount?: number;
  readonly connections?: number;
  /** Requests a second, where that is less than all that can be answered. */
  readonly rate?: number;
}

/** Requests that are prepared in advance, so that the driver can keep up with the server. */
const PREPARED = 20_000;

/** The requests of one connection; those of another are others. */
function requestsOf(asks: () => readonly Ask[], connections: number): autocannon.Request[] {
  const first = asks();
  const [{ share = 1 }] = first;
  return Array.from({ length: Math.ceil((PREPARED * share) / connections / first.length) }, asks)
    .flat()
    .map(({ path, body }) =>
      body
        ? { path, method: 'POST', headers: { 'content-type': 'application/json' }, body: body() }
        : { path, method: 'GET' },
    );
}

/** Sends requests for some seconds, or a number of them. */
export async function slice(
  subject: Subject,
  asks: readonly Ask[] | (() => readonly Ask[]),
  load: Load,
): Promise<Slice> {
  const { connections = 50, rate, ...length } = load;
  const before = await subject.tell('usage');
  const times: number[] = [];
  const result = await autocannon({
    url: subject.url,
    connections,
    ...length,
    ...(rate !== undefined && { overallRate: Math.round(rate), ignoreCoordinatedOmission: true }),
    setupClient: (client) => {
      client.setRequests(requestsOf(typeof asks === 'function' ? asks : () => asks, connections));
      client.on('response', (status, _bytes, time) => {
        if (status < 300) times.push(time);
      });
    },
  });
  const after = await subject.tell('usage');
  const answered = result['2xx'];
  return {
    perSecond: answered / result.duration,
    micros: (after.cpu - before.cpu) / answered,
    p99: Number((Float64Array.from(times).sort()[Math.floor(0.99 * times.length)] ?? 0).toFixed(2)),
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

const folder = new URL('../node_modules/.cache/polya/bench', import.meta.url).pathname;
mkdirSync(folder, { recursive: true });

/** The model as a file: every word once, in texts of a hundred words, and each class as often. */
export function modelFile(): string {
  const file = join(folder, `news-${WORDS}.polya`);
  const texts = Array.from({ length: Math.ceil(WORDS / 100) }, (_, k) =>
    Array.from({ length: 100 }, (_, j) => `w${(k * 100 + j).toString(36)}`).join(' '),
  );
  const labels = texts.map((_, i) => `class ${i % CLASSES}`);
  writeFileSync(file, makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels).toBytes());
  return file;
}

/** The program of a subject, bundled as it is when it is published. */
export async function build(): Promise<string> {
  const file = join(folder, 'server-subject.mjs');
  const input = new URL('./server-subject.ts', import.meta.url).pathname;
  const bundle = await rolldown({ input, platform: 'node', external: [/^[a-z@][^:]*$/, /^node:/], logLevel: 'silent' });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
