import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseMissing } from '../data-problems.ts';
import { type Context, command, flag, integer } from '../declare.ts';
import { pressed } from '../io.ts';
import type { Count } from '../print.ts';
import { EXIT, fail } from '../problem.ts';
import { modelFile } from '../shared-options.ts';
import { quote } from '../usage.ts';
import { openPage } from '../work/open-page.ts';
import { serveStudio } from '../work/studio-server.ts';

const options = {
  ...modelFile,
  port: integer('the port on 127.0.0.1; the next free one if it is taken, any free one for 0', {
    default: 4747,
    min: 0,
    max: 65535,
    common: true,
  }),
  strictPort: flag('fail if the port is taken instead of trying the next one'),
  open: flag('open the page in the browser', { common: true }),
} as const;

type Studio = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** The studio is being served. */
  'studio@1': { url: string; port: Count };
}

/** `polya studio` */
export const declaration = command({
  about:
    'Everything is computed in the browser; no data leaves this machine. The page is served on 127.0.0.1 until you stop it; its address works once, for the browser that opens it first. Keys: h help, o open in the browser, q quit.',
  arguments: [{ name: 'data', doc: 'a file to open', complete: 'file' }],
  options,
  examples: {
    'polya studio sms.csv --open': 'opens the page with this data',
    'polya studio sms.csv -m spam.polya --port 8080': 'with a model, on another port',
  },
  run,
});

/** Serves the page until the user stops it. */
async function run(context: Studio): Promise<number | undefined> {
  const { args, options, io, print } = context;
  const data = given(context, args[0]);
  const model = given(context, options.model);
  const served = await serveStudio({ root: builtPage(), data, model }, options.port, options.strictPort);
  const url = served.url();
  const stop = io.onInterrupt(() => void served.close());
  if (print.json) await print.object<Prints>('studio@1', { url, port: served.port });
  else await print.line(url);
  print.note(
    `Only this machine can open the studio; the address works once. ${io.stdin.tty ? 'Keys: h help · o open · q quit' : 'Ctrl-C stops it.'}`,
  );
  if (options.open) openPage(url);
  try {
    const last = await pressed(io, (key) => {
      if (key === 'h') print.note('h these keys · o a new address, opened in the browser · q quit');
      if (key !== 'o') return;
      const another = served.url();
      print.note(another);
      openPage(another);
    });
    return last === 'q' ? undefined : EXIT.interrupted;
  } finally {
    stop();
    await served.close();
  }
}

/** The folder of the built page: next to the installed command, or `dist` in the source tree. */
function builtPage(): string {
  const places = ['../studio/', '../../../dist/studio/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const root = places.find((place) => existsSync(join(place, 'index.html')));
  return root ?? fail('E_NOT_FOUND', 'The studio is not built; build it with: npm run build');
}

function given(context: Studio, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const path = resolve(context.io.cwd, name);
  if (existsSync(path) && statSync(path).isFile()) return path;
  return refuseMissing(context, name, `There is no file ${quote(name)}.`, { details: { file: basename(name) } });
}
