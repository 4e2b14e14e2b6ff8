// Startup time of the command, time to classify one text with a large model, and memory of a long stream. npx tsx
// bench/cli.ts [runs] [megabytes]; needs `npm run build`. Writes bench/results/cli.json.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from 'polya';

const runs = Number(process.argv[2] ?? 15);
const megabytes = Number(process.argv[3] ?? 1000);
const cli = process.env.POLYA_CLI ?? new URL('../dist/cli/cli.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));

/** 11,000 documents of 20 classes with 130,000 distinct words, few of them frequent. */
function writeCorpus(): void {
  const random = new Random(1);
  let lines = '';
  for (let i = 0; i < 11_000; i++) {
    const words = Array.from({ length: 180 }, () => `word${Math.floor(130_000 ** random.uniform())}`);
    for (let k = 0; k < 12; k++) words.push(`word${(i * 12 + k) % 130_000}`);
    lines += `${JSON.stringify({ label: `class ${i % 20}`, text: words.join(' ') })}\n`;
  }
  writeFileSync(join(folder, 'corpus.jsonl'), lines);
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1];

function timed(words: string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - begun;
}

/** Feeds rows to `predict` and samples the memory of the process. */
function stream(): Promise<{ seconds: number; rows: number; residentMB: number }> {
  const child = spawn(process.execPath, [cli, 'predict', '-', '-m', 'model.polya', '--output', 'tsv', '-q'], {
    cwd: folder,
  });
  const begun = performance.now();
  let [resident, sent, rows] = [0, 0, 0];
  const watch = setInterval(() => {
    const [, pages] = readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ');
    resident = Math.max(resident, (Number(pages) * 4096) / 1e6);
  }, 100);
  child.stdout.resume();
  child.stdin.write('id,text\n');
  const put = () => {
    while (sent < megabytes * 1e6) {
      let part = '';
      for (let k = 0; k < 500; k++)
        part += `${rows},word${rows % 997} word${rows % 31} word${rows % 7} word${rows++ % 90_001} a few more words to read\n`;
      sent += part.length;
      if (!child.stdin.write(part)) return void child.stdin.once('drain', put);
    }
    child.stdin.end();
  };
  put();
  return new Promise((resolve) => {
    child.on('exit', () => {
      clearInterval(watch);
      resolve({ seconds: (performance.now() - begun) / 1000, rows, residentMB: resident });
    });
  });
}

writeCorpus();
timed([
  cli,
  'fit',
  'corpus.jsonl',
  '--target',
  'label',
  '--model',
  'multinomial',
  '--holdout',
  '0',
  '-o',
  'model.polya',
  '-q',
]);
const times = { node: [] as number[], version: [] as number[], predict: [] as number[] };
for (let k = 0; k < runs; k++) {
  times.node.push(timed(['-e', '0']));
  times.version.push(timed([cli, '--version']));
  times.predict.push(timed([cli, 'predict', '-m', 'model.polya', '--text', 'word1 word77 word12345']));
}
const { words } = JSON.parse(
  spawnSync(process.execPath, [cli, 'info', 'model.polya', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }).stdout,
).report.summary.match(/(?<words>[\d,]+) words/).groups;
const result = {
  words,
  runs,
  nodeMs: median(times.node),
  versionMs: median(times.version),
  predictMs: median(times.predict),
  least: { node: Math.min(...times.node), version: Math.min(...times.version), predict: Math.min(...times.predict) },
  stream: megabytes > 0 ? { megabytes, ...(await stream()) } : null,
};
rmSync(folder, { recursive: true });
mkdirSync(new URL('results/', import.meta.url), { recursive: true });
writeFileSync(new URL('results/cli.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
console.log(JSON.stringify(result, null, 2));
