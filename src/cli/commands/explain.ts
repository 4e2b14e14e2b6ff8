import type { ClassifierReport } from '../../auto/classifier-report.ts';
import { type ClassifierInformative, type InformativeList, informativeLists } from '../../auto/informative.ts';
import { cellOf } from '../../data/cells.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import { openRows } from '../data.ts';
import { refuseLabel } from '../data-problems.ts';
import { type Context, command, integer, text } from '../declare.ts';
import { percent, score, signed } from '../numbers.ts';
import type { Probability } from '../print.ts';
import { misuse } from '../problem.ts';
import { checking, modelFile, reading } from '../shared-options.ts';
import { barChart, safe, wrap } from '../terminal.ts';
import { Answers, type Reasons, reasons } from '../work/answer.ts';
import { reasonLines } from '../work/answer-lines.ts';
import { type Place, withCellErrors } from '../work/cell-problems.ts';
import { informativeOf, namesFor, openScorer, type Scorer, textColumn } from '../work/model-input.ts';
import { takeRows } from '../work/table-rows.ts';

const options = {
  ...modelFile,
  ...checking,
  text: text('explain this text', { value: 'TEXT', common: true, setting: false }),
  row: integer('explain the Nth row of the data', { min: 1, common: true, setting: false }),
  top: integer('how many words or cells to show', { short: 'k', value: 'K', default: 10, min: 1, common: true }),
  class: text('explain this class', { value: 'LABEL', common: true }),
  column: text('the column that holds the text', { short: 'x', value: 'COLUMN', complete: 'column' }),
  ...reading,
} as const;

type Explain = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** The explanation of one prediction. */
  'explain@1': Reasons & { label: string; probability: Probability; truth?: string };
  /** The explanation of a model. */
  'explain-model@1': {
    summary: string;
    classes: readonly string[];
    telling: readonly {
      label: string;
      terms: readonly (Omit<ClassifierInformative, 'class' | 'nats' | 'logOdds'> & {
        weight: number | null;
        logOdds?: number | null;
      })[];
    }[];
    columns: readonly { name: string; family: string; accuracy: number; information?: number }[];
  };
}

/** `polya explain` */
export const declaration = command({
  arguments: [{ name: 'data', doc: 'a file with the row, or - for stdin', complete: 'file' }],
  options,
  examples: {
    'polya explain -m spam.polya --text "free entry, call now"': 'shows what every word contributes',
    'polya explain -m spam.polya': 'shows the most informative words of every class',
    'polya explain iris.csv -m iris.polya --row 1': 'explains one row of a file',
  },
  run,
});

/** Explains a text, a row, or the model. */
async function run(context: Explain): Promise<void> {
  const { options, args } = context;
  const scorer = await openScorer(context, options.model);
  if (options.text !== undefined) {
    const table = new RecordTable([{ [textColumn(scorer)]: options.text }]);
    return explainRow(context, scorer, { table, place: { file: '--text' } });
  }
  if (args.length > 0 || options.row !== undefined) return explainRow(context, scorer, await rowOf(context, scorer));
  await explainModel(context, scorer);
}

/** A table of one row, and where it is. */
interface OneRow {
  readonly table: BlockTable;
  readonly place: Place;
}

async function rowOf(context: Explain, scorer: Scorer): Promise<OneRow> {
  const { options, args } = context;
  const wanted = options.row ?? 1;
  const source = await openRows(context, args);
  const names = namesFor(context, scorer, source, options.column);
  let before = 0;
  for await (const table of source.tables()) {
    if (before + table.length >= wanted) {
      const own = takeRows(table.take([wanted - 1 - before]), { ...source.rules, names });
      return { table: new RecordTable(own.records(), [own.line(0)]), place: { ...source.place, strict: true } };
    }
    before += table.length;
  }
  return misuse(`There is no row ${wanted}: ${safe(source.name)} has ${before}.`);
}

async function explainRow(
  { options, print, words }: Explain,
  scorer: Scorer,
  { table, place: at }: OneRow,
): Promise<void> {
  const rules = { top: undefined, proba: true, rule: {}, reject: undefined, explain: undefined };
  const own = withCellErrors(table, at, () => new Answers(scorer, table, rules)).at(0);
  const row = table.record(0);
  const label = options.class ?? own.label;
  const chosen = scorer.classes.indexOf(label);
  if (chosen < 0) refuseLabel(words, label, scorer.classes);
  const why = reasons(scorer, row, chosen, options.top);
  const truth = scorer.target === undefined ? undefined : cellOf(row, scorer.target);
  const probability = own.probabilities![label];
  if (print.json) {
    const known = truth === undefined ? {} : { truth: String(truth) };
    await print.object<Prints>('explain@1', { label, probability, ...why, ...known });
    return;
  }
  const { columns, paint } = print.screen;
  const answer = `${safe(label)}  ${score(probability, 4)}`;
  await print.raw(reasonLines(answer, why, scorer.texts, { bold: paint.bold, columns }));
  if (truth !== undefined && truth !== '') await print.line(`true label: ${safe(String(truth))}`);
}

/** Prints the most informative words, categories and measurements of every class, and how informative each column is. */
async function explainModel({ options, print, words }: Explain, scorer: Scorer): Promise<void> {
  if (options.class !== undefined && !scorer.classes.includes(options.class))
    refuseLabel(words, options.class, scorer.classes);
  const wanted = options.class === undefined ? scorer.classes : [options.class];
  const found = informativeOf(scorer, options.top);
  const report = scorer.classifier?.report();
  const summary = report?.summary ?? scorer.kind;
  const { columns, paint } = print.screen;
  if (print.json) {
    const termsOf = (label: string) =>
      found!
        .filter((term) => String(term.class) === label)
        .map(({ class: _, nats, ...term }) => ({ ...term, weight: nats }));
    const telling = (found ? wanted : []).map((label) => ({ label, terms: termsOf(label) }));
    const all = report?.columns.map(({ name, family, accuracy, information }) => ({
      ...{ name, family, accuracy },
      ...(information !== undefined && { information }),
    }));
    const { classes } = scorer;
    await print.object<Prints>('explain-model@1', { summary, classes, telling, columns: all ?? [] });
    return;
  }
  await print.line(paint.bold(wrap(safe(summary), columns - 2, '  ')));
  if (found) await print.line('numbers: log-odds against the other classes; bars: how much they contribute');
  for (const { label, terms } of found ? informativeLists(found, wanted, scorer.texts) : []) {
    await print.line(`\n${paint.bold(safe(label))}`);
    const rows = terms.map((term) => ({ name: safe(term.name, 40), value: term.nats, shown: shownOf(term) }));
    for (const line of barChart(rows, columns)) await print.line(line);
    if (rows.length === 0) await print.line('  no feature is more frequent here than in the other classes');
  }
  if (report) await printColumns(print, report);
  if (!found) print.note('This model does not score features separately; explain a row: polya explain DATA --row N');
}

const shownOf = ({ logOdds, mean }: InformativeList['terms'][number]): string =>
  logOdds === undefined ? `mean ${String(Number(mean?.toPrecision(3)))}` : signed(logOdds);

/** At most this many columns are shown. */
const SHOWN = 20;

async function printColumns(print: Explain['print'], { columns }: ClassifierReport): Promise<void> {
  if (columns.length === 0) return;
  await print.line('\neach column alone: information about the class, accuracy on held-out rows');
  const strength = ({ information, accuracy }: ClassifierReport['columns'][number]) => information ?? accuracy;
  const sorted = [...columns].sort((a, b) => strength(b) - strength(a)).slice(0, SHOWN);
  const rows = sorted.map((own) => ({
    name: safe(own.name, 30),
    value: strength(own),
    shown: `${own.information === undefined ? '' : `${score(own.information, 3)} bits  `}${percent(own.accuracy)}`,
  }));
  for (const line of barChart(rows, print.screen.columns)) await print.line(line);
}
