import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PolyaError } from '../../errors.ts';
import type { Log } from '../../server/http/log.ts';
import { jsonLog } from '../../server/http/log.ts';
import { MemoryStore } from '../../server/memory-store.ts';
import type { ModelStore } from '../../server/model-store.ts';
import { type RunningServer, startServer } from '../../server/server.ts';
import type { Serve } from '../commands/serve.ts';
import { openPage } from '../open-page.ts';
import { EXIT, fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { version } from '../version.ts';
import { readModelBytes, refuseModel } from './model-input.ts';

const MEGABYTE = 2 ** 20;

/** Serves models until it is stopped. */
export async function serve(context: Serve): Promise<number | undefined> {
  const { options, io, print } = context;
  const log = logOf(context);
  const files = filesOf(context);
  const token = await tokenOf(context);
  for (const origin of options.allowOrigin) {
    if (!/^https?:\/\/[^/\s]+$/.test(origin)) fail('E_USAGE', texts.serve.badOrigin(safe(origin)));
  }
  const store = await openModels(context, files, log);
  if (options.check) return check(context, store);
  const server = await startServer({
    store,
    token,
    log,
    host: options.host,
    port: options.port,
    strictPort: options.strictPort,
    hosts: options.allowHost,
    origins: options.allowOrigin,
    limits: { bodyBytes: options.maxBody * MEGABYTE },
    version: version(),
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const ending = endingOf(context, server, log); // before anybody is told that there is something to stop
  const names = store.list().map((own) => `${own.name}@v${own.version}`);
  if (print.json) {
    const models = store.list().map((own) => ({ name: own.name, version: own.version }));
    await print.object({ schema: 'polya/serve@1', url: server.url, port: server.port, models, learning: store.state });
  } else await print.line(texts.serve.serving(server.url, names.join(', ') || texts.serve.none()));
  if (io.stdin.tty) print.talk(texts.serve.keys());
  log('info', 'start', { url: server.url, models: names.join(' '), learning: store.state });
  return goOn(context, server, files, ending);
}

/** How a server ends, by a signal or when it is asked to; both let requests finish. */
function endingOf({ io }: Serve, server: RunningServer, log: Log) {
  const end = async (): Promise<number> => {
    log('info', 'drain', { requests: server.inFlight() });
    await server.close();
    log('info', 'end');
    return EXIT.done;
  };
  const bySignal = new Promise<number>((resolve) => {
    io.onStop?.(async () => {
      const code = await end();
      resolve(code);
      return code;
    });
  });
  return { bySignal, end };
}

/** Goes on until a key or a signal ends it. */
async function goOn(
  context: Serve,
  server: RunningServer,
  files: ReadonlyMap<string, string>,
  { bySignal, end }: ReturnType<typeof endingOf>,
): Promise<number> {
  const { io } = context;
  if (!io.stdin.tty) return bySignal;
  const back = io.stdin.raw?.();
  const byKey = (async () => {
    for await (const chunk of io.stdin.bytes()) {
      for (const key of new TextDecoder().decode(chunk)) {
        if (key === 'q' || key === '\u0003') return end();
        await press(context, server, files, key);
      }
    }
    return bySignal;
  })();
  return Promise.race([bySignal, byKey]).finally(() => back?.());
}

/** What a key does. */
async function press(
  context: Serve,
  { url, store }: RunningServer,
  files: ReadonlyMap<string, string>,
  key: string,
): Promise<void> {
  const { print } = context;
  if (key === 'h') print.talk(texts.serve.help());
  if (key === 'o') openPage(`${url}/docs`);
  try {
    if (key === 'r') for (const [name, file] of files) await reload(context, store, name, file);
    if (key === 's') {
      for (const { name } of store.list()) print.talk(texts.serve.snapshot(name, (await store.snapshot(name)).version));
    }
  } catch (error) {
    print.warn(safe((error as Error).message));
  }
}

async function reload(context: Serve, store: ModelStore, name: string, file: string): Promise<void> {
  const { version: now } = await store.put(name, await readModelBytes(context, file));
  context.print.talk(texts.serve.reloaded(name, now));
}

/** Tells what would be served, and ends. */
async function check({ print }: Serve, store: ModelStore): Promise<undefined> {
  const models = store.list().map(({ name, version: own, model }) => ({ name, version: own, summary: model.summary }));
  const learning = store.state;
  await store.close();
  if (print.json) await print.object({ schema: 'polya/serve-check@1', models, learning });
  else {
    await print.line(texts.serve.ready(models.length, learning !== 'no-learning'));
    for (const own of models) await print.line(texts.serve.line(own.name, own.version, safe(own.summary, 100)));
  }
  return undefined;
}

/** The files by the names of their models. */
function filesOf({ options }: Serve): Map<string, string> {
  const files = new Map<string, string>();
  for (const word of options.model) {
    const at = word.indexOf('=');
    const file = word.slice(at + 1);
    const name =
      at > 0
        ? word.slice(0, at)
        : basename(file)
            .replace(/\.polya$/, '')
            .toLowerCase();
    if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) fail('E_USAGE', texts.serve.badName(safe(name)));
    if (files.has(name)) fail('E_USAGE', texts.serve.twice(name));
    files.set(name, file);
  }
  return files;
}

/** The models in memory, or in a journal that learns. */
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

/** Repairs a journal and tells what became of it. */
async function repair({ print }: Serve, folder: string): Promise<void> {
  const { repairStore } = await import('../../server/store/repair.ts');
  const { copy, models, gone, unreadable } = await repairStore(folder);
  print.talk(texts.serve.repaired(safe(copy), unreadable));
  for (const { name, version: own, base, rows, lost } of models) {
    const stretches = lost.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
    print.talk(texts.serve.rebuilt(name, own, base, rows, stretches));
  }
  for (const name of gone) print.warn(texts.serve.unreadableModel(safe(name)));
}

/** The token that clients must know: of a file, or of the environment. */
async function tokenOf({ options, io }: Serve): Promise<string | undefined> {
  const { tokenFile } = options;
  if (tokenFile === undefined) return io.env.POLYA_TOKEN || undefined;
  const text = await readFile(resolve(io.cwd, tokenFile), 'utf8').catch((error: NodeJS.ErrnoException) =>
    fail('E_PATH', texts.serve.unreadable(safe(tokenFile), error.code ?? ''), { cause: error }),
  );
  return text.trim() || fail('E_USAGE', texts.serve.noToken(safe(tokenFile)));
}

/** Lines for people on a terminal, lines of JSON elsewhere. */
function logOf({ options, io }: Serve): Log {
  const write = (line: string) => void io.stderr.write(line);
  if (options.log === 'json' || (options.log === 'auto' && !io.stderr.tty)) return jsonLog(write);
  return (level, event, facts = {}) => {
    if (options.quiet && level === 'info') return;
    const shown = Object.entries(facts).map(([name, value]) => `${name} ${safe(String(value ?? ''), 200)}`);
    write(`${texts.serve.event(new Date().toTimeString().slice(0, 8), event, shown.join('  '))}\n`);
  };
}
