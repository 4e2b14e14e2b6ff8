import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PolyaError } from '../../errors.ts';
import { jsonLog, type Log } from '../../server/http/log.ts';
import { MemoryStore } from '../../server/memory-store.ts';
import type { ModelStore } from '../../server/model-store.ts';
import { type RunningServer, startServer } from '../../server/server.ts';
import { runWorker, startWorkers, WORKER_VARIABLE } from '../../server/workers.ts';
import { type Context, choice, command, flag, integer, list, number, text } from '../declare.ts';
import { pressed } from '../io.ts';
import { counted } from '../numbers.ts';
import type { Count } from '../print.ts';
import { EXIT, fail, misuse } from '../problem.ts';
import { safe } from '../terminal.ts';
import { version } from '../version.ts';
import { readModelBytes, refuseModel } from '../work/model-input.ts';
import { openPage } from '../work/open-page.ts';

const options = {
  model: list('serve this model file under this name, or under the name of the file; may be repeated', {
    short: 'm',
    value: 'NAME=FILE',
    commas: false,
    common: true,
    complete: 'model',
    setting: false,
  }),
  learn: flag('accept requests to learn and unlearn; acknowledged rows are on stable storage', { common: true }),
  journal: text(
    'the folder of the learning log, continued at the next start; polya-journal if not given; implies --learn',
    { value: 'FOLDER', complete: 'file', common: true },
  ),
  port: integer('the port; the next free one if it is taken, any free one for 0', {
    default: 8787,
    min: 0,
    max: 65535,
    common: true,
  }),
  strictPort: flag('fail if the port is taken instead of trying the next one'),
  host: text('the address to listen on; one that other machines can reach needs a token', {
    value: 'ADDRESS',
    default: '127.0.0.1',
    common: true,
  }),
  tokenFile: text('the file with the token that clients must send; or the variable POLYA_TOKEN', {
    value: 'FILE',
    complete: 'file',
  }),
  allowHost: list('further host names by which clients may reach the server', { value: 'NAMES' }),
  allowOrigin: list('origins of web pages that may call the server; none by default', { value: 'ORIGINS' }),
  maxBody: integer('the largest JSON body, in megabytes', { value: 'MB', default: 8, min: 1, max: 1024 }),
  log: choice(['auto', 'text', 'json'], 'text or JSON lines on stderr; auto: text on a terminal', { default: 'auto' }),
  workers: integer('the number of processes that predict on one port; one more process learns and updates them', {
    default: 1,
    min: 1,
    max: 64,
  }),
  sample: number('the fraction of predictions to log: class, probability, unknown words; never the content', {
    value: 'SHARE',
    default: 0,
    min: 0,
    max: 1,
  }),
  repair: flag('rebuild a damaged journal from its readable records; a copy of the old one is kept'),
  check: flag('load the models and the journal, print what would be served, and exit', { common: true }),
} as const;

type Serve = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Models are being served. */
  'serve@1': { url: string; port: Count; models: readonly { name: string; version: Count }[]; learning: string };
  /** The models that would be served. */
  'serve-check@1': {
    models: readonly { name: string; version: Count; summary: string }[];
    learning: string;
  };
}

/** `polya serve` */
export const declaration = command({
  about:
    'The API is described at /openapi.json and documented at /docs; Prometheus metrics are at /metrics. Only this machine can connect unless you set --host. SIGTERM finishes running requests, writes snapshots, and exits with 0. Keys on a terminal: h help, o open /docs, r load the files again, s snapshot, q quit.',
  arguments: [],
  options,
  examples: {
    'polya serve -m spam=spam.polya': 'serves one model',
    'polya serve -m spam=spam.polya --learn --journal ./learn':
      'learns from requests; the next start continues the journal',
    'polya serve -m spam.polya --check': 'checks whether it would start, and with which models',
  },
  run,
});

const MEGABYTE = 2 ** 20;

/** Serves models until it is stopped. */
async function run(context: Serve): Promise<number | undefined> {
  const { options, io, print } = context;
  if (io.env[WORKER_VARIABLE] !== undefined) return runWorker();
  const log = logOf(context);
  const files = filesOf(context);
  const token = await tokenOf(context);
  for (const origin of options.allowOrigin) {
    if (!/^https?:\/\/[^/\s]+$/.test(origin))
      misuse(`"${safe(origin)}" is not an origin; an origin looks like https://example.org.`);
  }
  const store = await openModels(context, files, log);
  if (options.check) return check(context, store);
  const { host, port, strictPort, allowHost: hosts, allowOrigin: origins, sample } = options;
  const limits = { bodyBytes: options.maxBody * MEGABYTE };
  const settings = { store, token, log, host, port, strictPort, hosts, origins, limits, sample, version: version() };
  const starting = options.workers > 1 ? startWorkers(settings, options.workers) : startServer(settings);
  const server = await starting.catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const end = async (): Promise<number> => {
    log('info', 'drain', { requests: server.inFlight() });
    await server.close();
    log('info', 'end');
    return EXIT.done;
  };
  const bySignal = new Promise<number>((ended) => {
    io.onStop?.(async () => {
      // before the address is printed
      await end().then(ended);
      return EXIT.done;
    });
  });
  const names = store.list().map((own) => `${own.name}@v${own.version}`);
  const { url } = server;
  if (print.json) {
    const models = store.list().map((own) => ({ name: own.name, version: own.version }));
    await print.object<Prints>('serve@1', { url, port: server.port, models, learning: store.state });
  } else {
    const listed = names.join(', ') || 'none, upload one to /v1/models';
    await print.line(`polya serve  ${url}   docs /docs   health /healthz   models: ${listed}`);
  }
  if (io.stdin.tty) print.note('  keys: h help · o open docs · r reload models · s snapshot · q quit');
  log('info', 'start', { url, models: names.join(' '), learning: store.state });
  const byKey = pressed(io, (key) => press(context, server, files, key)).then(end);
  return Promise.race([bySignal, byKey]);
}

/** Handles a key. */
async function press(
  context: Serve,
  { url, store }: RunningServer,
  files: ReadonlyMap<string, string>,
  key: string,
): Promise<void> {
  const { print } = context;
  const keys = 'h these keys · o open /docs · r load the model files again · s write snapshots · q quit';
  if (key === 'h') print.note(keys);
  if (key === 'o') openPage(`${url}/docs`);
  try {
    for (const [name, file] of key === 'r' ? files : [])
      print.note(`${name} is now v${(await store.put(name, await readModelBytes(context, file))).version}`);
    for (const { name } of key === 's' ? store.list() : [])
      print.note(`snapshot ${name}@v${(await store.snapshot(name)).version} written`);
  } catch (error) {
    print.warn(safe((error as Error).message));
  }
}

/** Prints what would be served, and exits. */
async function check({ print }: Serve, store: ModelStore): Promise<undefined> {
  const models = store.list().map(({ name, version: own, model }) => ({ name, version: own, summary: model.summary }));
  const learning = store.state;
  await store.close();
  if (print.json) await print.object<Prints>('serve-check@1', { models, learning });
  else {
    const more = learning !== 'no-learning' ? ', and to learn' : '';
    await print.line(`ready to serve ${counted(models.length, 'model')}${more}`);
    for (const own of models) await print.line(`  ${own.name}@v${own.version}  ${safe(own.summary, 100)}`);
  }
  return undefined;
}

/** The files by the names of their models. */
function filesOf({ options }: Serve): Map<string, string> {
  const files = new Map<string, string>();
  for (const word of options.model) {
    const at = word.indexOf('=');
    const file = word.slice(at + 1);
    const name = at > 0 ? word.slice(0, at) : basename(file, '.polya').toLowerCase();
    const form = 'use lower-case letters, digits, dots, dashes and underscores';
    if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) misuse(`"${safe(name)}" is not a model name: ${form}.`);
    if (files.has(name)) misuse(`Two models have the name "${name}".`);
    files.set(name, file);
  }
  return files;
}

/** Opens the models in memory, or in a journal if the server learns. */
async function openModels(context: Serve, files: ReadonlyMap<string, string>, log: Log): Promise<ModelStore> {
  const { options, io } = context;
  const models = new Map<string, Uint8Array>();
  for (const [name, file] of files) models.set(name, await readModelBytes(context, file));
  try {
    if (!options.learn && !options.repair && options.journal === undefined) return new MemoryStore(models);
    const { openStore } = await import('../../server/store/index.ts');
    const folder = resolve(io.cwd, options.journal ?? 'polya-journal');
    if (options.repair) await repair(context, folder);
    return await openStore(folder, models, { onWarning: (text) => log('warn', 'store', { text }) });
  } catch (error) {
    const [first] = files.values();
    if (files.size === 1 && error instanceof PolyaError && error.code.startsWith('E_MODEL_')) refuseModel(first, error);
    throw error;
  }
}

/** Repairs a journal and reports the result. */
async function repair({ print }: Serve, folder: string): Promise<void> {
  const { repairStore } = await import('../../server/store/repair.ts');
  const { copy, models, gone, unreadable } = await repairStore(folder);
  const state = unreadable === 0 ? 'All of its record groups are intact' : `Damaged record groups: ${unreadable}`;
  print.note(`The journal was repaired; the old one is kept in ${safe(copy)}. ${state}.`);
  for (const { name, version: own, base, rows, lost } of models) {
    const stretches = lost.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
    const missing = stretches === '' ? '' : `; lost: versions ${stretches}`;
    print.note(`  ${name}@v${own} is v${base} and ${counted(rows, 'row')} learned since${missing}`);
  }
  for (const name of gone) print.warn(`no file of the model ${safe(name)} is readable; it is not served`);
}

/** The token that clients must send: from a file or the environment. */
async function tokenOf({ options, io }: Serve): Promise<string | undefined> {
  const { tokenFile } = options;
  if (tokenFile === undefined) return io.env.POLYA_TOKEN || undefined;
  const text = await readFile(resolve(io.cwd, tokenFile), 'utf8').catch((error: NodeJS.ErrnoException) =>
    fail('E_PATH', `${safe(tokenFile)} cannot be read (${error.code ?? ''}).`, { cause: error }),
  );
  return text.trim() || misuse(`The token in ${safe(tokenFile)} is empty.`);
}

/** Lines for people on a terminal, lines of JSON elsewhere. */
function logOf({ options, io }: Serve): Log {
  const write = (line: string) => void io.stderr.write(line);
  if (options.log === 'json' || (options.log === 'auto' && !io.stderr.tty)) return jsonLog(write);
  return (level, event, facts = {}) => {
    if (options.quiet && level === 'info') return;
    const shown = Object.entries(facts).map(([name, value]) => `${name} ${safe(String(value ?? ''), 200)}`);
    write(`${new Date().toTimeString().slice(0, 8)} ${event.padEnd(8)} ${shown.join('  ')}\n`);
  };
}
