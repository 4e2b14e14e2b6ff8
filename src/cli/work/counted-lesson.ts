import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { cellOf, type DataRow, isBlank, wordOf } from '../../auto/cells.ts';
import { makeVectorizer } from '../../auto/learner-options.ts';
import { profileRows } from '../../auto/profile.ts';
import { inferSchema, type Schema } from '../../auto/schema.ts';
import type { Crew } from '../../engines/workers.ts';
import { PolyaError } from '../../errors.ts';
import type { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { crewFor } from '../../node/count-words.ts';
import { type CountedFile, countFile, headOf } from '../../node/counted-file.ts';
import { analyzerOptions } from '../../node/fit-text-file.ts';
import type { Fit } from '../commands/fit.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { type Lesson, MANY_CLASSES, sample } from './lesson.ts';
import { learnOptions } from './options.ts';

/** A lesson whose words are counted already. */
export type CountedLesson = Pick<Lesson, 'rows' | 'target' | 'guessed' | 'labels'> & {
  readonly source: Pick<Lesson['source'], 'hash'>;
  readonly counted: CountedFile;
  /** The threads that counted; they wait for rows that are set aside. */
  readonly crew: Crew;
  /** What the columns are, where all of them were looked at. */
  readonly schema: Schema | undefined;
};

/** From this size on it pays to count bytes instead of reading rows: 0.05 s of 0.4 s at 1 MB. */
const LEAST_BYTES = 1 << 20;
/** So many different texts tell what a column of text is, as schemas are told. */
const ENOUGH_TEXTS = 1000;
/** They are looked for in so many bytes. */
const HEAD_BYTES = 8 << 20;

const families = new Set(['multinomial', 'complement', 'bernoulli']);
/** Options that change what is counted in a way that the kernels do not know. */
const others = ['cv', 'weights', 'maxRows', 'ngrams', 'analyzer', 'minDf', 'maxDf', 'vocab', 'hash', 'bins'] as const;

/**
 * Labelled texts of a plain file of JSON Lines, counted as bytes on several threads; nothing where rows have to be read instead.
 * Whatever is wrong with the file is left to who reads rows, and knows how to say it.
 */
export async function countLesson(context: Fit, names: readonly string[]): Promise<CountedLesson | undefined> {
  const path = countablePath(context, names);
  if (path === undefined) return undefined;
  const crew = crewFor(path, context.options.threads);
  let lesson: CountedLesson | undefined;
  try {
    lesson = await count(context, path, crew);
    return lesson;
  } catch (error) {
    if (error instanceof PolyaError) return undefined;
    throw error;
  } finally {
    if (!lesson) crew.dismiss(); // it is needed until the model is judged
    context.progress.end();
  }
}

function countablePath({ options, io }: Fit, names: readonly string[]): string | undefined {
  const plain =
    families.has(options.model) &&
    options.refit && // what columns are is told by the first of all rows, not of those that a model without others learns
    others.every((name) => options[name] === undefined) &&
    options.where.length + options.kinds.length + options.maxBadRows === 0 &&
    options.features.every((name) => name === options.text) &&
    options.encoding === 'utf-8' &&
    options.decimal !== 'comma' &&
    options.splitColumn === undefined &&
    (options.calibrate === 'auto' || options.calibrate === 'none') &&
    options.alpha !== 'auto' &&
    !options.smoothing?.includes('reproducible');
  const [name] = names;
  const lines = options.format === 'jsonl' || (options.format === undefined && /\.(jsonl|ndjson)$/i.test(name));
  if (!plain || !lines || names.length !== 1 || name === '-') return undefined;
  const path = resolve(io.cwd, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size >= LEAST_BYTES ? path : undefined;
}

async function count(context: Fit, path: string, crew: Crew): Promise<CountedLesson | undefined> {
  const { options, progress } = context;
  const found = await headAndRoles(path, options);
  if (!found) return undefined;
  const { head, target, text } = found;
  const vectorizer = makeVectorizer(wordOptions(context)) as CountVectorizer;
  const plan = { text, label: target, presence: options.model === 'bernoulli', analyzer: analyzerOptions(vectorizer) };
  const onProgress = (bytes: number, total: number) =>
    progress.step(texts.phases.reading(), { share: bytes / total, bytes });
  const counted = await countFile(path, head, { ...plan, onProgress }, crew);
  const { rows } = counted;
  const labels = rows.map((row) => (isBlank(cellOf(row, target)) ? '' : String(cellOf(row, target))));
  if (labels.includes('') || new Set(labels).size > MANY_CLASSES) return undefined;
  const guess = options.target === undefined ? profileRows(sample(rows)).target : undefined;
  if (options.target === undefined && guess?.name !== target) return undefined;
  const schema = options.text === undefined ? inferSchema(rows, { target }) : undefined;
  if (schema && textAlone(schema) !== text) return undefined;
  if (guess) context.print.talk(texts.fit.guessed(safe(target), guess.reason));
  return {
    source: counted,
    crew,
    rows,
    target,
    labels,
    guessed: guess?.reason,
    counted,
    schema,
  };
}

interface Roles {
  readonly target: string;
  readonly text: string;
}

/** The first rows up to those that tell the kind of the text, and which column is what; nothing where that is not clear. */
async function headAndRoles(
  path: string,
  { target, text }: Fit['options'],
): Promise<(Roles & { head: readonly DataRow[] }) | undefined> {
  const head: DataRow[] = [];
  const seen = new Set<string>();
  let roles: Roles | undefined;
  const asked = target !== undefined && text !== undefined; // then no more than the names of the columns is needed
  for await (const { rows, last } of headOf(path, HEAD_BYTES, asked)) {
    if (!rows.every(isRecord)) return undefined;
    roles ??= rolesOf(rows, target, text);
    if (!roles) return undefined;
    if (asked && rows.length > 0) return { ...roles, head: rows.slice(0, 1) };
    for (const row of rows) {
      head.push(row);
      const cell = cellOf(row, roles.text);
      if (!isBlank(cell)) seen.add(wordOf(cell));
      if (seen.size === ENOUGH_TEXTS) return { ...roles, head };
    }
    if (last) return { ...roles, head };
  }
  return undefined;
}

const isRecord = (row: unknown): boolean => typeof row === 'object' && row !== null && !Object.hasOwn(row, '__proto__');

/** Which column is the label and which the one text, by the first rows. */
function rolesOf(rows: readonly DataRow[], given: string | undefined, text: string | undefined): Roles | undefined {
  if (rows.length === 0) return undefined;
  const columns = Object.keys(rows[0]);
  const target = given ?? profileRows(rows).target?.name;
  if (target === undefined || !columns.includes(target) || target === text) return undefined;
  const own = text ?? textAlone(inferSchema(rows, { target }));
  return own !== undefined && columns.includes(own) ? { target, text: own } : undefined;
}

/** The column of text, where there is exactly one. */
function textAlone({ columns }: Schema): string | undefined {
  const found = columns.filter(({ kind, role }) => kind === 'text' && role === 'feature');
  return found.length === 1 ? found[0].name : undefined;
}

/** What the vectorizer of a classifier is made of. */
function wordOptions(context: Fit): Record<string, unknown> {
  const { stopWords } = learnOptions(context) as { stopWords?: unknown };
  return stopWords === undefined ? {} : { stopWords };
}
