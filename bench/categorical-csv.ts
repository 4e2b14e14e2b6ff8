/**
 * How long does it take to learn 5M × 10 cells of levels from CSV? `fitTableFile` on all cores beside DuckDB's own GROUP BY of the same
 * file, with the same threads, each in a process of its own, alternating; counted is what comes behind the imports. Of
 * `polya fit --stream` the whole process counts, from its start to the model file.
 * `npx tsx bench/categorical-csv.ts [rows]` after a build, by which the threads run.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cores } from '../src/engines/workers.ts';
import { Generator } from '../src/math/generator.ts';
import { fitTableFile } from '../src/node/fit-table-file.ts';
import { type Cost, middle, report } from './measure.ts';
import { costsOf } from './processes.ts';

const [task, given] = /^[a-z]/.test(process.argv[2] ?? '') ? process.argv.slice(2) : [undefined, process.argv[2]];
const rows = Number(given ?? 5_000_000);
const RUNS = 5;
const folder = join(tmpdir(), 'polya-bench-levels');
const path = join(folder, `levels-${rows}.csv`);
const sizes = [2, 3, 5, 8, 12, 20, 50, 100, 300, 1000];
const names = sizes.map((_, j) => `c${j + 1}`);

const command = [
  process.execPath,
  new URL('../dist/cli/cli.js', import.meta.url).pathname,
  ...['fit', path, '--stream', '--model', 'categorical', '--target', 'label', '-o', join(folder, 'levels.polya'), '-f'],
];

/** Levels that depend on one of four classes, more or less. */
async function makeTable(): Promise<void> {
  if (existsSync(path)) return;
  mkdirSync(folder, { recursive: true });
  const random = new Generator(5);
  const stream = createWriteStream(`${path}.part`);
  stream.write(`label,${names.join(',')}\n`);
  for (let from = 0; from < rows; from += 5000) {
    let block = '';
    for (let i = from; i < Math.min(rows, from + 5000); i++) {
      const c = Math.floor(random.uniform() * 4);
      const cells = sizes.map((size) => `v${Math.floor(size * random.uniform() ** (1 + c / 4))}`);
      block += `class${c},${cells.join(',')}\n`;
    }
    if (!stream.write(block)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  renameSync(`${path}.part`, path);
}

const tasks: Record<string, () => Promise<() => Promise<unknown>>> = {
  polya: async () => () => fitTableFile(path, { target: 'label', delimiter: ',', header: true, threads: cores() }),
  single: async () => () => fitTableFile(path, { target: 'label', delimiter: ',', header: true, threads: 1 }),
  duckdb: async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:', { threads: String(cores()) });
    const connection = await instance.connect();
    const sets = names.map((name) => `(label, ${name})`).join(', ');
    const types = ['label', ...names].map((name) => `'${name}': 'VARCHAR'`).join(', ');
    const query = `SELECT label, ${names.join(', ')}, count(*) FROM read_csv('${path}', header = true, delim = ',', columns = {${types}}) GROUP BY GROUPING SETS (${sets})`;
    return async () => (await connection.runAndReadAll(query)).currentRowCount;
  },
};

/** The cost of a task in a process of its own. */
async function measure(name: string): Promise<Cost> {
  if (name === 'command') return (await costsOf({ command }, { runs: 1 })).command;
  const words = ['tsx', process.argv[1], name, String(rows)];
  return JSON.parse(execFileSync('npx', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })) as Cost;
}

if (task) {
  const run = await tasks[task]();
  const [start, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  console.info(JSON.stringify({ wall: performance.now() - start, cpu: (user + system) / 1000 }));
  process.exit();
}

await makeTable();
const costs: Record<string, Cost[]> = { polya: [], single: [], duckdb: [], command: [] };
for (let k = 0; k < RUNS; k++) for (const name of Object.keys(costs)) costs[name].push(await measure(name));
const median = (name: string): Cost => ({
  wall: middle(costs[name].map(({ wall }) => wall)),
  cpu: middle(costs[name].map(({ cpu }) => cpu)),
});
report(
  'Categorical training from CSV over DuckDB GROUP BY',
  [
    { work: 'fit', ours: median('polya'), peer: median('duckdb'), must: 0.7 },
    { work: 'fit on one thread', ours: median('single'), peer: median('duckdb') },
    { work: 'polya fit --stream, the whole process', ours: median('command'), peer: median('duckdb'), must: 0.7 },
  ],
  { rows, columns: names.length, bytes: statSync(path).size, threads: cores() },
);
