import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Savable } from '../../core/artifact.ts';
import { PolyaError } from '../../errors.ts';
import { fromSklearn } from '../../exchange/sklearn.ts';
import type { Import } from '../commands/import.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { readModelBytes } from './model-input.ts';
import { outputFor, requireFree, writeModelFile } from './model-output.ts';

/** Larger files are no parameters. */
const MOST_BYTES = 2 ** 30;

/** Makes a model file from the JSON of another program. */
export async function importModel(context: Import): Promise<undefined> {
  const { args, options, print, io } = context;
  const [path] = args;
  const output = outputFor(options.output, path);
  requireFree(context, output, options.force);
  const { size } = await stat(resolve(io.cwd, path)).catch(() => ({ size: 0 }));
  if (size > MOST_BYTES) fail('E_LIMIT', texts.exchange.tooLarge(safe(basename(path))));
  const content = new TextDecoder('utf-8', { fatal: true });
  const model = await read(context, path, content);
  const written = await writeModelFile(context, output, model, { notes: `polya import ${basename(path)}` });
  const { kind, classes } = model as unknown as { kind: string; classes?: readonly unknown[] };
  if (print.json) await print.object({ schema: 'polya/import@1', ...written, kind, classes: classes ?? [] });
  else await print.line(texts.exchange.imported(kind, classes?.length ?? 0));
  return undefined;
}

async function read(context: Import, path: string, decoder: TextDecoder): Promise<Savable> {
  const bytes = await readModelBytes(context, path);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    return fail('E_ENCODING', texts.exchange.notText(safe(basename(path))), { cause });
  }
  try {
    return fromSklearn<Savable>(text);
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return fail(error.code, `${safe(basename(path))}: ${error.message}`, { details: error.details, cause: error });
  }
}
