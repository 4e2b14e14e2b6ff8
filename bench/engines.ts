/**
 * The cost of training through DuckDB compared with a peer on the same file: for tables the aggregate query that a person would write for
 * the same sums, for texts `fitTextFile` on all threads. Each task runs at two sizes, to show the growth, and each in its own process.
 * `npx tsx bench/engines.ts [folder]` keeps the data there; `… folder task size` runs one task. Prints processor and wall time (medians of
 * `RUNS`, alternating), their ratios, and the peak of the resident set after one training. Sizes: `ROWS`, `TEXT_BYTES` and half of them.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDuckDb } from '../src/engines/duckdb/index.ts';
import { CountVectorizer, GaussianNB, MixedNB, MultinomialNB, makePipeline } from '../src/index.ts';
import { Generator } from '../src/math/generator.ts';
import { fitTextFile } from '../src/node/fit-text-file.ts';
import { type Countable, fitFromEngine } from '../src/warehouse/fit.ts';
import { type Cost, middle } from './measure.ts';

const folder = resolve(process.argv[2] ?? join(tmpdir(), 'polya-bench-engines'));
const RUNS = Number(process.env.RUNS ?? 3);
const ROWS = Number(process.env.ROWS ?? 10_000_000);
const TEXT_BYTES = Number(process.env.TEXT_BYTES ?? 1e9);
const DISTINCT = Number(process.env.DISTINCT ?? 5_000_000);

const numbers = ['x1', 'x2', 'x3', 'x4', 'x5'];
const levels = ['c5', 'c20', 'c100', 'c1000'];

/** 5 classes, 5 doubles, 4 columns of levels; the same on every machine. */
async function makeNumbers(size: number): Promise<void> {
  const file = (ending: string) => join(folder, `num-${size}.${ending}`);
  if (existsSync(file('parquet'))) return;
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const unit = (salt: number) => `(hash(range * 16 + ${salt}) % 1000003) / 1000003.0::DOUBLE`;
  const cells = [
    `'class' || (hash(range) % 5) AS y`,
    ...numbers.map((name, k) => `round((hash(range) % 5) * 0.3 + ${unit(k)} + ${unit(k + 5)}, 4) AS ${name}`),
    ...[5, 20, 100, 1000].map((count, k) => `'v' || (hash(range * 16 + ${k + 10}) % ${count}) AS c${count}`),
  ];
  const rows = `SELECT ${cells.join(', ')} FROM range(${size})`;
  await connection.run(`COPY (${rows}) TO '${file('csv')}'`);
  await connection.run(
    `COPY (SELECT * FROM read_csv('${file('csv')}')) TO '${file('parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
  );
  connection.closeSync();
}

/** Words with Zipf frequencies; each of 4 classes has typical words. */
async function makeText(size: number): Promise<void> {
  const file = join(folder, `text-${size}.csv`);
  if (existsSync(file)) return;
  const random = new Generator(1);
  const word = (k: number) => `w${k.toString(36)}${'aeiou'[k % 5]}`;
  // documents are runs of long lists of words, one list for each class, because drawing each word takes minutes
  const lists = Array.from({ length: 4 }, (_, label) =>
    Array.from({ length: 1_000_000 }, () => {
      const rank = Math.floor(Math.exp(random.uniform() * Math.log(400_000)));
      return word(random.uniform() < 0.1 ? (rank % 5000) * 4 + label : rank);
    }),
  );
  const stream = createWriteStream(`${file}.part`);
  stream.write('label,body\n');
  for (let bytes = 0; bytes < size; ) {
    let block = '';
    for (let i = 0; i < 500; i++) {
      const label = Math.floor(random.uniform() * 4);
      const from = Math.floor(random.uniform() * 999_800);
      block += `topic${label},"${lists[label].slice(from, from + 20 + Math.floor(random.uniform() * 120)).join(' ')}"\n`;
    }
    bytes += block.length;
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  execFileSync('mv', [`${file}.part`, file]);
}

/** Texts of words that each occur twice, so that the vocabulary has half as many as there are tokens. */
async function makeDistinct(size: number): Promise<void> {
  const file = join(folder, `distinct-${size}.csv`);
  if (existsSync(file)) return;
  const stream = createWriteStream(`${file}.part`);
  stream.write('label,body\n');
  for (let from = 0; from < 2 * size; from += 100) {
    const words = Array.from({ length: 100 }, (_, k) => `w${(((from + k) * 7919) % size).toString(36)}x`);
    if (!stream.write(`topic${from % 3},"${words.join(' ')}"\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  execFileSync('mv', [`${file}.part`, file]);
}

interface Task {
  readonly make: (size: number) => Promise<void>;
  readonly size: number;
  readonly file: (size: number) => string;
  /** The query that a person would write; without one the peer is `fitTextFile`. */
  readonly bare?: string;
  readonly model: () => Countable;
  readonly features: readonly string[];
  readonly target: string;
  readonly runs?: number;
}

const squares = numbers.map((x) => `sum(${x}), sum(${x} * ${x})`).join(', ');
const sets = `SELECT grouping(${levels.join(', ')}), y, ${levels.join(', ')}, count(*), ${squares} FROM files GROUP BY GROUPING SETS ((y), ${levels.map((c) => `(y, ${c})`).join(', ')})`;
const words = () => makePipeline(new CountVectorizer(), new MultinomialNB());
const table = { make: makeNumbers, size: ROWS, target: 'y' };
const text = { size: TEXT_BYTES, model: words, features: ['body'], target: 'label' };

const tasks: Readonly<Record<string, Task>> = {
  'CSV, moments of 5 columns': {
    ...table,
    file: (size) => `num-${size}.csv`,
    bare: `SELECT y, count(*), ${squares} FROM files GROUP BY y`,
    model: () => new GaussianNB(),
    features: numbers,
  },
  'CSV, moments and 4 histograms': {
    ...table,
    file: (size) => `num-${size}.csv`,
    bare: sets,
    model: () => new MixedNB(),
    features: [...numbers, ...levels],
  },
  'Parquet, moments and 4 histograms': {
    ...table,
    file: (size) => `num-${size}.parquet`,
    bare: sets,
    model: () => new MixedNB(),
    features: [...numbers, ...levels],
  },
  'text, words': { ...text, make: makeText, file: (size) => `text-${size}.csv`, runs: 1 },
  'text, distinct words': {
    ...text,
    make: makeDistinct,
    size: DISTINCT,
    file: (size) => `distinct-${size}.csv`,
    runs: 1,
  },
};

async function timed(run: () => Promise<unknown>): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

async function runTask(name: string, size: number): Promise<void> {
  const { make, file, bare, model, features, target, runs: most = RUNS } = tasks[name];
  await make(size);
  const path = join(folder, file(size));
  const runs: { peer: Cost; ours: Cost }[] = [];
  let peak = 0;
  for (let run = 0; run < most; run++) {
    const engine = await openDuckDb({ files: path, memoryLimit: '512MB', threads: 2 });
    const query = async () => {
      for await (const _ of engine.query(bare as string));
    };
    const train = () => timed(() => fitFromEngine(model(), { engine, target, features }));
    const early = run % 2 === 0 ? await train() : undefined;
    peak ||= process.resourceUsage().maxRSS / 1000; // of training only
    const peer = await timed(bare ? query : () => fitTextFile(path, { text: features[0], label: target }));
    runs.push({ peer, ours: early ?? (await train()) });
    await engine.close();
  }
  const median = (who: 'peer' | 'ours', what: keyof Cost) => middle(runs.map((run) => run[who][what])) / 1000;
  const round = (value: number) => Number(value.toPrecision(3));
  const line = {
    task: name,
    size,
    peerCpu: round(median('peer', 'cpu')),
    cpu: round(median('ours', 'cpu')),
    cpuRatio: round(median('ours', 'cpu') / median('peer', 'cpu')),
    wallRatio: round(median('ours', 'wall') / median('peer', 'wall')),
    wall: round(median('ours', 'wall')),
    peakMegabytes: Math.round(peak),
  };
  console.info(JSON.stringify(line));
}

mkdirSync(folder, { recursive: true });
if (process.argv[3]) await runTask(process.argv[3], Number(process.argv[4]));
else {
  const lines = Object.entries(tasks).flatMap(([task, { size }]) =>
    [size / 2, size].map((own) => {
      const args = [...process.execArgv, import.meta.filename, folder, task, String(own)];
      return JSON.parse(execFileSync(process.execPath, args).toString());
    }),
  );
  console.table(lines);
  console.info(JSON.stringify({ title: 'engines', node: process.version, lines }));
}
