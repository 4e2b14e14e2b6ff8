import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { Classifier } from '../../auto/classifier.ts';
import { loadWeather } from '../../datasets/weather.ts';
import type { Context } from '../context.ts';
import { command } from '../declare.ts';
import { bytes } from '../numbers.ts';
import { EXIT } from '../problem.ts';
import { findConfig } from '../settings.ts';
import { pad, safe } from '../terminal.ts';
import { version } from '../version.ts';

/** What the command prints with `--json`. */
export interface Prints {
  /** What was checked. */
  'doctor@1': { version: string; ok: boolean; checks: readonly Check[] };
}

/** `polya doctor` */
export const doctor = command({
  arguments: [],
  options: {},
  examples: [{ line: 'polya doctor', says: 'checks this machine' }],
  run,
});

/** One check. */
interface Check {
  readonly name: string;
  /** `no` is a failure; `absent` means that something optional is missing. */
  readonly state: 'ok' | 'absent' | 'no';
  readonly says: string;
}

/** Runs all checks. */
async function run(context: Context): Promise<number | undefined> {
  const { print } = context;
  const checks = [...machine(context), ...packages(), learning()];
  const faults = checks.filter(({ state }) => state === 'no').length;
  if (print.json) await print.object<Prints>('doctor@1', { version: version(), ok: faults === 0, checks });
  else {
    const { green, red } = print.screen.paint;
    const marks = { ok: green('✔'), absent: '–', no: red('✖') };
    for (const { name, state, says } of checks) await print.line(`${marks[state]} ${pad(name, 24)} ${says}`);
  }
  return faults === 0 ? undefined : EXIT.internal;
}

function machine({ io, print }: Context): Check[] {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const config = findConfig(io.cwd);
  return [
    { name: 'polya', state: 'ok', says: version() },
    {
      name: 'node',
      state: major > 20 || (major === 20 && minor >= 19) ? 'ok' : 'no',
      says: `${process.versions.node} (20.19 or newer is needed)`,
    },
    {
      name: 'machine',
      state: 'ok',
      says: `${availableParallelism()} cores, ${bytes(totalmem())} memory, ${bytes(freemem())} free`,
    },
    {
      name: 'folder',
      state: isWritable(io.cwd) ? 'ok' : 'no',
      says: isWritable(io.cwd) ? 'this folder is writable' : 'this folder is not writable',
    },
    {
      name: 'config',
      state: config ? 'ok' : 'absent',
      says: config ? safe(config) : 'no polya.config.json in this folder or a parent folder',
    },
    {
      name: 'terminal',
      state: 'ok',
      says: `${io.stdout.tty ? `${print.screen.columns} columns` : 'stdout is not a terminal'}, ${print.screen.paint.bold('x') !== 'x' ? 'colours' : 'no colours'}`,
    },
  ];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const optional = new Map([
  ['@node-rs/jieba', 'better Chinese words'],
  ['snowball-stemmers', 'stemming'],
  ['hyparquet', 'Parquet files'],
  ['@duckdb/node-api', 'counting inside DuckDB'],
]);

/** Optional packages. */
function packages(): Check[] {
  const { resolve } = createRequire(`${process.cwd()}/`);
  return [...optional].map(([name, purpose]): Check => {
    try {
      resolve(name);
      return { name: purpose, state: 'ok', says: name };
    } catch {
      return { name: purpose, state: 'absent', says: `${name} is not installed here (it is optional)` };
    }
  });
}

/** Fits, saves and loads a small model, and predicts with it. */
function learning(): Check {
  const name = 'learning';
  try {
    const { rows, target } = loadWeather();
    const model = Classifier.fit(rows, { target, model: 'categorical', evaluate: false });
    const again = Classifier.load(model.toBytes());
    const right = again.classifyAll(rows).filter(({ label }, i) => label === rows[i][target]).length;
    return {
      name,
      state: right > rows.length / 2 ? 'ok' : 'no',
      says: `a model was fitted, saved and loaded; it predicts ${right} of ${rows.length} rows correctly`,
    };
  } catch (error) {
    return { name, state: 'no', says: safe(String(error)) };
  }
}
