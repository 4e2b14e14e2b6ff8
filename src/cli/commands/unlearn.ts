import type { Label } from '../../data/labels.ts';
import { PolyaError } from '../../errors.ts';
import { type Context, command } from '../declare.ts';
import { counted } from '../numbers.ts';
import type { Count } from '../print.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { withCellErrors } from '../work/cell-problems.ts';
import { alone, changing, prepare, rowsFor, writeBack } from '../work/model-change.ts';
import { checksOf } from '../work/model-input.ts';
import type { Written } from '../work/model-output.ts';
import { FittingTable } from '../work/table-rows.ts';

type Unlearn = Context<typeof changing>;

/** What the command prints with `--json`. */
export interface Prints {
  /** Rows were removed. */
  'unlearn@1': Written & { unlearned: Count; classes: readonly Label[] };
}

/** `polya unlearn` */
export const declaration = command({
  arguments: [
    { name: 'data', doc: 'the rows, exactly as they were learned', required: true, many: true, complete: 'file' },
  ],
  options: changing,
  examples: { 'polya unlearn more.csv -m words.polya': 'removes all of these rows, or none' },
  run: (context) => alone(context, () => run(context)),
});

/** Removes rows: all of them, or none. */
async function run(context: Unlearn): Promise<void> {
  const { print } = context;
  const change = await prepare(context);
  const { model, source } = change;
  const place = { ...source.place, words: context.words, strict: true };
  let unlearned = 0;
  try {
    for await (const table of rowsFor(change)) {
      withCellErrors(table, place, () => model.change('unlearn', new FittingTable(model, table), checksOf(context)));
      unlearned += table.length;
    }
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_UNLEARN_UNDERFLOW') {
      fail(error.code, `${safe(source.name)} has rows that were never learned; nothing was changed.`, {
        details: error.details,
        notes: ['A row must have the same columns and label as when it was learned.'],
        cause: error,
      });
    }
    throw error;
  }
  const written = await writeBack(context, model, source, -unlearned);
  if (print.json) await print.object<Prints>('unlearn@1', { ...written, unlearned, classes: model.classes });
  else await print.line(`${counted(unlearned, 'row')} removed; the model is the same as if it had never learned them`);
}
