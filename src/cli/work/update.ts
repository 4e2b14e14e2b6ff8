import { createHash } from 'node:crypto';
import type { Classifier } from '../../auto/classifier.ts';
import { inspectModel } from '../../core/card.ts';
import type { Provenance } from '../../core/provenance.ts';
import type { DataRow } from '../../data/cells.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import { PolyaError } from '../../errors.ts';
import { Prequential, type PrequentialScores } from '../../evaluate/prequential.ts';
import { argmax } from '../../math/arrays.ts';
import type { Unlearn } from '../commands/unlearn.ts';
import type { Update } from '../commands/update.ts';
import type { Context } from '../context.ts';
import type { RowSource } from '../data.ts';
import { count, counted, score } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { pad, safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { isTraining } from './evaluate.ts';
import { checkLabelled, type Labelled, openLabelled, withoutRoles } from './lesson.ts';
import { checksOf, openClassifier, readModelBytes } from './model-input.ts';
import { requireFree, writeModelFile } from './model-output.ts';
import { FittingTable, type RowRules, takeRows, withLabels } from './table-rows.ts';

/** This many rows are predicted, then learned: no row evaluates a model that has learned it. */
const BATCH = 32;

/** Learns more rows, each predicted before it is learned. */
export async function update(context: Update): Promise<undefined> {
  const { options, print } = context;
  const change = await prepare(context);
  const { source } = change;
  if (options.blank && !options.output) {
    fail('E_USAGE', texts.update.blankNeedsOutput(), { command: commandLine([...context.words, '-o', 'part.polya']) });
  }
  const model = options.blank ? change.model.blank() : change.model;
  const checks = checksOf(context);
  const scores = new Prequential();
  const table: PrequentialScores[] = [];
  const fading = options.forgetHalfLife ? 0.5 ** (BATCH / options.forgetHalfLife) : 1;
  let learned = 0;
  for await (const batch of batchesOf(rowsFor(change), BATCH)) {
    const own = new FittingTable(model, batch);
    if (model.classes.length > 0) table.push(...evaluateBatch(model, own, scores));
    if (fading < 1) model.decay(fading);
    model.change('partialFit', own, checks);
    learned += batch.length;
  }
  if (!options.blank && (await isTraining(context, options.model!, { source })))
    print.warn(texts.update.again(safe(source.name)));
  if (table.at(-1)?.n !== scores.n) table.push(scores.scores());
  if (!print.json) await printTable(print, table);
  const written = await writeBack(context, model, source, learned, options.blank);
  const facts = { ...written, learned, classes: model.classes, prequential: table };
  if (print.json) await print.object({ schema: 'polya/update@1', ...facts });
  return undefined;
}

/** Takes rows away: all of them, or none. */
export async function unlearn(context: Unlearn): Promise<undefined> {
  const { print } = context;
  const change = await prepare(context);
  const { model, source } = change;
  let unlearned = 0;
  try {
    for await (const table of rowsFor(change)) {
      model.change('unlearn', new FittingTable(model, table), checksOf(context));
      unlearned += table.length;
    }
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_UNLEARN_UNDERFLOW') {
      fail(error.code, texts.update.neverLearned(safe(source.name)), {
        details: error.details,
        notes: [texts.update.asLearned()],
        cause: error,
      });
    }
    throw error;
  }
  const written = await writeBack(context, model, source, -unlearned);
  if (print.json) await print.object({ schema: 'polya/unlearn@1', ...written, unlearned, classes: model.classes });
  else await print.line(texts.update.unlearned(counted(unlearned, 'row')));
  return undefined;
}

/** A model that is to be changed, and the rows that change it. */
interface ModelChange {
  readonly context: Labelled;
  readonly model: Classifier;
  readonly source: RowSource;
  /** Names of columns in the data, by the names that the model knows them by. */
  readonly names: RowRules['names'];
}

async function prepare(context: Unlearn): Promise<ModelChange> {
  const { options, args, words } = context;
  const model = await openClassifier(context, options.model);
  if (!model.learns) {
    fail('E_CONFLICT', texts.model.noLearning(safe(options.model ?? '')), {
      notes: [texts.model.fitFull()],
      command: commandLine(['fit', 'DATA', '-o', options.model ?? 'model.polya']),
    });
  }
  if (options.output) requireFree({ ...context, words }, options.output, options.force);
  const labelled = withoutRoles(context);
  const source = await openLabelled(labelled, args, model.target);
  const { columns } = model.report().schema;
  const own = columns.filter(({ role, kind }) => role === 'feature' && kind === 'text');
  const names = {
    ...(options.target !== undefined && { [model.target]: options.target }),
    ...(options.text !== undefined && own.length === 1 && { [own[0].name]: options.text }),
  };
  return { context: labelled, model, source, names };
}

/** The rows with a label, under the names that the model knows. What is wrong with the labels is reported behind the last row. */
async function* rowsFor({ context, model: { target }, source, names }: ModelChange): AsyncGenerator<BlockTable> {
  const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const labels = new Set<string>();
  let [rows, line]: [number, number | undefined] = [0, undefined];
  for await (const whole of source.tables()) {
    const table = withLabels(takeRows(whole, { filters: [], commas: false, names }), target, missing);
    if (table.length === 0) continue;
    rows += table.length;
    line ??= table.line(0);
    for (const label of table.column(target).cells()) labels.add(String(label));
    yield table;
  }
  const column = context.options.target ?? target;
  checkLabelled(context, { ...missing, labels, rows, line, target: column, file: source.name });
}

/** The rows of tables, so many at a time. */
async function* batchesOf(tables: AsyncIterable<BlockTable>, size: number): AsyncGenerator<RecordTable> {
  let rows: DataRow[] = [];
  for await (const table of tables) {
    rows = rows.concat(table.records());
    let at = 0;
    for (; at + size <= rows.length; at += size) yield new RecordTable(rows.slice(at, at + size));
    rows = rows.slice(at);
  }
  if (rows.length > 0) yield new RecordTable(rows);
}

function evaluateBatch(model: Classifier, table: BlockTable, scores: Prequential): PrequentialScores[] {
  const classes = model.classes.map(String);
  const labels = table.column(model.target).cells().map(String);
  const logProba = model.predictTable(table, { strict: false }); // learning checks them
  return labels.flatMap((label, i) => {
    const own = logProba.row(i);
    const place = classes.indexOf(label);
    const probability = place < 0 ? 0 : Math.min(1, Math.exp(own[place]));
    return scores.update(label, classes[argmax(own)], probability) ?? [];
  });
}

async function printTable(print: Context['print'], table: readonly PrequentialScores[]): Promise<void> {
  await print.line(texts.update.heading());
  for (const { n, accuracy, logLoss, window } of table) {
    const cells = [count(n), score(accuracy), score(logLoss), score(window.accuracy), count(window.n)];
    await print.line(cells.map((cell) => pad(cell, 10, 'right')).join(''));
  }
}

/** Writes the changed model in the place of the old one, or to `-o`, with what it was made of. */
async function writeBack(context: Unlearn, model: Classifier, source: RowSource, rows: number, blank = false) {
  const { options, command } = context;
  const before = blank ? undefined : inspectModel(await readModelBytes(context, options.model!)).provenance;
  const hash = await source.hash();
  const provenance: Provenance = {
    rows: Math.max(0, (before?.rows ?? 0) + rows),
    dataHash: createHash('sha256')
      .update(`${before?.dataHash ?? ''} ${command} ${hash}`)
      .digest('hex'),
    notes: `${(before?.notes ?? '').slice(0, 2000)}; polya ${command} ${source.name}`.replace(/^; /, ''),
  };
  const output = options.output ?? options.model!;
  return writeModelFile(context, output, model, provenance);
}
