import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { Classifier } from '../../auto/classifier.ts';
import { loadWeather } from '../../datasets/weather.ts';
import { type Context, command } from '../declare.ts';
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
export const declaration = command({
  arguments: [],
  options: {},
  examples: { 'polya doctor': 'checks this machine' },
  run,
});

/** One check. */
interface Check {
  readonly name: string;
  /** `no` is a failure; `absent` means that something optional is missing. */
  readonly state: 'ok' | 'absent' | 'no';
  readonly says: string;
}

const check = (name: string, state: Check['state'] | boolean, says: string): Check => ({
  ...{ name, state: typeof state === 'string' ? state : state ? 'ok' : 'no', says },
});

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
  const isNew = major > 20 || (major === 20 && minor >= 19);
  const config = findConfig(io.cwd);
  const writable = isWritable(io.cwd);
  const { paint, columns } = print.screen;
  const size = io.stdout.tty ? `${columns} columns` : 'stdout is not a terminal';
  return [
    check('polya', true, version()),
    check('node', isNew, `${process.versions.node} (20.19 or newer is needed)`),
    check('machine', true, `${availableParallelism()} cores, ${bytes(totalmem())} memory, ${bytes(freemem())} free`),
    check('folder', writable, `this folder is ${writable ? '' : 'not '}writable`),
    config === undefined
      ? check('config', 'absent', 'no polya.config.json in this folder or a parent folder')
      : check('config', true, safe(config)),
    check('terminal', true, `${size}, ${paint.bold('x') !== 'x' ? 'colours' : 'no colours'}`),
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

const optional = {
  '@node-rs/jieba': 'better Chinese words',
  'snowball-stemmers': 'stemming',
  '@duckdb/node-api': 'counting inside DuckDB',
} as const;

/** Optional packages. */
function packages(): Check[] {
  const { resolve } = createRequire(`${process.cwd()}/`);
  return Object.entries(optional).map(([name, purpose]) => {
    try {
      resolve(name);
      return check(purpose, true, name);
    } catch {
      return check(purpose, 'absent', `${name} is not installed here (it is optional)`);
    }
  });
}

/** Fits, saves and loads a small model, and predicts with it. */
function learning(): Check {
  try {
    const { rows, target } = loadWeather();
    const model = Classifier.fit(rows, { target, model: 'categorical', evaluate: false });
    const again = Classifier.load(model.toBytes());
    const right = again.classifyAll(rows).filter(({ label }, i) => label === rows[i][target]).length;
    const says = `a model was fitted, saved and loaded; it predicts ${right} of ${rows.length} rows correctly`;
    return check('learning', right > rows.length / 2, says);
  } catch (error) {
    return check('learning', false, safe(String(error)));
  }
}
