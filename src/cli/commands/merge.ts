import { createHash } from 'node:crypto';
import { inspectModel } from '../../core/card.ts';
import type { Label } from '../../data/labels.ts';
import { PolyaError } from '../../errors.ts';
import { type Context, command } from '../declare.ts';
import { count } from '../numbers.ts';
import type { Count } from '../print.ts';
import { fail, misuse } from '../problem.ts';
import { writing } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { quote } from '../usage.ts';
import { openClassifier, readModelBytes } from '../work/model-input.ts';
import { isSameFile, requireFree, requireOutput, type Written, writeModelFile } from '../work/model-output.ts';

type Merge = Context<typeof writing>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Models were merged. */
  'merge@1': Written & { models: readonly string[]; rows: Count; classes: readonly Label[] };
}

/** `polya merge` */
export const declaration = command({
  about:
    'The models must have the same type, options and columns. Training in parts, on several machines or days, gives the same model as training at once.',
  arguments: [{ name: 'models', doc: 'two model files or more', required: true, many: true, complete: 'model' }],
  options: writing,
  examples: { 'polya merge words.polya more.polya -o all.polya': 'merges two models' },
  run,
});

/** Merges models. */
async function run(context: Merge): Promise<void> {
  const { args, options, print, progress, words } = context;
  if (args.length < 2) misuse('merge needs two model files or more.', [...words, 'other.polya']);
  const output = requireOutput(context, options.output, 'all.polya');
  const twice = args.find((path, k) => args.slice(0, k).some((other) => isSameFile(context, path, other)));
  if (twice !== undefined) {
    const others = words.filter((word, k) => word !== twice || words.indexOf(word) === k);
    fail('E_USAGE', `${quote(twice)} is named twice, so its rows would be counted twice.`, {
      command: args.length > 2 ? commandLine(others) : undefined,
    });
  }
  requireFree(context, output, options.force);
  const sum = await openClassifier(context, args[0]);
  for (const [k, path] of args.slice(1).entries()) {
    progress.step('merging', { share: (k + 1) / args.length, what: safe(path) });
    const other = await openClassifier(context, path);
    progress.step('merging', { share: (k + 1.5) / args.length, what: safe(path) });
    try {
      sum.merge(other);
    } catch (error) {
      if (!(error instanceof PolyaError) || error.code !== 'E_MERGE_MISMATCH') throw error;
      const advice =
        'Fit them with the same --model, options and columns, or train the second with polya update --blank.';
      const sentence = `${safe(path)} cannot be merged into ${safe(args[0])}`;
      fail(error.code, `${sentence}: they differ in type, options or columns.`, {
        notes: [error.message, advice],
        details: error.details,
        cause: error,
      });
    }
  }
  const cards = [];
  for (const path of args) cards.push(inspectModel(await readModelBytes(context, path)).provenance);
  const rows = cards.reduce((all, card) => all + (card?.rows ?? 0), 0);
  const hashes = cards.map((card) => card?.dataHash ?? '');
  const dataHash = createHash('sha256').update(hashes.join(' ')).digest('hex');
  const notes = commandLine(['merge', ...args]);
  const written = await writeModelFile(context, output, sum, { rows, dataHash, notes });
  if (print.json) await print.object<Prints>('merge@1', { ...written, models: args, rows, classes: sum.classes });
  else await print.line(`${args.length} models, ${count(rows)} rows`);
}
