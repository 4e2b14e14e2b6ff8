/**
 * Checks for slowdowns. Runs the benchmarks whose peers are installed and compares ratios of processor time, never
 * times, with those in bench/ratios.json; a loss of more than 30 % fails. A benchmark with such a line is run twice
 * more, and the median of the three counts, because one run on a busy machine is unreliable. `npm run bench:check`;
 * with `--record` the ratios are written instead, the median of three runs; names of benchmarks select only those.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { middle } from './measure.ts';

const MOST_LOSS = 0.3;
const file = new URL('ratios.json', import.meta.url);
const withPython = ['predict-text', 'csr-speed', 'gaussian-speed', 'discriminant-speed'];
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const programs = (process.env.POLYA_PYTHON ? withPython : []).filter(
  (program) => named.length === 0 || named.includes(program),
);

type Ratios = Record<string, number>;

/** The ratios of one benchmark, by its lines. */
function ratiosOf(program: string): Ratios {
  const script = new URL(`${program}.ts`, import.meta.url).pathname;
  const { status, stderr } = spawnSync('npx', ['tsx', script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  const result = JSON.parse(readFileSync(new URL(`results/${program}.json`, import.meta.url), 'utf8')) as {
    lines: { work: string; cpuRatio?: number }[];
  };
  return Object.fromEntries(
    result.lines.flatMap(({ work, cpuRatio }) => (cpuRatio === undefined ? [] : [[work, cpuRatio]])),
  );
}

/** The median of several runs, line by line. */
function middleOf(runs: readonly Ratios[]): Ratios {
  return Object.fromEntries(Object.keys(runs[0]).map((work) => [work, middle(runs.map((run) => run[work]))]));
}

const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Ratios>;
const lost = (program: string, work: string, now: number) => now < (known[program]?.[work] ?? 0) * (1 - MOST_LOSS);
const someLost = (program: string, ratios: Ratios) =>
  Object.entries(ratios).some(([work, now]) => lost(program, work, now));

if (process.argv.includes('--record')) {
  const rounds = [0, 1, 2].map(() => programs.map((program) => ratiosOf(program))); // runs alternate between benchmarks
  const measured = programs.map((program, p) => [program, middleOf(rounds.map((round) => round[p]))] as const);
  writeFileSync(file, `${JSON.stringify({ ...known, ...Object.fromEntries(measured) }, null, 2)}\n`);
} else {
  const rows = programs.flatMap((program) => {
    const first = ratiosOf(program);
    const again = someLost(program, first);
    const ratios = again ? middleOf([first, ratiosOf(program), ratiosOf(program)]) : first;
    return Object.entries(ratios).map(([work, now]) => {
      const before = known[program]?.[work];
      const status = before === undefined ? 'new' : lost(program, work, now) ? 'slower' : 'fine';
      return { program, work, before, now, runs: again ? 3 : 1, status };
    });
  });
  console.table(rows);
  if (!process.env.POLYA_PYTHON) console.info(`without POLYA_PYTHON, not measured: ${withPython.join(', ')}`);
  if (rows.some(({ status }) => status === 'slower')) process.exitCode = 1;
}
