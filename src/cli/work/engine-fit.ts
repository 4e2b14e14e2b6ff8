import { resolve } from 'node:path';
import type { Classifier } from '../../auto/classifier.ts';
import type { EngineColumn, SqlEngine } from '../../engines/engine.ts';
import { classifierFromEngine, type EngineClassifierOptions } from '../../warehouse/classifier.ts';
import { partitionFolder } from '../../warehouse/partition-folder.ts';
import { classifierFromPartitions, type PartitionedFit } from '../../warehouse/partitions.ts';
import { queriesOf } from '../../warehouse/queries.ts';
import { describeTable, type EngineRows, relationOf } from '../../warehouse/source.ts';
import { pairOf, requireColumn } from '../data-problems.ts';
import type { Context } from '../declare.ts';
import { counted, duration, percent, score } from '../numbers.ts';
import { misuse } from '../problem.ts';
import type { inEngine, modelling, partitioning, reading, roles } from '../shared-options.ts';
import { refuseIgnored } from '../usage.ts';
import { areCells, cancellable, IN_ENGINE, openFor, requireNoSecret, tableParts } from './engine.ts';
import { learnOptions } from './options.ts';

type Fit = Context<typeof inEngine & typeof partitioning & typeof reading & typeof roles & typeof modelling & OfRows>;

/** Options that need rows in memory, which stay in the engine. */
const OF_ROWS = ['sheet', 'cv', 'splitColumn', 'skipUnlabeled', 'maxRows', 'hash', 'bins'] as const;
type OfRows = Readonly<Record<(typeof OF_ROWS)[number] | 'unlabeled', never>>;

/** A model that was counted in an engine. */
interface EngineFit {
  readonly model: Classifier;
  readonly target: string;
  readonly rows: number;
}

/** Fits inside an engine: only sums are fetched, and the model can be updated later. */
export async function fitEngine(context: Fit, ready: (target: string) => void): Promise<EngineFit> {
  const target = requireTarget(context);
  ready(target);
  const begun = performance.now();
  return withEngine(context, target, async (rows, options) => {
    const { print, progress } = context;
    const onShare = (share: number) => progress.step('learning', { share });
    const found = await learnThere(context, { ...rows, onShare }, options);
    progress.end();
    const spent = duration(performance.now() - begun);
    print.note(
      `counted ${counted(found.rows, 'row')} in ${found.model.classes.length} classes in the engine (${spent})`,
    );
    const { evaluation } = found.model.report();
    if (evaluation)
      print.note(
        `evaluated on ${counted(evaluation.rows, 'row')} of a sample by folds: accuracy ${percent(evaluation.accuracy)}, log-loss ${score(evaluation.logLoss)}`,
      );
    return { ...found, target };
  });
}

/** Prints the queries of a fit; they were tried on a few rows of the table. */
export function printQueries(context: Fit): Promise<void> {
  return withEngine(context, requireTarget(context), async (rows, options) => {
    const { print } = context;
    const { queries, size } = await queriesOf(rows, options);
    if (size) print.note(`the engine estimates ${size}`);
    for (const sql of queries) await print.line(`${sql};\n`);
    print.note(`${counted(queries.length, 'query', 'queries')}; later queries depend on the content of the table`);
    return;
  });
}

function requireTarget({ options }: Fit): string {
  requireNoSecret(options.engine ?? '');
  refuseIgnored(options, OF_ROWS, IN_ENGINE);
  if (options.unlabeled !== 'refuse') misuse(`--unlabeled ${IN_ENGINE}`);
  const together = '--partition-by (the column of partitions) and --state (the folder of their counts)';
  if ((options.partitionBy === undefined) !== (options.state === undefined))
    misuse(`${together} must be used together.`);
  if (options.changedBy !== undefined && options.partitionBy === undefined)
    misuse('--changed-by needs --partition-by.');
  if (options.target !== undefined) return options.target;
  return misuse('With --engine the target column is not detected; name it with --target.');
}

/** Opens the engine for the work, with the columns that were named, and closes it. */
async function withEngine<T>(
  context: Fit,
  target: string,
  work: (rows: EngineRows, options: EngineClassifierOptions) => Promise<T>,
): Promise<T> {
  const { options, io, progress } = context;
  const { features, weight, calibrate: _, ...rest } = learnOptions(context, options.model);
  const engine = await openNamed(context, target);
  try {
    return await cancellable(io, (signal) => {
      const wanted = features ?? (options.text === undefined ? undefined : [options.text]);
      const rows = { engine, table: tableOf(context, engine), target, features: wanted, weight, signal };
      return work({ ...rows, where: conditionsOf(context) }, rest as EngineClassifierOptions);
    });
  } finally {
    progress.end();
    await engine.close();
  }
}

/** Opens the engine. CSV cells have no types, so the label is read as text. */
async function openNamed(context: Fit, target: string): Promise<SqlEngine> {
  const engine = await openFor(context);
  try {
    const table = tableOf(context, engine);
    const columns = await describeTable(engine, table, relationOf(engine, table));
    requireColumns(context, columns, engine.name);
    const { kind } = columns.find(({ name }) => name === target) as EngineColumn;
    if (kind === 'text' || !areCells(context)) return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
  await engine.close();
  return openFor(context, { types: { [target]: 'VARCHAR' } });
}

const tableOf = ({ options }: Fit, engine: SqlEngine): string | string[] =>
  options.table === undefined ? (engine.table as string) : tableParts(options.table);

function requireColumns(context: Fit, columns: readonly EngineColumn[], engine: string): void {
  const { target, text, features, weights, partitionBy, changedBy } = context.options;
  const names = columns.map(({ name }) => name);
  const conditions = Object.keys(conditionsOf(context));
  for (const name of [target, text, ...features, weights, partitionBy, changedBy, ...conditions]) {
    if (name !== undefined) requireColumn(context, name, names, engine);
  }
}

/** `--where COLUMN=VALUE` as the values that columns must have. */
const conditionsOf = ({ options }: Fit): Record<string, string> =>
  Object.fromEntries(options.where.map((word) => pairOf('--where', 'COLUMN=VALUE', word)));

async function learnThere(
  { options, io, print }: Fit,
  rows: EngineRows,
  given: EngineClassifierOptions,
): Promise<Pick<EngineFit, 'model' | 'rows'>> {
  const { partitionBy, state, changedBy } = options;
  if (partitionBy === undefined || state === undefined) {
    const model = await classifierFromEngine(rows, given);
    return { model, rows: model.report().schema.rows };
  }
  const folder = partitionFolder(resolve(io.cwd, state));
  const found = await classifierFromPartitions({ ...rows, partitionBy, changedBy, state: folder }, given);
  print.note(partitionsText(found));
  return { model: found.model, rows: found.partitions.reduce((sum, own) => sum + own.rows, 0) };
}

function partitionsText({ partitions, dropped }: PartitionedFit): string {
  const fresh = partitions.filter(({ status }) => status === 'counted').length;
  const kept = partitions.length - fresh;
  const gone = dropped.length > 0 ? `, ${dropped.length} removed and unlearned` : '';
  return `partitions: ${fresh} counted, ${kept} unchanged${gone}`;
}
