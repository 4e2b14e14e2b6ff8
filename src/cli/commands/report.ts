import { basename } from 'node:path';
import { informativeLists } from '../../auto/informative.ts';
import { inspectModel } from '../../core/card.ts';
import { isBlank, isMarker, numberOf, wordOf } from '../../data/cells.ts';
import { compareCodePoints } from '../../data/order.ts';
import { confidentErrors, evaluateRows, type ScoredRows } from '../../evaluate/evaluation.ts';
import type { ColumnValues } from '../../report/densities.ts';
import { type ReportInput, renderReport } from '../../report/page.ts';
import { type WordStatistics, wordStatistics, wordTablesOf } from '../../report/word-statistics.ts';
import { describeHash } from '../data-hash.ts';
import { type Context, command } from '../declare.ts';
import { count } from '../numbers.ts';
import type { Count } from '../print.ts';
import { checking, modelFile, modelRoles, reading, writing } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { evaluatedOn } from '../work/evaluation-text.ts';
import { isTraining, type LabelledRows, readLabelledRows, scoreModel } from '../work/labelled.ts';
import { informativeOf, openScorer, readModelBytes, refuseNone, type Scorer, writtenBy } from '../work/model-input.ts';
import { requireFree, requireOutput, writeFile } from '../work/model-output.ts';

const options = {
  ...modelFile,
  ...checking,
  ...modelRoles,
  ...reading,
  ...writing,
} as const;

type Report = Context<typeof options>;

/** What the command prints with `--json`. */
export interface Prints {
  /** A page was written. */
  'report@1': { model: string; file: string; bytes: Count };
}

/** `polya report` */
export const declaration = command({
  about:
    'The page needs no network and no scripts, prints well, supports light and dark mode, and shows the command that created it.',
  arguments: [{ name: 'data', doc: 'files, or - for stdin', required: true, many: true, complete: 'file' }],
  options,
  examples: {
    'polya report sms.csv -m spam.polya -o spam.html --force': 'writes a page to share',
  },
  run,
});

const MOST_COLUMNS = 12;
const MOST_WORDS = 15;
const MOST_MISTAKES = 20;
const MOST_CONTENT = 300; // characters shown of a misclassified row

/** Writes the page about a model on labelled rows. */
async function run(context: Report): Promise<void> {
  const { options, args, print, progress } = context;
  const { model: path, force } = options;
  if (path === undefined) return refuseNone(context);
  const output = requireOutput(context, options.output, 'report.html');
  requireFree(context, output, force);
  const scorer = await openScorer(context, path);
  progress.plan({ reading: 1, evaluating: 4, drawing: 2 });
  const data = await readLabelledRows(context, args, scorer.target);
  const scoredRows = await scoreModel(context, data, scorer, { path });
  progress.step('drawing', { share: 0 });
  const input = await inputOf(context, path, scorer, data, scoredRows);
  progress.step('drawing', { share: 0.8 });
  const page = renderReport(input);
  const bytes = await writeFile(context, output, page, ', opens without a network');
  if (print.json) await print.object<Prints>('report@1', { model: basename(path), file: output, bytes });
}

async function inputOf(
  context: Report,
  path: string,
  model: Scorer,
  data: LabelledRows,
  scoredRows: ScoredRows,
): Promise<ReportInput> {
  const { progress } = context;
  const card = inspectModel(await readModelBytes(context, path));
  const learned = await isTraining(context, path, data);
  const on = evaluatedOn(data.source.name, count(data.table.length), learned);
  const evaluation = evaluateRows(scoredRows, on);
  const modelReport = model.classifier?.report();
  const title = `${basename(path)} on ${data.source.name}`;
  const facts: (readonly [string, string | undefined])[] = [
    ['data', `${data.source.name}, ${describeHash(await data.source.hash())}`],
    ['rows', count(data.table.length)],
    ['target', data.target],
    ['model', `${basename(path)}, sha256 ${card.sha256}`],
    ['learned from', card.provenance?.dataHash && describeHash(card.provenance.dataHash)],
    ['made by', card.provenance?.notes],
    ['written by', writtenBy(card)],
  ];
  const statistics = model.texts.map((column) => statisticsOf(data, column));
  progress.step('drawing', { share: 0.4 });
  const words = model.texts.map((column, k) => ({ column, tables: wordTablesOf(statistics[k], MOST_WORDS) }));
  progress.step('drawing', { share: 0.5 });
  return {
    title,
    summary: modelReport?.summary ?? model.kind,
    facts: facts.filter((fact): fact is [string, string] => fact[1] !== undefined),
    scored: scoredRows,
    ...evaluation,
    columns: densitiesOf(model, data),
    words,
    informative: informativeLists(informativeOf(model, MOST_WORDS) ?? [], model.classes, model.texts),
    mistakes: mistakesOf(model, data, scoredRows),
    tried: modelReport?.tried ?? [],
    warnings: [
      ...(learned
        ? ['the model was trained on these rows, so the scores are too high; use other rows, or polya evaluate --cv']
        : []),
      ...(modelReport?.warnings.map(({ sentence }) => sentence) ?? []),
    ],
    command: commandLine(context.words),
  };
}

/** The columns of numbers, by class; their cells are read as the model reads them, if it knows the column. */
function densitiesOf(model: Scorer, { table, labels }: LabelledRows): ColumnValues[] {
  const formats = new Map(model.classifier?.schema.columns.map(({ name, format }) => [name, format?.numbers]));
  const others = model.columns.filter((name) => !model.texts.includes(name));
  const columns = others.flatMap((name) => {
    const cells = table.column(name).cells();
    const numbers = cells.map((cell) => numberOf(cell, formats.get(name)));
    const isGap = (cell: unknown) => isBlank(cell) || isMarker(cell);
    return numbers.every((number, i) => !Number.isNaN(number) || isGap(cells[i])) ? { name, numbers } : [];
  });
  const valuesOf = (numbers: readonly number[], label: string) =>
    numbers.filter((number, i) => labels[i] === label && !Number.isNaN(number));
  return columns
    .slice(0, MOST_COLUMNS)
    .map(({ name, numbers }) => ({
      name,
      byClass: model.classes.map((label) => ({ label, values: valuesOf(numbers, label) })),
    }))
    .filter(({ byClass }) => byClass.some(({ values }) => values.length > 0));
}

/** Statistics of the words of a text column. */
function statisticsOf({ table, labels }: LabelledRows, column: string): WordStatistics {
  const documents = table
    .column(column)
    .cells()
    .map((cell) => wordOf(cell ?? ''));
  return wordStatistics(documents, labels, [...new Set(labels)].sort(compareCodePoints));
}

function mistakesOf(model: Scorer, { table }: LabelledRows, scoredRows: ScoredRows): ReportInput['mistakes'] {
  return confidentErrors(scoredRows, MOST_MISTAKES).map(({ i, guess: answer, sure }) => {
    const cells = model.columns.map((name) => wordOf(table.column(name).cell(i) ?? '')).join(' · ');
    const content = cells.length > MOST_CONTENT ? `${cells.slice(0, MOST_CONTENT)}…` : cells;
    return { truth: scoredRows.truth[i], answer, sure, content };
  });
}
