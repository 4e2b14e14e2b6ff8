import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Savable } from '../../core/artifact.ts';
import { decodeUtf8 } from '../../data/utf8.ts';
import { PolyaError } from '../../errors.ts';
import { fromSklearn, parseJson } from '../../exchange/sklearn.ts';
import { type Context, choice, command } from '../declare.ts';
import { fail } from '../problem.ts';
import { writing } from '../shared-options.ts';
import { safe } from '../terminal.ts';
import { readModelBytes } from '../work/model-input.ts';
import { outputFor, requireFree, type Written, writeModelFile } from '../work/model-output.ts';

const options = {
  from: choice(['sklearn-json'], 'the format of the file', { default: 'sklearn-json', common: true }),
  ...writing,
} as const;

type Import = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** A model file was made. */
  'import@1': Written & { kind: string; classes: readonly unknown[] };
}

/** `polya import` */
export const declaration = command({
  about: 'polya help sklearn shows the Python code that writes the file. Nothing is unpickled or executed.',
  arguments: [{ name: 'file', doc: 'the JSON file', required: true, complete: 'file' }],
  options,
  examples: { 'polya import sklearn.json -o from-sklearn.polya': 'writes a model file' },
  run,
});

/** Larger files are refused. */
const MOST_BYTES = 2 ** 30;

/** Makes a model file from exported parameters. */
async function run(context: Import): Promise<void> {
  const { args, options, print, io } = context;
  const [path] = args;
  const output = outputFor(options.output, path);
  requireFree(context, output, options.force);
  const { size } = await stat(resolve(io.cwd, path)).catch(() => ({ size: 0 }));
  if (size > MOST_BYTES) fail('E_LIMIT', `${safe(basename(path))} is too large to hold the parameters of a model.`);
  const model = await read(context, path);
  const written = await writeModelFile(context, output, model, { notes: `polya import ${basename(path)}` });
  const { kind, classes } = model as unknown as { kind: string; classes?: readonly unknown[] };
  if (print.json) await print.object<Prints>('import@1', { ...written, kind, classes: classes ?? [] });
  else await print.line(`${kind}, ${classes?.length ?? 0} classes`);
}

async function read(context: Import, path: string): Promise<Savable> {
  const file = safe(basename(path));
  const text = decodeUtf8(await readModelBytes(context, path)) ?? fail('E_ENCODING', `${file} is not UTF-8 text.`);
  try {
    const document = parseJson(text.replace(/^\ufeff/, ''));
    context.progress.step('importing', { share: 0.6 });
    return fromSklearn<Savable>(document);
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return fail(error.code, `${file}: ${error.message}`, { details: error.details, cause: error });
  }
}
