import { createHash } from 'node:crypto';
import { inspectModel } from '../../core/card.ts';
import { PolyaError } from '../../errors.ts';
import type { Merge } from '../commands/merge.ts';
import { count } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { openClassifier, readModelBytes } from './model-input.ts';
import { requireFree, writeModelFile } from './model-output.ts';

/** Adds models. */
export async function merge(context: Merge): Promise<undefined> {
  const { args, options, print, words } = context;
  if (args.length < 2) fail('E_USAGE', texts.update.twoNeeded(), { command: commandLine([...words, 'other.polya']) });
  const { output } = options;
  if (output === undefined)
    return fail('E_USAGE', texts.update.outputNeeded(), { command: commandLine([...words, '-o', 'all.polya']) });
  requireFree(context, output, options.force);
  const sum = await openClassifier(context, args[0]);
  for (const path of args.slice(1)) {
    const other = await openClassifier(context, path);
    try {
      sum.merge(other);
    } catch (error) {
      if (!(error instanceof PolyaError) || error.code !== 'E_MERGE_MISMATCH') throw error;
      fail(error.code, texts.update.mismatch(safe(args[0]), safe(path)), {
        notes: [error.message, texts.update.mismatchAdvice()],
        details: error.details,
        cause: error,
      });
    }
  }
  const cards = await Promise.all(
    args.map(async (path) => inspectModel(await readModelBytes(context, path)).provenance),
  );
  const rows = cards.reduce((all, card) => all + (card?.rows ?? 0), 0);
  const dataHash = createHash('sha256')
    .update(cards.map((card) => card?.dataHash ?? '').join(' '))
    .digest('hex');
  const written = await writeModelFile(context, output, sum, {
    rows,
    dataHash,
    notes: commandLine(['merge', ...args]),
  });
  if (print.json) await print.object({ schema: 'polya/merge@1', ...written, models: args, rows, classes: sum.classes });
  else await print.line(texts.update.merged(args.length, count(rows)));
  return undefined;
}
