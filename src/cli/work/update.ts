import { createHash } from 'node:crypto';
import { cellOf, type DataRow } from '../../auto/cells.ts';
import type { Classifier } from '../../auto/classifier.ts';
import { inspectModel } from '../../core/card.ts';
import type { Provenance } from '../../core/provenance.ts';
import { PolyaError } from '../../errors.ts';
import { Prequential, type PrequentialScores } from '../../evaluate/prequential.ts';
import { argmax } from '../../math/arrays.ts';
import type { Unlearn } from '../commands/unlearn.ts';
import type { Update } from '../commands/update.ts';
import type { Context } from '../context.ts';
import { count, counted, score } from '../numbers.ts';
import { fail } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { pad, safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { renamed } from './answer.ts';
import { isTraining } from './evaluate.ts';
import { type Labelled, type Lesson, readLesson } from './lesson.ts';
import { checksOf, openClassifier, readModelBytes, recordsFor } from './model-input.ts';
import { requireFree, writeModelFile } from './model-output.ts';

/** So many rows are predicted, then learned; a row never judges a model that has learned it. */
const BATCH = 32;

/** Learns more rows, each predicted before it is learned. */
export async function update(context: Update): Promise<undefined> {
  const { options, print } = context;
  const { model, lesson, rows } = await prepare(context);
  const checks = checksOf(context);
  if (await isTraining(context, options.model!, lesson)) print.warn(texts.update.again(safe(lesson.source.name)));
  const scores = new Prequential();
  const table: PrequentialScores[] = [];
  const fading = options.forgetHalfLife ? 0.5 ** (BATCH / options.forgetHalfLife) : 1;
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    for (const line of judgeBatch(model, batch, lesson.labels.slice(start, start + BATCH), scores)) table.push(line);
    if (fading < 1) model.decay(fading);
    model.partialFit(batch, checks);
    context.progress.step(texts.phases.updating(), { share: Math.min(1, (start + BATCH) / rows.length), rows: start });
  }
  context.progress.end();
  if (table.at(-1)?.n !== scores.n) table.push(scores.scores());
  if (!print.json) await printTable(print, table);
  const written = await writeBack(context, model, lesson, rows.length);
  if (print.json) {
    await print.object({
      schema: 'polya/update@1',
      ...written,
      learned: rows.length,
      classes: model.classes,
      prequential: table,
    });
  }
  return undefined;
}

/** Takes rows away: all of them, or none. */
export async function unlearn(context: Unlearn): Promise<undefined> {
  const { print } = context;
  const { model, lesson, rows } = await prepare({ ...context, options: { ...context.options, skipUnlabeled: false } });
  try {
    model.unlearn(rows, checksOf(context));
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_UNLEARN_UNDERFLOW') {
      fail(error.code, texts.update.neverLearned(safe(lesson.source.name)), {
        details: error.details,
        notes: [texts.update.asLearned()],
        cause: error,
      });
    }
    throw error;
  }
  const written = await writeBack(context, model, lesson, -rows.length);
  if (print.json)
    await print.object({ schema: 'polya/unlearn@1', ...written, unlearned: rows.length, classes: model.classes });
  else await print.line(texts.update.unlearned(counted(rows.length, 'row')));
  return undefined;
}

type Changing = Context & { readonly options: Unlearn['options'] & { readonly skipUnlabeled?: boolean } };

async function prepare(context: Changing): Promise<{ model: Classifier; lesson: Lesson; rows: DataRow[] }> {
  const { options, args, words } = context;
  const model = await openClassifier(context, options.model);
  if (!model.learns) {
    fail('E_CONFLICT', texts.model.noLearning(safe(options.model ?? '')), {
      notes: [texts.model.learnOnline()],
      command: commandLine(['fit', 'DATA', '--online', '-o', options.model ?? 'model.polya']),
    });
  }
  if (options.output) requireFree({ ...context, words }, options.output, options.force);
  const labelled = {
    ...context,
    options: { ...options, features: [], kinds: [], weights: undefined },
  } as unknown as Labelled;
  const lesson = await readLesson(labelled, args, model.target);
  const { columns } = model.report().schema;
  const own = columns.filter(({ role, kind }) => role === 'feature' && kind === 'text');
  const text = own.length === 1 ? own[0].name : undefined;
  const rows = lesson.rows.map((row) => withTarget(renamed(row, options.text, text), lesson.target, model.target));
  return { model, lesson, rows: recordsFor(model, rows) };
}

/** The label under the name that the model knows it by. */
function withTarget(row: DataRow, from: string, to: string): DataRow {
  return from === to ? row : Object.assign(Object.create(null), row, { [to]: cellOf(row, from) });
}

function judgeBatch(
  model: Classifier,
  rows: readonly DataRow[],
  labels: readonly string[],
  scores: Prequential,
): PrequentialScores[] {
  const classes = model.classes.map(String);
  const logProba = model.predictLogProba(rows, { strict: false }); // learning checks them
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
async function writeBack(context: Changing, model: Classifier, lesson: Lesson, rows: number) {
  const { options, command } = context;
  const before = inspectModel(await readModelBytes(context, options.model!)).provenance;
  const hash = await lesson.source.hash();
  const provenance: Provenance = {
    rows: Math.max(0, (before?.rows ?? 0) + rows),
    dataHash: createHash('sha256')
      .update(`${before?.dataHash ?? ''} ${command} ${hash}`)
      .digest('hex'),
    notes: `${(before?.notes ?? '').slice(0, 2000)}; polya ${command} ${lesson.source.name}`.replace(/^; /, ''),
  };
  const output = options.output ?? options.model!;
  return writeModelFile(context, output, model, provenance);
}
