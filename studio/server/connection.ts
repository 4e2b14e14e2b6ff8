import { signal } from '@preact/signals';
import { PolyaClient } from '../../src/client.ts';
import { type Sample, sampleOf } from './traffic.ts';

/** A running server: its address as it was given, and what was read from it last. */
export interface Connected {
  readonly url: string;
  readonly version: string;
  readonly learning: string;
}

/** The server that the studio forwards to; undefined while none is connected. */
export const server = signal<Connected | undefined>(undefined);

/** The counters of the server since it was connected, one sample every two seconds. */
export const samples = signal<readonly Sample[]>([]);

/** The studio forwards requests below `server/` to the connected server, with its token. */
export const client = new PolyaClient('server', { retries: 0 });

const EVERY = 2000;
/** Half an hour. */
const MOST_SAMPLES = 900;

/** Connects to a server; throws if it does not answer. */
export async function connect(url: string, token: string): Promise<void> {
  disconnect();
  const answer = await fetch('server', { method: 'PUT', body: JSON.stringify({ url, token }) });
  if (!answer.ok) throw new Error(((await answer.json()) as { detail: string }).detail);
  const { version, learning } = await client.ready();
  samples.value = [sampleOf(await client.metrics(), Date.now())]; // the token is needed for this
  server.value = { url, version, learning };
  timer = setTimeout(poll, EVERY);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Stops reading the server. */
export function disconnect(): void {
  clearTimeout(timer);
  server.value = undefined;
  samples.value = [];
}

/** Whether the last read failed; the next one may succeed. */
export const silent = signal(false);

async function poll(): Promise<void> {
  const asked = server.value;
  const text = await client.metrics().catch(() => undefined);
  if (server.value !== asked) return;
  silent.value = text === undefined;
  if (text !== undefined) samples.value = [...samples.value, sampleOf(text, Date.now())].slice(-MOST_SAMPLES);
  timer = setTimeout(poll, EVERY);
}
