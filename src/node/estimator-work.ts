import { labelsOf } from '../auto/records.ts';
import { TextPool } from '../auto/text-pool.ts';
import type { State } from '../core/artifact.ts';
import type { BlockTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse, show } from '../errors.ts';
import type { CategoricalNB } from '../estimators/categorical-nb.ts';
import type { CountedTextState } from '../estimators/counted-text.ts';
import { restoreState } from '../estimators/load.ts';
import type { Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import type { Document } from '../text/documents.ts';
import { cores, type DocumentPiece, type Piece, runPool, type Work } from './pool.ts';
import { type OpenTable, openTable } from './table.ts';

/** The input of a thread that fits an estimator. */
interface EstimatorSetup {
  /** An unfitted estimator. */
  readonly state: State;
  readonly label: string;
  /** The document column of a pipeline; undefined for an estimator of columns. */
  readonly text: string | undefined;
  readonly columns: readonly string[];
  /** Whether every cell of the label column is a label, blank texts too. Default: blank ones are refused. */
  readonly labelled?: boolean | undefined;
  /** The column of weights. Default: every row has weight 1. */
  readonly weight?: string | undefined;
}

/** Fits an estimator of documents or of columns to tables. */
class EstimatorWork implements Work<number, Fittable | SentPart> {
  private readonly setup: EstimatorSetup;
  private readonly estimator: Fittable;

  constructor(setup: EstimatorSetup) {
    this.setup = setup;
    this.estimator = restoreFittable(setup.state, setup.text);
  }

  take(tables: Iterable<BlockTable>): number {
    const { label, labelled, text, columns, weight } = this.setup;
    let rows = 0;
    for (const table of tables) {
      const own = columns.map((name) => [name, table.column(name).cells()]);
      const X = text === undefined ? Object.fromEntries(own) : table.column(text).documents();
      const y = labelled ? table.column(label).cells() : labelsOf(table, label);
      const options = weight === undefined ? {} : { sampleWeight: table.column(weight).numbers().values };
      if (this.estimator.learnPart) this.estimator.learnPart(X as never, y as never, options);
      else this.estimator.partialFit(X as never, y as never, options);
      rows += table.length;
    }
    return rows;
  }

  end(sent: boolean): Fittable | SentPart {
    if (!sent) return this.estimator;
    return { state: this.setup.state, counts: this.estimator.toCounts?.() ?? this.estimator.toState() };
  }
}

/** What another thread has learned: words as their counts alone, everything else as the state of the estimator. */
interface SentPart {
  /** The unfitted estimator. */
  readonly state: State;
  readonly counts: CountedTextState | State;
}

/** Adds what a thread has learned. */
function addPart(estimator: Fittable, part: Fittable | SentPart, text: string | undefined): void {
  if ('toState' in part) estimator.merge(part as never);
  else if ('kind' in part.counts) estimator.merge(restoreFittable(part.counts, text) as never);
  else if (!estimator.addCounts?.(part.counts)) {
    const other = restoreState(part.state) as Fittable;
    other.addCounts?.(part.counts);
    estimator.merge(other as never);
  }
}

interface Weighted {
  readonly sampleWeight?: Float64Array;
}

interface Fittable {
  learnPart?(X: never, y: never, options?: Weighted): unknown;
  partialFit(X: never, y: never, options?: Weighted): unknown;
  merge(other: never): unknown;
  toState(): State;
  toCounts?(): CountedTextState | undefined;
  addCounts?(counts: CountedTextState): boolean;
}

/** An ensemble of text, as an estimator of documents. */
export class TextEnsemble implements Fittable {
  readonly pool: TextPool;

  constructor(pool: TextPool) {
    this.pool = pool;
  }

  partialFit(X: readonly Document[], y: readonly Label[], { sampleWeight }: Weighted = {}): void {
    this.pool.changeBy('partialFit', X, y, sampleWeight)();
  }

  merge(other: TextEnsemble): void {
    this.pool.mergeLater(other.pool)();
  }

  toState(): State {
    return this.pool.saved();
  }
}

function restoreFittable(state: State, text: string | undefined): Fittable {
  if (state.kind !== 'TextPool') return restoreState(state) as Fittable;
  return new TextEnsemble(TextPool.fromState({ name: text as string }, state, []));
}

/** The work of the library's threads, by name. */
export const works = { estimator: (setup: EstimatorSetup) => new EstimatorWork(setup) } as const;

/** How a file is read. */
export interface FileFitOptions {
  readonly label: string;
  readonly text?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly header?: boolean | 'sniff' | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytesRead: number, bytesTotal: number) => void) | undefined;
}

/** Fits an estimator with integer sums to a file, on every core: the order of additions cannot change the result. */
export async function fitFile<E extends Pipeline<readonly Step[]> | CategoricalNB>(
  path: string,
  estimator: E,
  { label, text, delimiter, header, threads, signal, onProgress }: FileFitOptions,
): Promise<E> {
  requireGoing(signal);
  const reading = { ...(delimiter !== undefined && { delimiter }), ...(header !== undefined && { header }) };
  const table = await openTable(path, { ...reading, ...(signal && { signal }), empty: 'refuse' });
  for (const name of text === undefined ? [label] : [label, text]) await requireName(table, name);
  const columns = text === undefined ? table.columns.filter((name) => name !== label) : [];
  let done = 0;
  const fitted = await fitPieces(piecesOf(table), estimator, {
    ...{ label, text, columns, threads, signal },
    bytes: table.bytesTotal,
    onFound: () => onProgress?.((done = Math.max(done, table.bytesRead)), table.bytesTotal ?? done),
  });
  return fitted as E; // a file without rows was refused
}

/** Fits an estimator with integer sums to pieces, on every core; undefined if there were none. */
export async function fitPieces<E extends Fittable>(
  pieces: AsyncIterable<Piece | DocumentPiece>,
  estimator: E,
  { threads, bytes, signal, onFound, ...setup }: PiecesOptions,
): Promise<E | undefined> {
  const totals = await runPool(pieces, {
    worker: new URL(`./block-worker${import.meta.url.slice(-3)}`, import.meta.url),
    name: 'estimator',
    make: works.estimator,
    setup: { state: estimator.toState(), ...setup },
    threads: threads ?? cores(),
    bytes: threads === undefined ? bytes : undefined,
    signal,
    onFound,
  });
  const [first, ...others] = totals as [Fittable | undefined, ...(Fittable | SentPart)[]]; // the first piece is counted here
  for (const other of others) addPart(first as Fittable, other, setup.text);
  return first as E | undefined;
}

/** How pieces are read, and by how many threads; `bytes` is their size, Infinity if it is unknown. */
interface PiecesOptions extends Omit<EstimatorSetup, 'state'> {
  readonly threads?: number | undefined;
  readonly bytes: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onFound?: (() => void) | undefined;
}

async function requireName(table: OpenTable, name: string): Promise<void> {
  if (table.columns.includes(name) || table.columns.length === 0) return;
  await table.close();
  if (table.bytesTotal === 0) refuse('E_EMPTY_INPUT', `${show(table.name)} is empty`, { rows: 0 });
  refuse('E_FEATURE_MISSING', `there is no column ${show(name)}`, { feature: name });
}

async function* piecesOf(table: OpenTable): AsyncGenerator<Piece> {
  const { layout } = table;
  let index = 0;
  if (layout)
    for await (const block of table.blocks())
      yield { index: index++, file: 0, block, layout, release: (bytes = block.bytes) => table.release({ bytes }) };
  else for await (const own of table.tables()) yield { index: index++, file: 0, tables: [own] };
}
