import type { Classifier } from '../../auto/classifier.ts';
import type { EngineColumn, SqlEngine } from '../../engines/engine.ts';
import { classifierFromEngine, type EngineClassifierOptions } from '../../warehouse/classifier.ts';
import { describeTable, relationOf } from '../../warehouse/source.ts';
import { fit as declaration, type Fit } from '../commands/fit.ts';
import { requireColumn } from '../data-problems.ts';
import { counted, duration } from '../numbers.ts';
import { fail } from '../problem.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { flagOf } from '../values.ts';
import { areCells, openFor, requireNoSecret, tableParts } from './engine-source.ts';
import { outputFor, recipeLine, requireFree, type Written, writeModelFile } from './model-output.ts';
import { learnOptions } from './options.ts';

/** Options that look at rows, which stay in the engine. */
const OF_ROWS = ['cv', 'splitColumn', 'skipUnlabeled', 'where', 'maxRows', 'stream', 'hash', 'bins'] as const;

/** Learns inside an engine: sums come back, and become a model that goes on learning. */
export async function fitEngine(context: Fit, address: string, begun: number): Promise<undefined> {
  const { options, args, print, progress } = context;
  requireNoSecret(address);
  requireNoRows(context);
  const { target } = options;
  if (target === undefined) fail('E_USAGE', texts.engine.needsTarget());
  const output = outputFor(options.output, args[0] ?? `${tableParts(options.table ?? 'model').at(-1)}.csv`);
  const notes = recipeLine(context, declaration.options, target);
  requireFree(context, output, options.force, notes);
  const engine = await openNamed(context, address, target);
  try {
    const model = await learn(context, engine, target);
    progress.end();
    const spent = performance.now() - begun;
    const { summary, schema } = model.report();
    print.talk(`${print.talkScreen.paint.green('✔')} ${safe(summary)}`);
    print.talk(texts.engine.counted(counted(schema.rows, 'row'), model.classes.length, duration(spent)));
    print.talk(texts.engine.notJudged(output));
    const written = await writeModelFile(context, output, model, { rows: schema.rows, notes }, options.slim);
    if (print.json) await printJson(context, model, { ...written, seconds: spent / 1000, notes });
  } finally {
    progress.end();
    await engine.close();
  }
  return undefined;
}

function requireNoRows({ options }: Fit): void {
  for (const name of OF_ROWS) {
    const value: unknown = options[name];
    const given = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
    if (given) fail('E_USAGE', texts.engine.notWith(flagOf(name)));
  }
  if (options.unlabeled !== 'refuse') fail('E_USAGE', texts.engine.notWith('--unlabeled'));
}

/** The engine with the columns that were named; of cells without types, the label is read as it is written. */
async function openNamed(context: Fit, address: string, target: string): Promise<SqlEngine> {
  const engine = await openFor(context, address);
  try {
    const columns = await describeTable(engine, tableOf(context, engine), relationOf(engine, tableOf(context, engine)));
    requireColumns(context, columns, engine.name);
    const { kind } = columns.find(({ name }) => name === target) as EngineColumn;
    if (kind === 'text' || !areCells(context)) return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
  await engine.close();
  return openFor(context, address, { types: { [target]: 'VARCHAR' } });
}

const tableOf = ({ options }: Fit, engine: SqlEngine): string | string[] =>
  options.table === undefined ? (engine.table as string) : tableParts(options.table);

function requireColumns(context: Fit, columns: readonly EngineColumn[], engine: string): void {
  const { target, text, features, weights } = context.options;
  const names = columns.map(({ name }) => name);
  for (const name of [target, text, ...features, weights]) {
    if (name !== undefined) requireColumn(context, name, names, engine);
  }
}

function learn(context: Fit, engine: SqlEngine, target: string): Promise<Classifier> {
  const { options, progress } = context;
  const { features, weight, calibrate: _, ...rest } = learnOptions(context);
  const onShare = (share: number) => progress.step(texts.phases.learning(), { share });
  const wanted = features ?? (options.text === undefined ? undefined : [options.text]);
  return classifierFromEngine(
    { engine, table: tableOf(context, engine), target, features: wanted, weight, onShare },
    rest as EngineClassifierOptions,
  );
}

async function printJson(
  { print, options }: Fit,
  model: Classifier,
  facts: Written & { seconds: number; notes: string },
): Promise<void> {
  const { summary, warnings, schema, ignored } = model.report();
  await print.object({
    schema: 'polya/fit@1',
    file: facts.file,
    bytes: facts.bytes,
    sha256: facts.sha256,
    target: { name: model.target, guessed: false },
    model: model.model,
    summary,
    classes: model.classes,
    rows: schema.rows,
    columns: schema.columns.map(({ name, kind, role, reason }) => ({ name, kind, role, reason })),
    ignored,
    learns: model.learns && !options.slim,
    judgement: null,
    tried: [],
    warnings,
    seed: options.seed,
    seconds: facts.seconds,
    repeat: facts.notes,
  });
}
