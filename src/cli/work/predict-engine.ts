import type { Exportable } from '../../exchange/plan-of.ts';
import { scoreInEngine } from '../../warehouse/score.ts';
import type { Predict } from '../commands/predict.ts';
import { counted, duration } from '../numbers.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { openFor, tableParts } from './engine-source.ts';
import { openJudge } from './model-input.ts';

/** Scores rows where they lie and makes a table of the answers there. */
export async function predictEngine(context: Predict, address: string): Promise<undefined> {
  const { options, print } = context;
  const begun = performance.now();
  if (options.into === undefined) fail('E_USAGE', texts.engine.needsInto());
  if (options.key.length === 0) fail('E_USAGE', texts.engine.needsKey());
  const judge = await openJudge(context, options.model);
  const engine = await openFor(context, address, { write: true });
  try {
    const { rows, columns } = await scoreInEngine(judge.opened as Exportable, {
      engine,
      into: tableParts(options.into),
      key: options.key,
      replace: options.force,
      unspaced: 'null',
      ...(options.table !== undefined && { table: tableParts(options.table) }),
      ...(options.column !== undefined && { columns: [options.column] }),
    });
    const spent = performance.now() - begun;
    print.talk(texts.engine.scored(counted(rows, 'row'), safe(options.into), duration(spent)));
    if (print.json) {
      const { label, probabilities } = columns;
      await print.object({
        schema: 'polya/score@1',
        table: options.into,
        rows,
        label,
        probabilities,
        seconds: spent / 1000,
      });
    }
  } finally {
    await engine.close();
  }
  return undefined;
}
