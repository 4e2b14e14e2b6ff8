import { BLOCK_BYTES } from '../data/blocks.ts';
import type { Label } from '../data/labels.ts';
import type { EngineColumn, SqlEngine } from '../engines/engine.ts';
import { quoteIdentifier } from '../engines/sql/dialect.ts';
import { ask, column as nameOf, rowsOf } from '../engines/sql/frame.ts';
import { refuseLabel, refuseWeights } from '../engines/sql/grouped.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { refuseWordless } from '../estimators/counted-text.ts';
import type { Learned } from '../estimators/learned.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline } from '../estimators/pipeline.ts';
import { fitPieces } from '../node/estimator-work.ts';
import type { DocumentPiece } from '../node/pool.ts';
import type { Sums } from '../stats/sums.ts';
import { requireDecoded } from '../text/documents.ts';
import { keepsAll, pruneRule } from '../text/prune.ts';
import { sortLabels } from './classes.ts';
import type { NarrowCounts } from './engine-counts.ts';
import { labelOf, type Opened } from './source.ts';

/** The names of the columns of a block: the text as in the table, its label, its weight. */
const namesOf = ({ name }: EngineColumn) => [name, `${name}, label`, `${name}, weight`] as const;

/** The size of the buffer of a block; a longer text gets a larger one. */
const BUFFER_BYTES = 2 * BLOCK_BYTES;

const EMPTY = new Uint8Array();

/**
 * Whether the rows are read in this process anyway: then its own counter takes the texts, at a seventh of the processor
 * time of SQL and with every option of a vectorizer.
 */
export const readsTextsHere = ({ dialect }: SqlEngine): boolean => dialect === 'duckdb';

/** The texts of a column in blocks; throws for rows without a label, with an invalid weight, and without a text unless they count as empty. */
async function* textBlocks(
  { frame, target }: Opened,
  column: EngineColumn,
  lenient: boolean,
): AsyncGenerator<DocumentPiece> {
  const { engine, weight } = frame;
  const { text, double } = wordsOf(engine.dialect);
  const [y, w, x] = ['y', 'w', 'x0'].map((own) => nameOf(frame, own));
  const listed = [y, x, ...(weight === undefined ? [] : [double(w)])].join(', ');
  const sql = `SELECT ${listed} FROM ${rowsOf(frame, [`encode(${text(quoteIdentifier(engine.dialect, column.name))})`])}`;
  const labelsOf = new Map<string, Label>();
  const missing = { labels: 0, weights: 0, texts: 0 };
  const free: Uint8Array<ArrayBuffer>[] = [];
  const names = namesOf(column).slice(0, weight === undefined ? 2 : 3);
  let index = 0;
  let [bytes, size] = [new Uint8Array(BUFFER_BYTES), 0];
  let [ends, labels, weights]: [number[], Label[], number[]] = [[], [], []];
  const taken = () => {
    const cells = weight === undefined ? [labels] : [labels, weights];
    const documents = { names, bytes, ends: Uint32Array.from(ends), cells };
    [ends, labels, weights, size] = [[], [], [], 0];
    const release = (own = documents.bytes) => void free.push(new Uint8Array(own.buffer));
    bytes = free.pop() ?? new Uint8Array(BUFFER_BYTES);
    return { index: index++, file: 0, documents, release };
  };
  for await (const { rows, columns } of ask(frame, sql, true)) {
    const [own, cells, numbers] = columns as [(string | null)[], (Uint8Array | null)[], Float64Array];
    for (let i = 0; i < rows; i++) {
      const label = own[i];
      const cell = cells[i] ?? (lenient ? EMPTY : undefined);
      if (label === null) missing.labels++;
      else if (numbers && !(numbers[i] >= 0 && numbers[i] < Infinity)) missing.weights++;
      else if (cell === undefined) missing.texts += numbers ? numbers[i] : 1;
      else {
        if (!labelsOf.has(label)) labelsOf.set(label, labelOf(label, target));
        if (size + cell.length > bytes.length) {
          if (ends.length > 0) yield taken();
          if (cell.length > bytes.length) bytes = new Uint8Array(cell.length);
        }
        bytes.set(cell, size);
        ends.push((size += cell.length));
        labels.push(labelsOf.get(label) as Label);
        if (numbers) weights.push(numbers[i]);
      }
    }
  }
  if (missing.labels > 0) refuseLabel(missing.labels);
  if (missing.weights > 0) refuseWeights(missing.weights);
  if (missing.texts > 0) refuseAbsent(column.name, missing.texts);
  if (ends.length > 0) yield taken();
}

/** Throws for rows without a text. */
export function refuseAbsent(name: string, rows: number): never {
  return refuse('E_TYPE', `column ${show(name)} has ${rows} rows without a text; leave them out of the table`, {
    column: name,
    rows,
  });
}

/** Fits an estimator of documents to a text column, on every core; undefined if there are no rows. */
export function learnTexts<E extends Parameters<typeof fitPieces>[1]>(
  opened: Opened,
  column: EngineColumn,
  estimator: E,
  lenient: boolean,
): Promise<E | undefined> {
  const { engine, weight: weighed, options } = opened.frame;
  const [text, label, weight] = namesOf(column);
  return fitPieces(textBlocks(opened, column, lenient), estimator, {
    ...{ label, labelled: true, text, columns: [], weight: weighed && weight },
    threads: engine.threads,
    signal: options?.signal,
    bytes: Number.POSITIVE_INFINITY,
  });
}

/** The counted words of a text column. */
export interface CountedWords {
  /** A vectorizer with these words as vocabulary. */
  readonly vectorizer: CountVectorizer;
  readonly classes: readonly Label[];
  readonly stats: Sums | NarrowCounts;
}

/** Counts the words of a text column with the library's own counter, on every core. */
export async function streamWords(
  vectorizer: CountVectorizer,
  opened: Opened,
  text: EngineColumn,
  counts: 'tf' | 'df',
): Promise<CountedWords> {
  const options = vectorizer.getParams();
  requireDecoded(options);
  const model = counts === 'df' ? new BernoulliNB() : new MultinomialNB();
  const unfitted = makePipeline(new CountVectorizer(options), model);
  const pipeline = await learnTexts(opened, text, unfitted, false);
  if (!pipeline) return sortLabels([], opened.target) as never; // it throws
  if (pipeline.steps[0].known().columns.ids.length === 0) refuseWordless();
  const rule = pruneRule(options);
  const isWhole = options.vocabulary !== null || keepsAll(rule);
  const [words, fitted] = (isWhole ? pipeline : pipeline.prune(rule)).steps;
  const { classes, counts: own, ceiling } = fitted.peek() as Learned<Sums>;
  return { vectorizer: words, classes, stats: { counts: own, ceiling } };
}
