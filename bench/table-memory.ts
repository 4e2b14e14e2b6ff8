/**
 * Speed and memory of `openTable` on long streams. `npx tsx bench/table-memory.ts [megabytes]`, default 1000. Rows are
 * generated on the fly; each format is read to its end, and an unclosed quote until the error.
 */

import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { PolyaError } from '../src/errors.ts';
import { type OpenTableOptions, openTable } from '../src/node.ts';

const megabytes = Number(process.argv[2] ?? 1000);
const encode = (text: string) => new TextEncoder().encode(text);
const words = (i: number) => `message ${(i * 7919) % 1000} about number ${i}`;
const block = (line: (i: number) => string) => encode(Array.from({ length: 2000 }, (_, i) => line(i)).join(''));

async function* repeat(head: string, body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (head !== '') yield encode(head);
  for (let made = 0; made < megabytes * 1e6; made += body.length) yield body;
}

const csv = () =>
  repeat(
    'id,label,text\n',
    block((i) => `${i},${i % 2 ? 'ham' : 'spam'},"${words(i)}, so it goes"\n`),
  );
const mail = (i: number) => `From a@example.org Tue Jan  1 10:00:00 2019\nSubject: ${i}\n\n${words(i)}\n\n`;
const sources: Record<string, () => AsyncIterable<Uint8Array>> = {
  csv,
  'csv.gz': () => Readable.from(csv()).pipe(createGzip({ level: 1 })),
  jsonl: () =>
    repeat(
      '',
      block((i) => `{"id":${i},"label":"ham","text":"${words(i)}"}\n`),
    ),
  fasttext: () =>
    repeat(
      '',
      block((i) => `__label__ham ${words(i)}\n`),
    ),
  text: () =>
    repeat(
      '',
      block((i) => `${words(i)}\n`),
    ),
  mbox: () => repeat('', block(mail)),
};

let peak = 0;
async function read(source: AsyncIterable<Uint8Array>, options: OpenTableOptions = {}): Promise<number> {
  const table = await openTable(source, options);
  for await (const _ of table.batches()) peak = Math.max(peak, process.memoryUsage.rss());
  return table.rowsRead;
}

const results: Record<string, unknown> = { megabytes };
for (const [name, source] of Object.entries(sources)) {
  peak = 0;
  const start = performance.now();
  const rows = await read(source(), { maxRatio: 1000 });
  const seconds = (performance.now() - start) / 1000;
  results[name] = { rows, megabytesPerSecond: Math.round(megabytes / seconds), peakMegabytes: Math.round(peak / 1e6) };
}
peak = 0;
results.unclosedQuote = await read(
  repeat(
    'id,text\n1,"',
    block((i) => `${words(i)}\n`),
  ),
  { format: 'csv' },
).catch((error) => {
  const outcome = error instanceof PolyaError ? `${error.code}: ${error.message}` : String(error);
  return { outcome, peakMegabytes: Math.round(process.memoryUsage.rss() / 1e6) };
});
console.log(JSON.stringify(results, null, 2));
