import { RecordTable } from '../../data/column-table.ts';
import type { Predict } from '../commands/predict.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { Answers, type Rules } from './answer.ts';
import { AnswerLines } from './answer-lines.ts';
import { ruleOf } from './decision.ts';
import { type Judge, openJudge } from './model-input.ts';
import { AnswerOutput, formOf } from './predict-output.ts';

/** Labels texts of the command line, or the rows of data as they come. */
export async function predict(context: Predict): Promise<undefined> {
  const { options, args } = context;
  if (options.engine !== undefined) return (await import('./predict-engine.ts')).predictEngine(context, options.engine);
  const judge = await openJudge(context, options.model);
  const rules = rulesOf(context, judge);
  if (options.text.length > 0) {
    if (args.length > 0) fail('E_USAGE', texts.usage.together('--text', args[0]));
    return predictTexts(context, judge, rules);
  }
  return (await import('./predict-rows.ts')).predictRows(context, judge, rules); // texts of the command line need no readers
}

function rulesOf(context: Predict, { classes }: Judge): Rules {
  const { top, proba, reject, explain } = context.options;
  return { top, proba, reject, explain, rule: ruleOf(context, classes).rule };
}

/** The one column that takes a text. */
export function textColumn(judge: Judge): string {
  const { texts: own, columns, file } = judge;
  if (own.length === 1) return own[0];
  const names = safe((own.length > 1 ? own : columns).join(', '), 80);
  return fail(
    'E_USAGE',
    own.length > 1 ? texts.predict.ambiguous(safe(file), names) : texts.predict.notText(safe(file), names),
  );
}

async function predictTexts(context: Predict, judge: Judge, rules: Rules): Promise<undefined> {
  const column = textColumn(judge);
  const table = new RecordTable(context.options.text.map((text) => ({ [column]: text })));
  const output = new AnswerOutput(context);
  const lines = new AnswerLines(judge, rules, formOf(context, []));
  await output.begin();
  await output.write(lines.header() + lines.of(new Answers(judge, table, rules), table));
  await output.end();
  return undefined;
}
