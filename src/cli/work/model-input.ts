import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Classifier } from '../../auto/classifier.ts';
import { type LoadedModel, load } from '../../auto/load.ts';
import type { RecordOptions } from '../../auto/record-check.ts';
import type { DataRow } from '../../data/cells.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import type { Matrix } from '../../data/matrix.ts';
import { suggestFile } from '../../data/suggest.ts';
import { type ErrorCode, PolyaError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { namesIn } from '../data-problems.ts';
import { fail } from '../problem.ts';
import { commandLine, corrected } from '../shell.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { otherJudge } from './other-models.ts';
import { FittingTable } from './table-rows.ts';

/** Why a row gets its scores: rest + terms = score, class by class, in nats. */
export interface Told {
  readonly terms: readonly { readonly feature: string; readonly value: unknown; readonly byClass: Float64Array }[];
  readonly rest: Float64Array;
  readonly score: Float64Array;
}

/** Any model that answers about rows. */
export interface Judge {
  readonly file: string;
  readonly kind: string;
  readonly classes: readonly string[];
  readonly target: string | undefined;
  /** The columns it needs, and which of them are text. */
  readonly columns: readonly string[];
  readonly texts: readonly string[];
  predictLogProba(table: BlockTable): Matrix;
  explain(row: DataRow): Told;
  /** The classifier itself, where the file holds one. */
  readonly classifier: Classifier | undefined;
  /** What the file holds. */
  readonly opened: unknown;
}

/** Reads the model that `-m` names. */
export async function openJudge(context: Context, path: string | undefined): Promise<Judge> {
  if (path === undefined) return refuseNone(context);
  const opened = await openAny(context, path);
  return judgeOf(opened, basename(path), checksOf(context));
}

/** A model that answers about rows. */
export function judgeOf(opened: unknown, file: string, checks: RecordOptions): Judge {
  if (!(opened instanceof Classifier)) return otherJudge(opened, file);
  const features = opened.columns;
  return {
    file,
    kind: 'Classifier',
    classes: opened.classes.map(String),
    target: opened.target,
    columns: features.map(({ name }) => name),
    texts: features.filter(({ kind }) => kind === 'text').map(({ name }) => name),
    predictLogProba: (table) => opened.predictTable(new FittingTable(opened, table), checks),
    explain: (row) => opened.explain(new FittingTable(opened, new RecordTable([row])).record(0), checks),
    classifier: opened,
    opened,
  };
}

/** How the rows of a command are checked. */
export const checksOf = ({ options }: Context): RecordOptions => ({
  strict: !('strict' in options) || options.strict === true,
});

/** Reads a classifier; a file that holds something else is refused. */
export async function openClassifier(context: Context, path: string | undefined): Promise<Classifier> {
  const { classifier, kind } = await openJudge(context, path);
  if (classifier) return classifier;
  return fail('E_CONFLICT', texts.model.noClassifier(safe(basename(path ?? '')), kind, context.command), {
    details: { kind },
  });
}

/** Whatever a model file holds. */
export async function openAny(context: Context, path: string): Promise<unknown> {
  const bytes = await readModelBytes(context, path);
  try {
    return load<LoadedModel>(bytes);
  } catch (error) {
    return refuseModel(path, error);
  }
}

/** The bytes of a model file; a name that leads nowhere is refused with the one that was probably meant. */
export async function readModelBytes({ io, words }: Context, path: string): Promise<Uint8Array> {
  const file = resolve(io.cwd, path);
  try {
    return await readFile(file);
  } catch (cause) {
    const reason = String((cause as NodeJS.ErrnoException).code);
    if (reason === 'EISDIR') return fail('E_PATH', texts.model.isFolder(safe(path)), { details: { reason } });
    if (reason !== 'ENOENT' && reason !== 'ENOTDIR')
      return fail('E_IO', texts.model.unreadable(safe(path), reason), { details: { reason } });
    const near = suggestFile(basename(path), modelsIn(dirname(file)));
    const meant = near === undefined ? undefined : path.slice(0, path.length - basename(path).length) + near;
    return fail('E_PATH', texts.problems.noFile(path), {
      notes: meant ? [texts.problems.near(meant)] : [],
      command: meant && corrected(words, path, meant),
      details: { reason, file: basename(path) },
    });
  }
}

/** The files of a folder, models first. */
function modelsIn(folder: string): string[] {
  const names = namesIn(folder);
  const models = names.filter((name) => name.endsWith('.polya'));
  return models.length > 0 ? models : names;
}

function refuseNone({ io, words, command }: Context): never {
  const models = modelsIn(io.cwd).filter((name) => name.endsWith('.polya'));
  fail('E_USAGE', texts.model.needed(command), {
    notes: models.length > 1 ? [texts.model.some(models.slice(0, 10).map((name) => safe(name)))] : [],
    command: commandLine([...words, '-m', models[0] ?? 'model.polya']),
  });
}

const magic: ReadonlySet<ErrorCode> = new Set(['E_MODEL_MAGIC', 'E_MODEL_LIMIT', 'E_MODEL_CORRUPT']);

/** What a model file was refused for, with its name. */
export function refuseModel(path: string, error: unknown): never {
  if (!(error instanceof PolyaError)) throw error;
  const { code, details, message } = error;
  const name = safe(basename(path));
  if (code === 'E_MODEL_VERSION') {
    return fail(code, texts.model.newer(name, String(details.actual), String(details.limit)), {
      details,
      notes: [texts.model.askMaker(name)],
      cause: error,
    });
  }
  const notes = magic.has(code) && !name.endsWith('.polya') ? [texts.model.notByName()] : [];
  return fail(code, `${name}: ${message}`, { details, notes, cause: error });
}
