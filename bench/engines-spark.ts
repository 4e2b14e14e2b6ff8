/**
 * The cost of training on a Spark cluster of two executors with one core each, compared with the aggregate query that a person would write,
 * and with MLlib on the same executors: `npx tsx bench/engines-spark.ts [folder]`, after `bench/engines.ts` has left its tables there.
 * MLlib needs Python with numpy. Prints wall time and processor time of the executors in seconds (the best of three runs, which alternate),
 * and the peak resident set of this process.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withServers } from '../scripts/engines/processes.ts';
import { applicationOf, sparkHome, startSpark } from '../scripts/engines/spark-cluster.ts';
import type { SqlEngine } from '../src/engines/engine.ts';
import { openSpark } from '../src/engines/spark/index.ts';
import { GaussianNB, MixedNB } from '../src/index.ts';
import { type Countable, fitFromEngine } from '../src/warehouse/fit.ts';
import type { Cost } from './measure.ts';

const folder = resolve(process.argv[2] ?? join(tmpdir(), 'polya-bench-engines'));
const ROWS = Number(process.env.ROWS ?? 10_000_000);
const numbers = ['x1', 'x2', 'x3', 'x4', 'x5'];
const levels = ['c5', 'c20', 'c100', 'c1000'];
const squares = numbers.map((x) => `sum(${x}), sum(${x} * ${x})`).join(', ');
const sets = ['(y)', ...levels.map((level) => `(y, ${level})`)].join(', ');

/** The same sums by one query, and the estimator that needs them. */
const tasks: Readonly<Record<string, { bare: (table: string) => string; model: () => Countable; features: string[] }>> =
  {
    'moments of 5 columns': {
      bare: (table) => `SELECT y, count(*), ${squares} FROM ${table} GROUP BY y`,
      model: () => new GaussianNB(),
      features: numbers,
    },
    'moments and 4 histograms': {
      bare: (table) =>
        `SELECT grouping_id() AS g, y, ${levels.join(', ')}, count(*), ${squares} FROM ${table} GROUP BY GROUPING SETS (${sets})`,
      model: () => new MixedNB(),
      features: [...numbers, ...levels],
    },
  };

/** The processor seconds of all finished stages. */
async function executorSeconds(rest: string): Promise<number> {
  const answer = await fetch(`${rest}/applications/${await applicationOf(rest)}/stages`);
  const stages = (await answer.json()) as { readonly executorCpuTime: number }[];
  return stages.reduce((sum, { executorCpuTime }) => sum + executorCpuTime, 0) / 1e9;
}

/** The cost of the best run of each; they alternate, since a JVM that has run longer is faster. */
async function timed(rest: string, rivals: readonly (() => Promise<unknown>)[]): Promise<Cost[]> {
  const best: Cost[] = rivals.map(() => ({ wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY }));
  for (let round = 0; round < 3; round++) {
    for (const [k, run] of rivals.entries()) {
      const [start, before] = [performance.now(), await executorSeconds(rest)];
      await run();
      const cost = { wall: (performance.now() - start) / 1000, cpu: (await executorSeconds(rest)) - before };
      if (cost.cpu < best[k].cpu) best[k] = cost;
    }
  }
  return best;
}

async function drained(engine: SqlEngine, sql: string): Promise<void> {
  for await (const _ of engine.query(sql));
}

const round = (value: number) => Number(value.toPrecision(3));

await withServers(async () => {
  const own = mkdtempSync(join(tmpdir(), 'polya-bench-spark-'));
  const { url, rest } = await startSpark(own, '-XX:+TieredCompilation');
  const lines: Record<string, unknown>[] = [];
  for (const [task, { bare, model, features }] of Object.entries(tasks)) {
    for (const size of [ROWS / 2, ROWS]) {
      const engine = await openSpark(url);
      const path = join(folder, `num-${size}.parquet`);
      const [ours, peer] = await timed(rest, [
        () => fitFromEngine(model(), { engine, table: ['parquet', path], target: 'y', features }),
        () => drained(engine, bare(`parquet.\`${path}\``)),
      ]);
      lines.push({
        task,
        size,
        ...{ wall: round(ours.wall), cpu: round(ours.cpu), bareCpu: round(peer.cpu) },
        cpuRatio: round(ours.cpu / peer.cpu),
        peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000),
      });
      await engine.close();
    }
  }
  console.table(lines);
  console.info(JSON.stringify({ title: 'engines-spark', node: process.version, lines }));
  rmSync(own, { recursive: true, force: true });
  return 0;
});
const python = process.env.POLYA_PYTHON ?? 'python3';
const mllib = join(import.meta.dirname, 'engines-mllib.py');
const args = [
  '--master',
  'local-cluster[2,1,1024]',
  '--driver-memory',
  '1g',
  '--conf',
  'spark.executor.memory=768m',
  mllib,
];
const environment = { ...process.env, SPARK_HOME: sparkHome(), SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: python };
const answer = execFileSync(join(sparkHome(), 'bin/spark-submit'), [...args, folder, String(ROWS / 2), String(ROWS)], {
  env: environment,
  stdio: ['ignore', 'pipe', 'ignore'],
});
console.info(answer.toString());
