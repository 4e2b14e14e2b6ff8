import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { Classifier } from '../../auto/classifier.ts';
import { loadWeather } from '../../datasets/weather.ts';
import type { Doctor } from '../commands/doctor.ts';
import { findConfig } from '../config-file.ts';
import { bytes } from '../numbers.ts';
import { EXIT } from '../problem.ts';
import { pad, safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { version } from '../version.ts';

/** One thing that was looked at. */
interface Check {
  readonly name: string;
  /** `no` is a fault; `absent` is something that can be done without. */
  readonly state: 'ok' | 'absent' | 'no';
  readonly says: string;
}

/** Looks at the machine. */
export async function doctor(context: Doctor): Promise<number | undefined> {
  const { print } = context;
  const checks = [...machine(context), ...packages(), learning()];
  const faults = checks.filter(({ state }) => state === 'no').length;
  if (print.json) await print.object({ schema: 'polya/doctor@1', version: version(), ok: faults === 0, checks });
  else {
    const { green, red } = print.screen.paint;
    const marks = { ok: green('✔'), absent: '–', no: red('✖') };
    for (const { name, state, says } of checks) await print.line(`${marks[state]} ${pad(name, 24)} ${says}`);
  }
  return faults === 0 ? undefined : EXIT.internal;
}

function machine({ io, print }: Doctor): Check[] {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const config = findConfig(io.cwd);
  return [
    { name: 'polya', state: 'ok', says: version() },
    {
      name: 'node',
      state: major > 20 || (major === 20 && minor >= 19) ? 'ok' : 'no',
      says: texts.doctor.node(process.versions.node),
    },
    {
      name: 'machine',
      state: 'ok',
      says: texts.doctor.machine(availableParallelism(), bytes(totalmem()), bytes(freemem())),
    },
    { name: 'folder', state: isWritable(io.cwd) ? 'ok' : 'no', says: texts.doctor.folder(isWritable(io.cwd)) },
    { name: 'config', state: config ? 'ok' : 'absent', says: config ? safe(config) : texts.doctor.noConfig() },
    {
      name: 'terminal',
      state: 'ok',
      says: texts.doctor.terminal(io.stdout.tty, print.screen.columns, print.screen.paint.bold('x') !== 'x'),
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
  ['@duckdb/node-api', 'counting inside DuckDB'],
]);

/** Packages that may be installed beside Pólya. */
function packages(): Check[] {
  const { resolve } = createRequire(`${process.cwd()}/`);
  return [...optional].map(([name, purpose]): Check => {
    try {
      resolve(name);
      return { name: purpose, state: 'ok', says: name };
    } catch {
      return { name: purpose, state: 'absent', says: texts.doctor.absent(name) };
    }
  });
}

/** A small model learns, is saved, loaded, and answers. */
function learning(): Check {
  const name = 'learning';
  try {
    const { rows, target } = loadWeather();
    const model = Classifier.fit(rows, { target, model: 'categorical', evaluate: false });
    const again = Classifier.load(model.toBytes());
    const right = again.classifyAll(rows).filter(({ label }, i) => label === rows[i][target]).length;
    return { name, state: right > rows.length / 2 ? 'ok' : 'no', says: texts.doctor.learned(right, rows.length) };
  } catch (error) {
    return { name, state: 'no', says: safe(String(error)) };
  }
}
