/** Speed of reading CSV and JSON Lines, and the growth of time on adversarial text. `npx tsx bench/csv-speed.ts` */
import Papa from 'papaparse';
import { parseCsv, readCsv } from '../src/data/csv.ts';
import { readJsonLines } from '../src/data/jsonl.ts';

const ROWS = 400_000;
const rows = (row: (i: number) => string) => Array.from({ length: ROWS }, (_, i) => row(i)).join('\n');

const texts: Record<string, string> = {
  plain: `id,label,value,name,city,when,score,note\n${rows((i) => `${i},ham,0.${i % 97},person ${i},Budapest,2024-01-02T03:04:05,${i * 7},plain words`)}`,
  quoted: `id,label,text\n${rows((i) => `${i},ham,"so it goes, said number ${i}, and ""so"" it went on for a while"`)}`,
  wide: `id,label,text\n${rows((i) => `${i},ham,Pólya György ${i} Budapesten született és Zürichben tanított`)}`,
};

/** Megabytes per second of processor time, the best of five: other load only slows a run down. */
async function speed(bytes: number, run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 9; round++) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return Math.round(bytes / best);
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

/** The factor by which twice the text takes longer; 2 is linear. */
function growth(text: (n: number) => string): number {
  const time = (n: number) => {
    const bytes = new TextEncoder().encode(text(n));
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 9; round++) {
      const start = performance.now();
      parseCsv(bytes, { header: false, maxBadRows: 1 });
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  return Number((time(8_000_000) / time(4_000_000)).toFixed(2));
}

const results: Record<string, unknown> = {};
for (const [name, text] of Object.entries(texts)) {
  const bytes = new TextEncoder().encode(text);
  const papa = () => Papa.parse(text, { chunk: () => undefined, chunkSize: 1 << 20 } as Papa.ParseConfig);
  results[name] = {
    megabytes: Math.round(bytes.length / 1e6),
    polya: await speed(bytes.length, () => drain(readCsv(bytes))),
    polyaInMemory: await speed(bytes.length, () => parseCsv(bytes)),
    papaparse: await speed(bytes.length, papa),
  };
}
const json = new TextEncoder().encode(rows((i) => `{"id":${i},"label":"ham","text":"so it goes, said number ${i}"}`));
results.jsonLines = {
  megabytes: Math.round(json.length / 1e6),
  polya: await speed(json.length, () => drain(readJsonLines(json))),
};
results.growth = {
  quotes: growth((n) => '"'.repeat(n)),
  oddQuotes: growth((n) => '"'.repeat(n + 1)),
  spaces: growth((n) => ' '.repeat(n)),
  spacesBehindQuote: growth((n) => `""${' '.repeat(n)}`),
  delimiters: growth((n) => ','.repeat(n / 8)),
  lineEnds: growth((n) => '\r\n'.repeat(n / 2)),
  openQuote: growth((n) => `"${'a\n'.repeat(n / 2)}`),
  wideLetters: growth((n) => 'é,'.repeat(n / 8)),
};
console.log(JSON.stringify(results, null, 2));
