/**
 * Memory of a long stream. `npx tsx bench/csv-memory.ts [megabytes]`, default 1000. Rows are generated on the fly;
 * prints the peak of the resident set, the speed, and the result of an unclosed quote.
 */
import { readCsv } from '../src/data/csv.ts';
import { PolyaError } from '../src/errors.ts';

const megabytes = Number(process.argv[2] ?? 1000);

async function* repeat(head: string, block: Uint8Array): AsyncGenerator<Uint8Array | string> {
  yield head;
  for (let made = 0; made < megabytes * 1e6; made += block.length) yield block;
}

function block(): Uint8Array {
  let text = '';
  for (let i = 0; i < 1000; i++)
    text += `${i},${i % 2 ? 'ham' : 'spam'},0.${i},"so it goes, said ""number"" ${i}",plain words\n`;
  return new TextEncoder().encode(text);
}

let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
const start = performance.now();
let rows = 0;
for await (const table of readCsv(repeat('id,label,value,text,note\n', block()))) {
  rows += table.rows;
  look();
}
const seconds = (performance.now() - start) / 1000;

let ending = 'no refusal';
try {
  for await (const _ of readCsv(
    repeat(
      'id,text\n1,"',
      block().map((byte) => (byte === 34 ? 39 : byte)),
    ),
  ))
    look();
} catch (error) {
  look();
  ending = error instanceof PolyaError ? `${error.code}: ${error.message}` : String(error);
}
const result = {
  megabytes,
  rows,
  megabytesPerSecond: Math.round(megabytes / seconds),
  peakMegabytes: Math.round(peak / 1e6),
};
console.log(JSON.stringify({ ...result, unclosedQuote: ending }, null, 2));
