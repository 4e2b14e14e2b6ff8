/**
 * The cost of training through DuckDB compared with the bare aggregate query. `npx tsx bench/engines.ts [folder]`,
 * which keeps the data: 5M × 10 as CSV and Parquet, 200 MB of text. Each task runs in its own process; prints processor
 * and wall time (medians of `RUNS`, alternating), their ratios, and the peak of the resident set after one training.
 * `npx tsx bench/engines.ts folder task` runs one.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDuckDb } from '../src/engines/duckdb/index.ts';
import { CountVectorizer, GaussianNB, MixedNB, MultinomialNB, makePipeline } from '../src/index.ts';
import { Generator } from '../src/math/generator.ts';
import { type Countable, fitFromEngine } from '../src/warehouse/fit.ts';
import { type Cost, middle } from './measure.ts';

const folder = resolve(process.argv[2] ?? join(tmpdir(), 'polya-bench-engines'));
const RUNS = Number(process.env.RUNS ?? 3);
const ROWS = Number(process.env.ROWS ?? 5_000_000);
const TEXT_BYTES = Number(process.env.TEXT_BYTES ?? 200e6);

const numbers = ['x1', 'x2', 'x3', 'x4', 'x5'];
const levels = ['c5', 'c20', 'c100', 'c1000'];

/** 5 classes, 5 doubles, 4 columns of levels; the same on every machine. */
async function makeNumbers(): Promise<void> {
  if (existsSync(join(folder, 'num.parquet'))) return;
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const unit = (salt: number) => `(hash(range * 16 + ${salt}) % 1000003) / 1000003.0::DOUBLE`;
  const cells = [
    `'class' || (hash(range) % 5) AS y`,
    ...numbers.map((name, k) => `round((hash(range) % 5) * 0.3 + ${unit(k)} + ${unit(k + 5)}, 4) AS ${name}`),
    ...[5, 20, 100, 1000].map((count, k) => `'v' || (hash(range * 16 + ${k + 10}) % ${count}) AS c${count}`),
  ];
  const rows = `SELECT ${cells.join(', ')} FROM range(${ROWS})`;
  await connection.run(`COPY (${rows}) TO '${join(folder, 'num.csv')}'`);
  await connection.run(
    `COPY (SELECT * FROM read_csv('${join(folder, 'num.csv')}')) TO '${join(folder, 'num.parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
  );
  connection.closeSync();
}

/** Words with Zipf frequencies; each of 4 classes has typical words. */
async function makeText(): Promise<void> {
  const file = join(folder, 'text.csv');
  if (existsSync(file)) return;
  const random = new Generator(1);
  const word = (k: number) => `w${k.toString(36)}${'aeiou'[k % 5]}`;
  const stream = createWriteStream(`${file}.part`);
  stream.write('label,body\n');
  for (let bytes = 0; bytes < TEXT_BYTES; ) {
    let block = '';
    for (let i = 0; i < 500; i++) {
      const label = Math.floor(random.uniform() * 4);
      const length = 20 + Math.floor(random.uniform() * 120);
      const words = Array.from({ length }, () => {
        const rank = Math.floor(Math.exp(random.uniform() * Math.log(400_000)));
        return word(random.uniform() < 0.1 ? (rank % 5000) * 4 + label : rank);
      });
      block += `topic${label},"${words.join(' ')}"\n`;
    }
    bytes += block.length;
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  execFileSync('mv', [`${file}.part`, file]);
}

interface Task {
  readonly file: string;
  readonly bare: string;
  readonly model: () => Countable;
  readonly features: readonly string[];
  readonly target: string;
  readonly memoryLimit: string;
  /** The number of groups before pruning. */
  readonly groups?: string;
}

const squares = numbers.map((x) => `sum(${x}), sum(${x} * ${x})`).join(', ');
const tokens = `regexp_extract_all(lower(body), '[\\p{L}\\p{N}_]{2,}')`;
const tfDf = (terms: string) =>
  `SELECT label, e.key AS term, sum(e.value)::DOUBLE AS tf, count(*)::DOUBLE AS df FROM (SELECT label, unnest(map_entries(list_histogram(${terms}))) AS e FROM files) GROUP BY ALL`;
const bigrams = `list_transform(range(1, len(a)), lambda i: a[i] || ' ' || a[i + 1])`;
const words = () => makePipeline(new CountVectorizer(), new MultinomialNB());

const tasks: Readonly<Record<string, Task>> = {
  'CSV, moments of 5 columns': {
    file: 'num.csv',
    bare: `SELECT y, count(*), ${squares} FROM files GROUP BY y`,
    model: () => new GaussianNB(),
    features: numbers,
    target: 'y',
    memoryLimit: '512MB',
  },
  'CSV, moments and 4 histograms': {
    file: 'num.csv',
    bare: `SELECT grouping(${levels.join(', ')}), y, ${levels.join(', ')}, count(*), ${squares} FROM files GROUP BY GROUPING SETS ((y), ${levels.map((c) => `(y, ${c})`).join(', ')})`,
    model: () => new MixedNB(),
    features: [...numbers, ...levels],
    target: 'y',
    memoryLimit: '512MB',
  },
  'Parquet, moments and 4 histograms': {
    file: 'num.parquet',
    bare: `SELECT grouping(${levels.join(', ')}), y, ${levels.join(', ')}, count(*), ${squares} FROM files GROUP BY GROUPING SETS ((y), ${levels.map((c) => `(y, ${c})`).join(', ')})`,
    model: () => new MixedNB(),
    features: [...numbers, ...levels],
    target: 'y',
    memoryLimit: '512MB',
  },
  'text, words (tf and df)': {
    file: 'text.csv',
    bare: tfDf(tokens),
    model: words,
    features: ['body'],
    target: 'label',
    memoryLimit: '512MB',
  },
  'text, bigrams in 2 documents or more': {
    file: 'text.csv',
    bare: `SELECT * FROM (SELECT *, sum(df) OVER (PARTITION BY term) AS total FROM (${tfDf(bigrams).replace('FROM files', `FROM (SELECT label, ${tokens} AS a FROM files)`)})) WHERE total >= 2`,
    model: () => makePipeline(new CountVectorizer({ ngramRange: [2, 2], minDf: 2 }), new MultinomialNB()),
    features: ['body'],
    target: 'label',
    memoryLimit: '1200MB',
    groups: `SELECT count(*)::DOUBLE FROM (SELECT label, term FROM (SELECT label, unnest(${bigrams}) AS term FROM (SELECT label, ${tokens} AS a FROM files)) GROUP BY ALL)`,
  },
};

async function timed(run: () => Promise<unknown>): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

async function runTask(name: string): Promise<void> {
  const { file, bare, model, features, target, memoryLimit, groups } = tasks[name];
  const runs: { bare: Cost; ours: Cost }[] = [];
  let [rows, all, peak] = [0, 0, 0];
  const once = name.includes('bigrams') ? 1 : RUNS;
  for (let run = 0; run < once; run++) {
    const engine = await openDuckDb({ files: file, cwd: folder, memoryLimit, threads: 2 });
    const query = async () => {
      rows = 0;
      for await (const batch of engine.query(bare)) rows += batch.rows;
    };
    const train = () => timed(() => fitFromEngine(model(), { engine, target, features }));
    const early = run % 2 === 0 ? await train() : undefined;
    peak ||= process.resourceUsage().maxRSS / 1000; // of training only
    const first = await timed(query);
    runs.push({ bare: first, ours: early ?? (await train()) });
    if (groups) for await (const { columns } of engine.query(groups)) all = Number(columns[0][0]);
    await engine.close();
  }
  const median = (who: 'bare' | 'ours', what: keyof Cost) => middle(runs.map((run) => run[who][what])) / 1000;
  const round = (value: number) => Number(value.toPrecision(3));
  const line = {
    task: name,
    memoryLimit,
    groups: rows,
    ...(groups && { groupsBeforePruning: all }),
    bareCpu: round(median('bare', 'cpu')),
    cpu: round(median('ours', 'cpu')),
    cpuRatio: round(median('ours', 'cpu') / median('bare', 'cpu')),
    bareWall: round(median('bare', 'wall')),
    wall: round(median('ours', 'wall')),
    wallRatio: round(median('ours', 'wall') / median('bare', 'wall')),
    peakMegabytes: Math.round(peak),
  };
  console.info(JSON.stringify(line));
}

mkdirSync(folder, { recursive: true });
await makeNumbers();
await makeText();
if (process.argv[3]) await runTask(process.argv[3]);
else {
  const lines = Object.keys(tasks).map((task) =>
    JSON.parse(execFileSync(process.execPath, [...process.execArgv, import.meta.filename, folder, task]).toString()),
  );
  console.table(lines);
  console.info(JSON.stringify({ title: 'engines', rows: ROWS, textBytes: TEXT_BYTES, node: process.version, lines }));
}
