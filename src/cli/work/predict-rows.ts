import type { Predict } from '../commands/predict.ts';
import { openRows, type RowSource } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { count, counted, duration, rate } from '../numbers.ts';
import { texts } from '../texts/index.ts';
import type { Rules } from './answer.ts';
import { type AnswerForm, AnswerLines } from './answer-lines.ts';
import { checksOf, type Judge, readModelBytes } from './model-input.ts';
import { textColumn } from './predict.ts';
import { AnswerOutput, formOf } from './predict-output.ts';
import { type PredictSetup, PredictWork } from './predict-work.ts';
import { run } from './works.ts';

/** Labels the rows of data as they come, on every core. */
export async function predictRows(context: Predict, judge: Judge, rules: Rules): Promise<undefined> {
  const { args, options, print, io } = context;
  if (args.length === 0 && io.stdin.tty) print.talk(texts.predict.typeLines());
  const source = await openRows(context, args, { empty: 'allow', live: options.lineBuffered, hashed: false });
  const from = sourceColumn(context, judge, source);
  const [to] = from === undefined ? [] : judge.texts;
  const nothing = source.first.format === 'text' && source.first.bytesRead === 0;
  for (const column of nothing || !options.strict ? [] : judge.columns) {
    if (column !== to) requireColumn(context, column, source.columns, source.name, judge.columns);
  }
  const output = new AnswerOutput(context);
  const form = formOf(context, keptColumns(context, judge, source, from));
  const setup: PredictSetup = {
    model: await readModelBytes(context, options.model!),
    file: judge.file,
    checks: checksOf(context),
    rows: { ...source.rules, names: from !== undefined && to !== undefined ? { [to]: from } : {} },
    place: { file: source.name, words: context.words },
    rules,
    form,
  };
  const begun = performance.now();
  let [rows, rejected] = [0, 0];
  await output.begin();
  try {
    await run(context, source, source.pieces(), 'predict', setup, {
      make: () => new PredictWork(setup, judge),
      onFound: async (found) => {
        if (rows === 0 && found.rows > 0) await output.write(new AnswerLines(judge, rules, form).header());
        await output.write(found.lines);
        rows += found.rows;
        rejected += found.rejected;
      },
    });
    source.requireRows(rows);
    await output.end();
  } catch (error) {
    await output.discard();
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
): AnswerForm['kept'] {
  const { keep, output, json } = context.options;
  if (keep.length === 1 && keep[0] === 'none') return [];
  const isTable = (form: string) => form === 'csv' || form === 'tsv';
  if (keep.length === 1 && keep[0] === 'all')
    return isTable(first.format) || (!json && isTable(output)) ? columns : 'all';
  for (const column of keep) requireColumn(context, column, columns, name);
  if (keep.length > 0) return keep;
  const used = new Set([...judge.columns, judge.target, from]);
  return columns.filter((column) => !used.has(column));
}
