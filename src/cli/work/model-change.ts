import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Classifier } from '../../auto/classifier.ts';
import { inspectModel } from '../../core/card.ts';
import type { Provenance } from '../../core/provenance.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { PolyaError } from '../../errors.ts';
import type { RowSource } from '../data.ts';
import type { Context } from '../declare.ts';
import { fail } from '../problem.ts';
import { silent } from '../progress.ts';
import { checking, modelFile, modelRoles, reading, writing } from '../shared-options.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { checkLabelled, openLabelled } from './labelled.ts';
import { openClassifier, readModelBytes } from './model-input.ts';
import { requireFree, writeModelFile } from './model-output.ts';
import { type RowRules, takeRows, withLabels } from './table-rows.ts';

/** The options of commands that change a model. */
export const changing = {
  ...modelFile,
  ...checking,
  ...modelRoles,
  ...writing,
  ...reading,
} as const;

type Changing = Context<typeof changing>;

/** A model and the rows to change it with. */
export interface ModelChange {
  readonly context: Changing;
  readonly model: Classifier;
  readonly source: RowSource;
  /** Names of columns in the data, by the names that the model knows them by. */
  readonly names: RowRules['names'];
}

/**
 * Runs a command that changes a model in place under a lock: a second command would overwrite the changes of the first. File systems
 * without Unix sockets have no lock.
 */
export async function alone<T>({ io, options }: Changing, work: () => Promise<T>): Promise<T> {
  if (options.model === undefined || options.output) return work();
  const file = await realpath(resolve(io.cwd, options.model)).catch(() => undefined);
  if (file === undefined) return work(); // opening it reports the error
  const { ownFolder } = await import('../../node/folder-owner.ts');
  const release = await ownFolder(dirname(file), `.${basename(file)}`).catch((error: unknown) => {
    if (!(error instanceof PolyaError && error.code === 'E_STORE_LOCKED')) return () => undefined;
    const sentence = `Another command is changing ${safe(basename(file))}; try again when it has finished.`;
    return fail('E_CONFLICT', sentence, { cause: error, details: { file: basename(file) } });
  });
  process.once('exit', release); // also if the command fails or is interrupted
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Opens the model and the rows. */
export async function prepare(context: Changing): Promise<ModelChange> {
  const { options, args } = context;
  const model = await openClassifier(context, options.model);
  if (!model.learns) {
    fail('E_CONFLICT', `${safe(options.model ?? '')} cannot be updated: it was saved without its counts.`, {
      notes: ['Fit it again without --slim.'],
      command: commandLine(['fit', 'DATA', '-o', options.model ?? 'model.polya']),
    });
  }
  if (options.output) requireFree(context, options.output, options.force);
  const source = await openLabelled({ ...context, progress: silent }, args, model.target); // `rowsFor` reports it
  const { columns } = model.report().schema;
  const own = columns.filter(({ role, kind }) => role === 'feature' && kind === 'text');
  const names = {
    ...(options.target !== undefined && { [model.target]: options.target }),
    ...(options.text !== undefined && own.length === 1 && { [own[0].name]: options.text }),
  };
  return { context, model, source, names };
}

/** The rows with a label, `size` at a time, under the column names of the model. Problems with labels are reported after the last row. */
export async function* rowsFor(
  { context, model: { target }, source, names }: ModelChange,
  size = 512,
): AsyncGenerator<BlockTable> {
  const missing = { unlabelled: 0, firstUnlabelled: undefined as number | undefined };
  const labels = new Set<string>();
  let [rows, line, before]: [number, number | undefined, number] = [0, undefined, 0];
  for await (const whole of source.tables()) {
    const table = withLabels(takeRows(whole, { filters: [], commas: false, names }), target, missing);
    if (table.length === 0) continue;
    line ??= table.line(0);
    for (const label of table.column(target).cells()) labels.add(String(label));
    for (let at = 0; at < table.length; at += size) {
      const share = source.share && before + ((source.share - before) * at) / table.length;
      context.progress.step('learning', { share, rows });
      await setImmediate(); // signals are handled here
      const length = Math.min(size, table.length - at);
      yield table.take(Int32Array.from({ length }, (_, i) => at + i));
      rows += length;
    }
    before = source.share ?? 0;
  }
  context.progress.end();
  const column = context.options.target ?? target;
  checkLabelled(context, { ...missing, labels, rows, line, target: column, place: source.place });
}

/** Writes the changed model over the old one, or to `-o`, with its provenance. */
export async function writeBack(context: Changing, model: Classifier, source: RowSource, rows: number, blank = false) {
  const { options, command } = context;
  const before = blank ? undefined : inspectModel(await readModelBytes(context, options.model!)).provenance;
  const hash = await source.hash();
  const hashes = `${before?.dataHash ?? ''} ${command} ${hash}`;
  const provenance: Provenance = {
    rows: Math.max(0, (before?.rows ?? 0) + rows),
    dataHash: createHash('sha256').update(hashes).digest('hex'),
    notes: `${(before?.notes ?? '').slice(0, 2000)}; polya ${command} ${source.name}`.replace(/^; /, ''),
  };
  const output = options.output ?? options.model!;
  return writeModelFile(context, output, model, provenance);
}
