import { cellOf, type DataRow } from '../../data/cells.ts';
import { RecordTable } from '../../data/column-table.ts';
import { barChart } from '../charts.ts';
import type { Explain } from '../commands/explain.ts';
import { openRows } from '../data.ts';
import { refuseLabel, requireColumn } from '../data-problems.ts';
import { score, signed } from '../numbers.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { Answers, type Reasons, reasonName, reasons, renamed } from './answer.ts';
import { explainModel } from './explain-model.ts';
import { type Judge, openJudge } from './model-input.ts';
import { textColumn } from './predict.ts';

/** Explains a text, a row, or the model. */
export async function explain(context: Explain): Promise<undefined> {
  const { options, args } = context;
  const judge = await openJudge(context, options.model);
  if (options.text !== undefined) return explainRow(context, judge, { [textColumn(judge)]: options.text });
  if (args.length > 0 || options.row !== undefined) return explainRow(context, judge, await rowOf(context, judge));
  await explainModel(context, judge);
  return undefined;
}

async function rowOf(context: Explain, judge: Judge): Promise<DataRow> {
  const { options, args } = context;
  const wanted = options.row ?? 1;
  const source = await openRows(context, args);
  const from =
    options.column ??
    (judge.texts.length === 1 && !source.columns.includes(judge.texts[0]) && source.columns.includes('text')
      ? 'text'
      : undefined);
  if (from !== undefined) requireColumn(context, from, source.columns, source.name);
  const to = from === undefined ? undefined : judge.texts[0];
  for (const column of options.strict ? judge.columns : [])
    if (column !== to) requireColumn(context, column, source.columns, source.name);
  let before = 0;
  for await (const table of source.tables()) {
    if (before + table.length >= wanted) return renamed(table.record(wanted - 1 - before), from, to);
    before += table.length;
  }
  return fail('E_USAGE', texts.explain.noRow(wanted, safe(source.name), before));
}

async function explainRow({ options, print, words }: Explain, judge: Judge, row: DataRow): Promise<undefined> {
  const own = new Answers(judge, new RecordTable([row]), {
    top: undefined,
    proba: true,
    rule: {},
    reject: undefined,
    explain: undefined,
  }).at(0);
  const place = (label: string | undefined) => {
    if (label !== undefined && !judge.classes.includes(label)) refuseLabel(words, label, judge.classes);
    return label === undefined ? undefined : judge.classes.indexOf(label);
  };
  const chosen = place(options.class) ?? judge.classes.indexOf(own.label);
  const label = judge.classes[chosen];
  const why = reasons(judge, row, chosen, place(options.against), options.top);
  const truth = judge.target === undefined ? undefined : cellOf(row, judge.target);
  if (print.json) {
    await print.object({
      schema: 'polya/explain@1',
      label,
      probability: own.probabilities![label],
      ...why,
      ...(truth !== undefined && { truth: String(truth) }),
    });
    return undefined;
  }
  await printReasons({ print }, judge, label, own.probabilities![label], why);
  if (truth !== undefined && truth !== '') await print.line(texts.explain.truth(safe(String(truth))));
  return undefined;
}

async function printReasons(
  { print }: Pick<Explain, 'print'>,
  judge: Judge,
  label: string,
  probability: number,
  why: Reasons,
): Promise<void> {
  const facts = texts.predict.logOdds(signed(why.logOdds, 2), safe(why.against, 30), signed(why.prior, 2));
  await print.line(`${print.screen.paint.bold(`${safe(label)}  ${score(probability, 4)}`)}   ${facts}`);
  const rows = why.terms.map((term) => ({
    name: safe(reasonName(term, judge.texts), 40),
    value: term.weight,
    shown: signed(term.weight),
  }));
  for (const line of barChart(rows, print.screen.columns)) await print.line(line);
  if (rows.length === 0) await print.line(`  ${texts.explain.nothing()}`);
}
