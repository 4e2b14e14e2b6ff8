import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { loadIris } from '../../src/datasets/iris.ts';
import { CountVectorizer } from '../../src/estimators/count-vectorizer.ts';
import { GaussianNB } from '../../src/estimators/gaussian-nb.ts';
import { MultinomialNB } from '../../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../../src/estimators/pipeline.ts';
import type { Facts } from '../../src/server/http/log.ts';
import type { StartThread } from '../../src/server/jobs/pool.ts';
import { MemoryStore } from '../../src/server/memory-store.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import type { ServerOptions } from '../../src/server/service.ts';

const spamTexts = ['free prize call now', 'win cash now', 'free entry win', 'call for a prize', 'cash prize free'];
const hamTexts = [
  'see you at seven',
  'lunch tomorrow then',
  'call me when you are home',
  'thanks for the book',
  'see you then',
];

/** A pipeline of words and dice over ten short texts. */
export const spamPipeline = () =>
  makePipeline(new CountVectorizer(), new MultinomialNB()).fit(
    [...spamTexts, ...hamTexts],
    [...spamTexts.map(() => 'spam'), ...hamTexts.map(() => 'ham')],
  );

/** The same texts as records. */
export const spamRows = [
  ...spamTexts.map((text) => ({ text, label: 'spam' })),
  ...hamTexts.map((text) => ({ text, label: 'ham' })),
];

/** A classifier of records with one column of text. */
export const spamClassifier = () =>
  Classifier.fit(spamRows, { target: 'label', features: ['text'], model: 'multinomial', evaluate: false });

/** Fisher's irises as records. */
export const irisRows = (): readonly Readonly<Record<string, unknown>>[] => loadIris().rows;

/** Four bell curves in two classes, over columns without names, with numbers for labels. */
export const bells = () =>
  new GaussianNB().fit(
    [
      [1, 10],
      [2, 11],
      [1.5, 12],
      [7, 1],
      [8, 2],
      [7.5, 3],
    ],
    [0, 0, 0, 1, 1, 1],
  );

/** The models that most tests serve. */
export const models = () =>
  new Map<string, Uint8Array>([
    ['spam', spamPipeline().toBytes()],
    ['records', spamClassifier().toBytes()],
    ['bells', bells().toBytes()],
  ]);

const source = new URL('../../src/server/jobs/job-worker.ts', import.meta.url).href;

/** Threads run what is built; tests let them run the sources. */
export const threads: StartThread = (task) =>
  new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(source)}); })`,
    {
      eval: true,
      workerData: task,
    },
  );

/** A server for one test, which ends with it. */
export async function serve(options: Partial<ServerOptions> = {}): Promise<RunningServer & { events: Event[] }> {
  const events: Event[] = [];
  const server = await startServer({
    store: options.store ?? new MemoryStore(models()),
    port: 0,
    startThread: () => undefined,
    log: (level, event, facts = {}) => events.push({ level, event, facts }),
    ...options,
    limits: { lateness: 60_000, ...options.limits },
  });
  onTestFinished(() => server.close());
  return { ...server, events };
}

interface Event {
  readonly level: string;
  readonly event: string;
  readonly facts: Facts;
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests check any part of it
  readonly body: any;
}

/** Asks a server; what is no string is sent as JSON. */
export async function ask(
  { url }: Pick<RunningServer, 'url'>,
  path: string,
  body?: unknown,
  { method, headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const own = new Headers(sent === undefined ? {} : { 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(headers)) own.set(name, value);
  const response = await fetch(url + path, {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: own,
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.text();
  const json = /^application\/(json|problem\+json)/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Sends bytes as they are and gives all that comes back until the server closes, or the time is over. */
export function raw({ port }: Pick<RunningServer, 'port'>, bytes: string | Buffer, wait = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(end, wait);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('close', () => {
      clearTimeout(timer);
      end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}
