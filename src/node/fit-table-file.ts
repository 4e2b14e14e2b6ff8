import { open } from 'node:fs/promises';
import { setImmediate as breath } from 'node:timers/promises';
import { addLevelCounts, type LevelCounts } from '../data/level-counter.ts';
import { Crew, cores } from '../engines/workers.ts';
import { refuse } from '../errors.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { learnedLevels, requireCountableLevels } from '../estimators/counted-levels.ts';
import { countLevelTasks, type LevelTasks } from './level-tasks.ts';
import { type OpenTable, openTable } from './table.ts';
import { wholeLines } from './whole-lines.ts';
import { taskList } from './word-tasks.ts';

/** How a classifier is fitted to a table of text. */
export interface FitTableFileOptions {
  /** The column of labels. */
  readonly target: string;
  /** What learns; its `alpha` is a number. `new CategoricalNB()` unless told. */
  readonly classifier?: CategoricalNB;
  /** The delimiter; sniffed unless given. */
  readonly delimiter?: string;
  /** Whether the first row has the names; sniffed unless told. */
  readonly header?: boolean | 'sniff';
  /** Threads; as many as there are cores unless told. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
}

const WORTH_A_THREAD = 8 << 20; // starting a thread costs about as much as counting this much

/**
 * Learns to classify from a plain file of CSV whose columns are all levels, and which may be larger than memory: cells are counted as
 * bytes on every core. The classifier is the one that `fit` on the rows of the file would give, whatever the number of threads; a
 * file that is out of the ordinary is read row by row.
 */
export async function fitTableFile(path: string, options: FitTableFileOptions): Promise<CategoricalNB> {
  const { target, classifier = new CategoricalNB(), delimiter, header = 'sniff', signal } = options;
  requireCountableLevels(classifier);
  const table = await openTable(path, {
    ...{ header, ...(delimiter !== undefined && { delimiter }) },
    ...(signal && { signal }),
  });
  const { columns } = table;
  const place = columns.indexOf(target);
  if (place < 0) refuse('E_FEATURE_MISSING', `there is no column ${JSON.stringify(target)}`, { feature: target });
  const counts = await countLevels(path, table, place, options);
  if (!counts) return fitRows(table, classifier, target);
  await table.close();
  if (counts.rows === 0) refuse('E_EMPTY_INPUT', 'the file has no row', { rows: 0 });
  const names = columns.filter((name) => name !== target);
  return learnedLevels(classifier, names, counts);
}

/** Counts the cells of a table of text, of which one column has the labels; nothing where it has to be read row by row. */
export async function countLevels(
  path: string,
  { format, encoding, compressed, delimiter = ',', header = true, columns }: OpenTable,
  target: number,
  options: Pick<FitTableFileOptions, 'threads' | 'signal' | 'onProgress'>,
): Promise<LevelCounts | undefined> {
  if (!/^[ct]sv$/.test(format) || encoding !== 'utf-8' || compressed || columns.length < 2) return undefined;
  const plan = { delimiter, header, columns: columns.length, target };
  const borders = wholeLines(path);
  borders[0] = await markLength(path);
  const counts = await countRanges({ path, borders, next: taskList(), plan }, options);
  if (counts || borders.length <= 2) return counts;
  // a line may end inside of a cell: then ranges do not begin where rows do, and the file is one
  const whole = Float64Array.of(borders[0], borders.at(-1)!);
  return countRanges({ path, borders: whole, next: taskList(), plan }, { ...options, threads: 1 });
}

/** Counts ranges here and on threads; nothing where one of them is strange. */
async function countRanges(
  tasks: LevelTasks,
  { threads = cores(), signal, onProgress }: Pick<FitTableFileOptions, 'threads' | 'signal' | 'onProgress'>,
): Promise<LevelCounts | undefined> {
  const total = tasks.borders.at(-1)!;
  const worker = new URL(`level-worker${import.meta.url.slice(-3)}`, import.meta.url);
  const crew = new Crew(worker, total < WORTH_A_THREAD ? 0 : Math.max(0, threads - 1));
  let done = 0;
  const onNote = (bytes: number) => onProgress?.((done += bytes), total);
  try {
    const others = crew.ask<LevelTasks, LevelCounts | null>(
      Array.from({ length: crew.size }, () => tasks),
      { onNote, ...(signal && { signal }) },
    );
    const [own, answers] = await Promise.all([countHere(tasks, onNote, signal), others]);
    const parts = [own, ...answers].filter((part) => part !== undefined && part !== null);
    return parts.length === crew.size + 1 ? addLevelCounts(parts) : undefined;
  } finally {
    Atomics.store(tasks.next, 0, tasks.borders.length); // nobody takes another
    crew.dismiss();
  }
}

/** How long the mark of UTF-8 is with which the file begins, if it does. */
async function markLength(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(3), 0, 3, 0);
    return bytesRead === 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
  } finally {
    await file.close();
  }
}

async function countHere(
  tasks: LevelTasks,
  onNote: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<LevelCounts | undefined> {
  const counting = countLevelTasks(tasks);
  for (;;) {
    if (signal?.aborted) refuse('E_CANCELLED', 'counting was cancelled');
    const step = counting.next();
    if (step.done) return step.value;
    onNote(step.value);
    await breath();
  }
}

/** The plain way, row by row, which also knows how to refuse a file. */
async function fitRows(table: OpenTable, classifier: CategoricalNB, target: string): Promise<CategoricalNB> {
  const learned = classifier.clone();
  for await (const { rows } of table.chunks()) {
    const labels = rows.map((row) => String(row[target]));
    const features = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== target)));
    learned.partialFit(features, labels);
  }
  return learned;
}
