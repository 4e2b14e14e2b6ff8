import { useKernels } from '../../text/use-kernels.ts';
import type { Predict } from '../commands/predict.ts';
import { openRows, type RowSource } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { count, counted, duration, rate } from '../numbers.ts';
import { texts } from '../texts/index.ts';
import { type Answer, answer, type Rules, renamed } from './answer.ts';
import { atItsPlace } from './cell-problems.ts';
import type { Judge } from './model-input.ts';
import { textColumn } from './predict.ts';
import { AnswerWriter, type Kept } from './predict-output.ts';

/** Labels the rows of data as they come. */
export async function predictRows(context: Predict, judge: Judge, rules: Rules): Promise<undefined> {
  const { args, options, print, io } = context;
  useKernels();
  if (args.length === 0 && io.stdin.tty) print.talk(texts.predict.typeLines());
  const source = await openRows(context, args, { empty: 'allow', live: options.lineBuffered });
  const from = sourceColumn(context, judge, source);
  const to = from === undefined ? undefined : judge.texts[0];
  const nothing = source.first.format === 'text' && source.first.bytesRead === 0;
  for (const column of nothing || !options.strict ? [] : judge.columns) {
    if (column !== to) requireColumn(context, column, source.columns, source.name, judge.columns);
  }
  const writer = new AnswerWriter(context, judge, rules, keptColumns(context, judge, source, from));
  const begun = performance.now();
  let [rows, rejected] = [0, 0];
  await writer.begin();
  try {
    for await (const chunk of source.chunks()) {
      const asked = chunk.rows.map((row) => renamed(row, from, to));
      const placed = { ...chunk, rows: asked, file: source.name, words: context.words };
      const answers: Answer[] = atItsPlace(placed, () => answer(judge, asked, rules));
      await writer.write(answers, chunk.rows);
      rows += answers.length;
      rejected += answers.filter((own) => own.rejected).length;
    }
    await writer.end();
  } catch (error) {
    await writer.discard();
    throw error;
  }
  if (!io.stdin.tty || args.length > 0) sayDone(context, rows, rejected, performance.now() - begun);
  return undefined;
}

function sayDone({ options, print }: Predict, rows: number, rejected: number, spent: number): void {
  const speed = spent > 500 ? rate(rows / (spent / 1000), 'rows') : '';
  const apart = options.reject === undefined ? '' : texts.predict.rejected(count(rejected), options.reject);
  print.talk(texts.predict.done(counted(rows, 'row'), speed, duration(spent), apart));
}

/** The column of the data that has the text of the model, where it goes by another name. */
function sourceColumn(context: Predict, judge: Judge, { columns, name }: RowSource): string | undefined {
  const { column } = context.options;
  if (column !== undefined) {
    requireColumn(context, column, columns, name);
    textColumn(judge);
    return column;
  }
  const alone = judge.texts.length === 1 && judge.columns.length === 1 && !columns.includes(judge.texts[0]);
  return alone && columns.includes('text') ? 'text' : undefined;
}

/** Which columns are handed on: those asked for, or all that are neither features nor the label. */
function keptColumns(
  context: Predict,
  judge: Judge,
  { columns, name, first }: RowSource,
  from: string | undefined,
): Kept {
  const { keep } = context.options;
  if (keep.length === 1 && keep[0] === 'none') return [];
  if (keep.length === 1 && keep[0] === 'all') return first.format === 'csv' || first.format === 'tsv' ? columns : 'all';
  for (const column of keep) requireColumn(context, column, columns, name);
  if (keep.length > 0) return keep;
  const used = new Set([...judge.columns, judge.target, from]);
  return columns.filter((column) => !used.has(column));
}
