import { resolve } from 'node:path';
import type { DataRow } from '../../data/cells.ts';
import { RecordTable } from '../../data/column-table.ts';
import type { Exportable } from '../../exchange/plan-of.ts';
import type { GrowingFile } from '../../node/atomic-file.ts';
import type { RowSource } from '../data.ts';
import { requireColumn } from '../data-problems.ts';
import { type Context, choice, command, flag, integer, list, number, text } from '../declare.ts';
import { count, counted, duration, rate } from '../numbers.ts';
import type { Count } from '../print.ts';
import { misuse } from '../problem.ts';

import { checking, deciding, inEngine, modelFile, reading, writing } from '../shared-options.ts';
import { safe } from '../terminal.ts';
import { refuseForm, refuseIgnored, refuseTogether } from '../usage.ts';
import { splitCommas } from '../values.ts';
import { type Answer, Answers, type Labelling, type Rules } from '../work/answer.ts';
import { type AnswerForm, AnswerLines } from '../work/answer-lines.ts';
import { withCellErrors } from '../work/cell-problems.ts';
import { ruleOf } from '../work/decision.ts';
import { checksOf, namesFor, openScorer, readModelBytes, type Scorer, textColumn } from '../work/model-input.ts';
import type { RowRules } from '../work/table-rows.ts';
import type { PredictSetup } from '../work/works.ts';

const options = {
  ...modelFile,
  ...checking,
  text: list('predict this text; may be repeated', { commas: false, value: 'TEXT', common: true, setting: false }),
  row: list('predict this row, such as class=1st,sex=female; may be repeated', {
    commas: false,
    value: 'COLUMN=VALUE,…',
    common: true,
    setting: false,
  }),
  column: text('the column that holds the text', { short: 'x', value: 'COLUMN', common: true, complete: 'column' }),
  top: integer('print the K most probable labels', { short: 'k', value: 'K', min: 1, common: true }),
  proba: flag('print the probability of every class', { common: true }),
  ...deciding,
  reject: number('mark predictions below this probability as rejected', { value: 'P', min: 0, max: 1, common: true }),
  explain: integer('print the N words or cells that contributed most', { min: 1, common: true }),
  output: choice(['text', 'jsonl', 'csv', 'tsv'], 'the output format', { default: 'text', common: true }),
  keep: list('copy these columns to the output; all, none, or (the default) those that are not features', {
    value: 'COLUMNS',
  }),
  lineBuffered: flag('predict every line as soon as it is read, also in a pipe'),
  out: text('write to a file instead of stdout', { short: 'o', value: 'FILE', complete: 'file', setting: false }),
  force: writing.force,
  ...reading,
  ...inEngine,
  into: text('with --engine: the table to create for the predictions', { value: 'TABLE' }),
  key: list('with --engine: the key columns, which identify a row', { value: 'COLUMNS' }),
} as const;

type Predict = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** The prediction for one row, one per line, with the columns copied to the output. */
  'predict@1': Answer & { readonly [column: string]: unknown };
  /** The labels of one row, one per line, by a multi-label model. */
  'predict-labels@1': Labelling;
  /** Rows were scored inside an engine, into a table there. */
  'score@1': {
    /** The table that was made in the engine. */
    table: string;
    rows: Count;
    /** The column with the label. */
    label: string;
    /** The column of each class, in the order of the classes. */
    probabilities: readonly string[];
    seconds: number;
  };
}

/** `polya predict` */
export const declaration = command({
  about:
    'Rows are read, predicted and written as a stream, in bounded memory. Columns that are not features, such as an id, are copied to the output.',
  arguments: [
    {
      name: 'data',
      doc: 'files, or - for stdin, which is also read without data, --text or --row',
      many: true,
      complete: 'file',
    },
  ],
  options,
  examples: {
    'polya predict -m spam.polya --text "free entry, call now" --explain 4':
      'predicts one text, and shows the words that decided',
    'polya predict -m iris.polya --row sepal_length=5,sepal_width=3.4,petal_length=1.5,petal_width=0.2':
      'predicts one row',
    'polya predict sms.csv -m spam.polya --proba --output csv': 'predicts every row of a file, as CSV',
    'cat sms.csv | polya predict - -m spam.polya --output jsonl --reject 0.9':
      'reads a pipe, and marks predictions below 0.9',
  },
  run,
});

async function run(context: Predict): Promise<void> {
  const { options, args } = context;
  if (options.engine !== undefined) return predictEngine(context);
  const scorer = await openScorer(context, options.model);
  if (scorer.separator !== undefined) requireLabels(context);
  const rules = rulesOf(context, scorer);
  const given = options.text.length > 0 ? '--text' : options.row.length > 0 ? '--row' : undefined;
  if (given === undefined) return predictRows(context, scorer, rules);
  if (args.length > 0) refuseTogether(given, args[0]);
  if (options.text.length > 0 && options.row.length > 0) refuseTogether('--text', '--row');
  return predictGiven(context, scorer, rules);
}

/** Refuses options that would have no effect for a model of several labels. */
function requireLabels({ options }: Predict): void {
  const single = ['top', 'threshold', 'cost', 'reject', 'explain', 'keep', 'row', 'lineBuffered'] as const;
  refuseIgnored(options, single, 'cannot be used with a multi-label model.');
  if (!options.json && options.output !== 'jsonl')
    refuseIgnored(options, ['proba'], 'needs --output jsonl with a multi-label model.');
}

function rulesOf(context: Predict, { classes }: Scorer): Rules {
  const { top, proba, reject, explain } = context.options;
  return { top, proba, reject, explain, rule: ruleOf(context, classes).rule };
}

/** Labels the texts or rows of the command line. */
async function predictGiven(context: Predict, scorer: Scorer, rules: Rules): Promise<void> {
  const { text: texts, row: rows } = context.options;
  const records = texts.length > 0 ? texts.map((text) => ({ [textColumn(scorer)]: text })) : rows.map(recordOf);
  for (const name of records.flatMap(Object.keys)) requireColumn(context, name, scorer.columns, scorer.file);
  const table = new RecordTable(records);
  const lines = new AnswerLines(scorer, rules, formOf(context, []));
  const answers = withCellErrors(table, { file: '--row', strict: true }, () => new Answers(scorer, table, rules));
  const output = await openOutput(context);
  await output.write(lines.header() + lines.of(answers, table));
  await output.end();
}

/** A row from `COLUMN=VALUE,COLUMN=VALUE`; a comma behind a backslash belongs to its value. */
function recordOf(word: string): DataRow {
  const cells = splitCommas(word).map((part) => {
    const at = part.indexOf('=');
    if (at <= 0) refuseForm('--row', 'COLUMN=VALUE,COLUMN=VALUE', word);
    return [part.slice(0, at), part.slice(at + 1)];
  });
  return Object.fromEntries(cells);
}

/** Where answers go: stdout, or a file that is complete or not there. */
async function openOutput(context: Predict): Promise<GrowingFile> {
  const { options, io, print } = context;
  const nothing = async () => undefined;
  if (options.out === undefined || options.out === '-')
    return { write: async (text) => print.raw(text as string), end: nothing, discard: nothing };
  const [{ requireFree }, { growFile }] = await Promise.all([
    import('../work/model-output.ts'),
    import('../../node/atomic-file.ts'),
  ]);
  requireFree(context, options.out, options.force);
  return growFile(resolve(io.cwd, options.out), io.guard);
}

/** How the answers of a command are written. */
function formOf({ options, print }: Predict, kept: AnswerForm['kept']): AnswerForm {
  const { screen } = print;
  const color = screen.paint.bold('') !== '';
  return { form: options.json ? 'json' : options.output, kept, color, columns: screen.columns };
}

/** Labels the rows of data as they come, on every core. */
async function predictRows(context: Predict, scorer: Scorer, rules: Rules): Promise<void> {
  const [{ openRows }, { PredictWork, run: runWork }] = await Promise.all([
    import('../data.ts'), // texts of the command line need no readers
    import('../work/works.ts'),
  ]);
  const { args, options, print, io } = context;
  if (args.length === 0 && io.stdin.tty) print.note('Type one text per line; Ctrl-D ends.');
  const source = await openRows(context, args, { empty: 'allow', live: options.lineBuffered, hashed: false });
  const isEmpty = source.first.format === 'text' && source.first.bytesRead === 0;
  const names = isEmpty ? {} : namesFor(context, scorer, source, options.column);
  const form = formOf(context, keptColumns(context, scorer, source, names));
  const setup: PredictSetup = {
    model: await readModelBytes(context, options.model!),
    file: scorer.file,
    checks: checksOf(context),
    rows: { ...source.rules, names },
    place: { ...source.place, words: context.words, strict: true },
    rules,
    form,
  };
  const begun = performance.now();
  let [rows, rejected] = [0, 0];
  if (options.out === undefined) io.endWithReader?.();
  const output = await openOutput(context);
  try {
    await runWork(context, source, source.pieces(), 'predict', setup, {
      make: () => new PredictWork(setup, scorer),
      onFound: async (found) => {
        if (rows === 0 && found.rows > 0) await output.write(new AnswerLines(scorer, rules, form).header());
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
  if (!io.stdin.tty || args.length > 0) noteDone(context, rows, rejected, performance.now() - begun);
}

function noteDone({ options, print }: Predict, rows: number, rejected: number, spent: number): void {
  const speed = spent > 500 ? rate(rows / (spent / 1000), 'rows') : '';
  const apart = options.reject === undefined ? '' : `${count(rejected)} rejected (p < ${options.reject})`;
  print.note([counted(rows, 'row'), speed, duration(spent), apart].filter(Boolean).join(' · '));
}

/** Which columns are copied to the output: those that are named, or all that are neither features nor the label. */
function keptColumns(
  context: Predict,
  scorer: Scorer,
  { columns, name, first }: RowSource,
  names: RowRules['names'],
): AnswerForm['kept'] {
  const { keep, output, json } = context.options;
  if (scorer.separator !== undefined) return [];
  if (keep.length === 1 && keep[0] === 'none') return [];
  const isTable = (form: string) => form === 'csv' || form === 'tsv';
  if (keep.length === 1 && keep[0] === 'all')
    return isTable(first.format) || (!json && isTable(output)) ? columns : 'all';
  for (const column of keep) requireColumn(context, column, columns, name);
  if (keep.length > 0) return keep;
  const used = new Set([...scorer.columns, scorer.target, ...Object.values(names)]);
  return columns.filter((column) => !used.has(column));
}

/** Scores rows inside an engine, and creates a table of the predictions there. */
async function predictEngine(context: Predict): Promise<void> {
  const [{ cancellable, openFor, tableParts }, { scoreInEngine }] = await Promise.all([
    import('../work/engine.ts'),
    import('../../warehouse/score.ts'),
  ]);
  const { options, print, io } = context;
  const begun = performance.now();
  const { into, table, key } = options;
  if (into === undefined) misuse('Scoring in an engine creates a table: name it with --into.');
  if (key.length === 0) misuse('Scoring in an engine needs the key columns: name them with --key.');
  const scorer = await openScorer(context, options.model);
  const engine = await openFor(context, { write: true });
  try {
    const { rows, columns } = await cancellable(io, (signal) =>
      scoreInEngine(scorer.opened as Exportable, {
        engine,
        into: tableParts(into),
        key,
        replace: options.force,
        unspaced: 'null',
        signal,
        ...(table !== undefined && { table: tableParts(table) }),
        ...(options.column !== undefined && { columns: [options.column] }),
      }),
    );
    const spent = performance.now() - begun;
    print.note(`scored ${counted(rows, 'row')} into ${safe(into)} (${duration(spent)})`);
    if (print.json) {
      const { label, probabilities } = columns;
      await print.object<Prints>('score@1', { table: into, rows, label, probabilities, seconds: spent / 1000 });
    }
  } finally {
    await engine.close();
  }
}
