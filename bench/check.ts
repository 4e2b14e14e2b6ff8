/**
 * Has anything become slower? Runs the benchmarks whose peers are at hand and compares ratios of processor time, never times, with those
 * in bench/ratios.json; a loss of more than 30 % fails. `npm run bench:check`; with `--record` the ratios are written instead.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const MOST_LOSS = 0.3;
const file = new URL('ratios.json', import.meta.url);
const always = ['kernels'];
const withPython = ['predict-text', 'csr-speed', 'gaussian-speed', 'discriminant-speed'];
const programs = [...always, ...(process.env.POLYA_PYTHON ? withPython : [])];

type Ratios = Record<string, Record<string, number>>;

/** The ratios of one benchmark, by its lines. */
function ratiosOf(program: string): Record<string, number> {
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

const known = JSON.parse(readFileSync(file, 'utf8')) as Ratios;
const measured: Ratios = Object.fromEntries(programs.map((program) => [program, ratiosOf(program)]));
if (process.argv.includes('--record')) {
  writeFileSync(file, `${JSON.stringify({ ...known, ...measured }, null, 2)}\n`);
} else {
  const rows = Object.entries(measured).flatMap(([program, ratios]) =>
    Object.entries(ratios).map(([work, now]) => {
      const before = known[program]?.[work];
      const lost = before !== undefined && now < before * (1 - MOST_LOSS);
      return { program, work, before, now, verdict: before === undefined ? 'new' : lost ? 'slower' : 'fine' };
    }),
  );
  console.table(rows);
  if (!process.env.POLYA_PYTHON) console.info(`without POLYA_PYTHON, not measured: ${withPython.join(', ')}`);
  if (rows.some(({ verdict }) => verdict === 'slower')) process.exitCode = 1;
}
