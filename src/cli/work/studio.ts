import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suggestFile } from '../../data/suggest.ts';
import type { Studio } from '../commands/studio.ts';
import { openPage } from '../open-page.ts';
import { EXIT, fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { type ServedStudio, serveStudio } from './studio-server.ts';

/** Serves the page until it is stopped. */
export async function studio(context: Studio): Promise<number | undefined> {
  const { args, options, io, print } = context;
  const data = given(context, args[0]);
  const model = given(context, options.model);
  const served = await start(context, { root: builtPage(), data, model });
  const url = served.url();
  const stop = io.onInterrupt(() => void served.close());
  if (print.json) await print.object({ schema: 'polya/studio@1', url, port: served.port });
  else await print.line(url);
  print.talk(texts.studio.serving(io.stdin.tty));
  if (options.open) openPage(url);
  try {
    return await keys(context, served);
  } finally {
    stop();
    await served.close();
  }
}

/** The folder of the built page: beside the command where it is installed, in `dist` where it is developed. */
function builtPage(): string {
  const places = ['../studio/', '../../../dist/studio/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const root = places.find((place) => existsSync(join(place, 'index.html')));
  return root ?? fail('E_NOT_FOUND', texts.studio.notBuilt());
}

function given({ io, words }: Studio, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const path = resolve(io.cwd, name);
  if (existsSync(path) && statSync(path).isFile()) return path;
  return fail('E_PATH', texts.studio.noFile(safe(name)), {
    details: { file: basename(name) },
    ...hintFor(io.cwd, name, words),
  });
}

function hintFor(cwd: string, name: string, words: readonly string[]): { command?: string } {
  const folder = dirname(resolve(cwd, name));
  const near = existsSync(folder) ? suggestFile(basename(name), readdirSync(folder)) : undefined;
  return near === undefined
    ? {}
    : { command: commandLine(words.map((word) => (word === name ? join(dirname(name), near) : word))) };
}

async function start({ options }: Studio, files: Parameters<typeof serveStudio>[0]): Promise<ServedStudio> {
  try {
    return await serveStudio(files, options.port, options.strictPort);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail('E_IO', texts.studio.noPort(options.port, code ?? ''), { cause: error });
  }
}

/** Hears single keys where there is a terminal; without one the process ends by a signal. */
async function keys({ io, print }: Studio, served: ServedStudio): Promise<number | undefined> {
  if (!io.stdin.tty) return new Promise(() => undefined);
  const raw = io.stdin.raw?.();
  try {
    for await (const chunk of io.stdin.bytes()) {
      for (const key of new TextDecoder().decode(chunk)) {
        if (key === 'q') return undefined;
        if (key === '\u0003') return EXIT.interrupted;
        if (key === 'h') print.talk(texts.studio.keys());
        if (key === 'o') {
          const url = served.url();
          print.talk(url);
          openPage(url);
        }
      }
    }
    return undefined;
  } finally {
    raw?.();
  }
}
