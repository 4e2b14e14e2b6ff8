import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierInformative } from '../../auto/informative.ts';
import { type LoadedModel, load } from '../../auto/load.ts';
import type { RecordOptions } from '../../auto/record-check.ts';
import { inspectModel, type ModelCard } from '../../core/card.ts';
import { type DataRow, numberOf } from '../../data/cells.ts';
import { type BlockTable, RecordTable } from '../../data/column-table.ts';
import { Matrix } from '../../data/matrix.ts';
import { PolyaError } from '../../errors.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { mostInformative } from '../../estimators/most-informative.ts';
import { isTextModel, type Opened, type Reasoning, reasoningOf, takesLevels } from '../../server/model/served-model.ts';
import { requireDecoded } from '../../text/documents.ts';
import type { RowSource } from '../data.ts';
import { namesIn, refuseMissing, requireColumn } from '../data-problems.ts';
import type { Context } from '../declare.ts';
import { fail, misuse } from '../problem.ts';
import { commandLine } from '../shell.ts';
import { safe } from '../terminal.ts';
import { listed, quote } from '../usage.ts';
import type { LabelModel } from './multilabel.ts';
import { FittingTable, type RowRules } from './table-rows.ts';

/** Any model that scores rows. */
export interface Scorer {
  readonly file: string;
  readonly kind: string;
  readonly classes: readonly string[];
  readonly target: string | undefined;
  /** The columns it needs, and which of them are text. */
  readonly columns: readonly string[];
  readonly texts: readonly string[];
  predictLogProba(table: BlockTable): Matrix;
  explain(row: DataRow): Reasoning;
  /** What is written between the labels of a row, for a model that gives a row any number of them. */
  readonly separator?: string;
  /** The classifier, if the file holds one. */
  readonly classifier: Classifier | undefined;
  /** What the file holds. */
  readonly opened: unknown;
}

/** Reads the model that `-m` names. */
export async function openScorer(context: Context, path: string | undefined): Promise<Scorer> {
  if (path === undefined) return refuseNone(context);
  const opened = await openAny(context, path);
  const scorer = scorerOf(opened, basename(path), checksOf(context));
  return isSeveral(opened) ? withSeparator(scorer, await readModelBytes(context, path)) : scorer;
}

/** A scorer with the separator of its labels in the training data, `;` if the file does not have it. */
export function withSeparator(scorer: Scorer, bytes: Uint8Array): Scorer {
  if (!isSeveral(scorer.opened)) return scorer;
  const { separator } = Object(inspectModel(bytes).provenance?.choice) as { separator?: unknown };
  return { ...scorer, separator: typeof separator === 'string' && separator !== '' ? separator : ';' };
}

/** A model file as a scorer. */
export function scorerOf(opened: unknown, file: string, checks: RecordOptions): Scorer {
  if (!(opened instanceof Classifier)) return estimatorScorer(opened, file);
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
  const { classifier, kind } = await openScorer(context, path);
  if (classifier) return classifier;
  const sentence = `${safe(basename(path ?? ''))} holds only a ${kind}, without its columns`;
  return fail('E_CONFLICT', `${sentence}; ${context.command} needs a model from polya fit.`, { details: { kind } });
}

/** The content of a model file. */
export async function openAny(context: Context, path: string): Promise<unknown> {
  const bytes = await readModelBytes(context, path);
  try {
    return load<LoadedModel>(bytes);
  } catch (error) {
    return refuseModel(path, error);
  }
}

/** The bytes of a model file; the error for a missing file suggests a similar name. */
export async function readModelBytes({ io, words }: Context, path: string): Promise<Uint8Array> {
  const file = resolve(io.cwd, path);
  try {
    const found = statSync(file);
    if (found.isFile() || found.isDirectory()) return readFileSync(file);
    const { readBytes } = await import('../../node/file.ts');
    const parts: Uint8Array[] = [];
    for await (const part of readBytes(file)) parts.push(part.slice());
    return Buffer.concat(parts);
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    const reason = String((cause as NodeJS.ErrnoException).code);
    const details = { reason, file: basename(path) };
    if (reason === 'EISDIR') return fail('E_PATH', `${quote(path)} is a folder, not a model file.`, { details });
    if (reason !== 'ENOENT' && reason !== 'ENOTDIR')
      return fail('E_IO', `${quote(path)} could not be read (${reason}).`, { details });
    return refuseMissing({ io, words }, path, `There is no file ${quote(path)}.`, { details }, '.polya');
  }
}

/** Refuses a command without a model file, and lists those in the folder. */
export function refuseNone({ io, words, command }: Context): never {
  const models = namesIn(io.cwd).filter((name) => name.endsWith('.polya'));
  fail('E_USAGE', `${command} needs a model file: -m FILE.`, {
    notes: models.length > 1 ? [`Model files in this folder: ${listed(models, 10)}.`] : [],
    command: commandLine([...words, '-m', models[0] ?? 'model.polya']),
  });
}

/** Reports an error about a model file with its name. */
export function refuseModel(path: string, error: unknown): never {
  if (!(error instanceof PolyaError)) throw error;
  const { code, details, message } = error;
  const name = safe(basename(path));
  if (code === 'E_MODEL_VERSION') {
    const versions = `format ${String(details.actual)}; this version reads up to ${String(details.limit)}`;
    return fail(code, `${name} was written by a newer Pólya (${versions}).`, {
      details,
      notes: [`Update Pólya, or ask for a JSON export: polya export -m ${name} --to json`],
      cause: error,
    });
  }
  const isOther = code.startsWith('E_MODEL_') && !name.endsWith('.polya');
  const notes = isOther ? ['Model files are written by polya fit -o NAME.polya.'] : [];
  return fail(code, `${name}: ${message}`, { details, notes, cause: error });
}

/** An estimator as a scorer: it reads one column of text, or columns of numbers by name or position. */
function estimatorScorer(opened: unknown, file: string): Scorer {
  const model = opened as Opened;
  if (!model.predictLogProba || !model.classes) {
    return fail('E_CONFLICT', `${safe(file)} holds a ${model.kind}, which is not a classifier.`, {
      details: { kind: model.kind },
    });
  }
  const ofText = isTextModel(model);
  if (ofText) requireDecoded(model.steps?.[0]?.getParams?.() ?? {});
  const names = ofText ? ['text'] : namesOf(model);
  const read = (table: BlockTable) =>
    ofText ? table.column('text').documents() : cellsOf(table, names, takesLevels(model.kind));
  return {
    file,
    kind: model.kind,
    classes: model.classes.map(String),
    target: undefined,
    columns: names,
    texts: ofText ? names : [],
    predictLogProba: (table) => model.predictLogProba!(read(table)),
    explain: (row) => {
      const { kind } = model;
      if (!model.explain) return fail('E_CONFLICT', `A ${kind} cannot explain its predictions.`, { details: { kind } });
      return reasoningOf(model.explain(read(new RecordTable([row])))[0], (feature) => feature);
    },
    classifier: undefined,
    opened,
  };
}

function namesOf({ featureNamesIn, nFeaturesIn = 0 }: Opened): string[] {
  const names = featureNamesIn?.filter((name): name is string => typeof name === 'string') ?? [];
  return names.length === nFeaturesIn ? names : [];
}

/** The cells by name, or all cells of a row in their order. */
function cellsOf(table: BlockTable, names: readonly string[], levels: boolean): unknown {
  const columns = (names.length > 0 ? names : table.names).map((name) => table.column(name).cells());
  const cells = Array.from({ length: table.length }, (_, i) => columns.map((column) => column[i]));
  if (levels) return cells.map((row) => row.map((cell) => (cell === '' ? null : cell)));
  const number = (cell: unknown, row: number, column: number): number => {
    const value = numberOf(cell);
    if (!Number.isNaN(value)) return value;
    const place = `Row ${row + 1}, column ${safe(names[column] ?? String(column + 1), 40)}`;
    return fail('E_TYPE', `${place}: "${safe(String(cell), 40)}" is not a number.`, { details: { row, column } });
  };
  return Matrix.from(cells.map((row, i) => row.map((cell, j) => number(cell, i, j))));
}

/** The version of Pólya that wrote a file, and the version of its format. */
export const writtenBy = ({ formatVersion, provenance }: ModelCard): string =>
  `Pólya ${provenance?.version ?? '(unknown version)'}, format ${formatVersion}`;

/**
 * The columns of data by the names that a model knows them by: its one text may be in a column that is named, or called `text`. Refuses
 * data in which a column is missing, unless missing cells are allowed.
 */
export function namesFor(
  context: Context,
  scorer: Scorer,
  { columns, name, first }: Pick<RowSource, 'columns' | 'name' | 'first'>,
  given: string | undefined,
): RowRules['names'] {
  if (first.format === 'text' && scorer.texts.length === 0 && scorer.columns.length > 0)
    fail('E_FEATURE_MISSING', `${safe(name)} was read as one text per line, but the model needs columns.`, {
      notes: [`Columns of the model: ${listed(scorer.columns)}.`],
      command: commandLine([...context.words, '--format', 'csv']),
    });
  if (given !== undefined) requireColumn(context, given, columns, name);
  const [own, ...others] = scorer.texts;
  const isAlone = own !== undefined && others.length === 0 && !columns.includes(own);
  const usual = columns.includes('text') ? 'text' : scorer.separator === undefined ? undefined : columns[0];
  const from = given ?? (isAlone ? usual : undefined);
  const to = given === undefined ? own : textColumn(scorer);
  for (const column of checksOf(context).strict ? scorer.columns : [])
    if (from === undefined || column !== to) requireColumn(context, column, columns, name, scorer.columns);
  return from === undefined || from === to ? {} : { [to]: from };
}

/** The one column that takes a text. */
export function textColumn(scorer: Scorer): string {
  const { texts: own, columns, file } = scorer;
  if (own.length === 1) return own[0];
  const names = safe((own.length > 1 ? own : columns).join(', '), 80);
  const several = `several text columns (${names}); use rows with these columns`;
  const none = `the columns ${names}, not one text: use rows instead of --text`;
  return misuse(`${safe(file)} uses ${own.length > 1 ? several : none}.`);
}

/** The most informative features of each class; undefined for a model that does not score features one by one. */
export function informativeOf(
  { classifier, opened, texts: [text] }: Scorer,
  k: number,
): ClassifierInformative[] | undefined {
  try {
    if (classifier) return classifier.mostInformative({ k });
    if (!('inside' in Object(opened))) return undefined; // such as a text pool
    return mostInformative(opened as Fitted, { k }).map(({ level, feature, ...own }) => ({
      ...own,
      feature: text ?? String(feature),
      ...(text !== undefined && { value: String(feature) }),
      ...(level !== undefined && { value: String(level) }),
    }));
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_CONFLICT') return undefined;
    throw error;
  }
}

/** Whether a file holds a multi-label model; the module that uses it is not loaded for that. */
export const isSeveral = (opened: unknown): opened is LabelModel =>
  (Object(opened) as { steps?: readonly { multilabel?: boolean }[] }).steps?.at(-1)?.multilabel === true;
