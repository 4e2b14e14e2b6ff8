import type { Label } from '../data/labels.ts';
import type { EngineColumn, SqlEngine } from '../engines/engine.ts';
import { quoteIdentifier } from '../engines/sql/dialect.ts';
import { column, rowsOf } from '../engines/sql/frame.ts';
import { refuseLabel, refuseWeights } from '../engines/sql/grouped.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline } from '../estimators/pipeline.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { requireDecoded } from '../text/documents.ts';
import { keepsAll, pruneRule } from '../text/prune.ts';
import { sortLabels } from './classes.ts';
import { labelOf, type Opened } from './source.ts';

/** Labelled texts, and their weights if rows have some. */
export interface TextBatch {
  /** Texts in UTF-8, as DuckDB has them: strings would be decoded and encoded again. */
  readonly texts: readonly Uint8Array[];
  readonly labels: readonly Label[];
  readonly weights: Float64Array | undefined;
}

/** The number of bytes counted at once. */
const BYTES_AT_ONCE = 2 ** 22;

const EMPTY = new Uint8Array();

/**
 * Whether the rows are read in this process anyway: then its own counter takes the texts, at a seventh of the processor
 * time of SQL and with every option of a vectorizer.
 */
export const readsTextsHere = ({ dialect }: SqlEngine): boolean => dialect === 'duckdb';

/** The texts of a column in batches; throws for rows without a label, with an invalid weight, and without a text unless they count as empty. */
export async function* textBatches(
  { frame, target }: Opened,
  { name }: EngineColumn,
  lenient: boolean,
): AsyncGenerator<TextBatch> {
  const { engine, options, weight } = frame;
  const { text, double } = wordsOf(engine.dialect);
  const [y, w, x] = ['y', 'w', 'x0'].map((own) => column(frame, own));
  const listed = [y, x, ...(weight === undefined ? [] : [double(w)])].join(', ');
  const sql = `SELECT ${listed} FROM ${rowsOf(frame, [`encode(${text(quoteIdentifier(engine.dialect, name))})`])}`;
  const labelsOf = new Map<string, Label>();
  const missing = { labels: 0, weights: 0, texts: 0 };
  let [texts, labels, weights, bytes]: [Uint8Array[], Label[], number[], number] = [[], [], [], 0];
  const taken = (): TextBatch => {
    const batch = { texts, labels, weights: weight === undefined ? undefined : Float64Array.from(weights) };
    [texts, labels, weights, bytes] = [[], [], [], 0];
    return batch;
  };
  for await (const { rows, columns } of engine.query(sql, { ...options, streamed: true })) {
    const [own, cells, numbers] = columns as [(string | null)[], (Uint8Array | null)[], Float64Array];
    for (let i = 0; i < rows; i++) {
      const label = own[i];
      const cell = cells[i] ?? (lenient ? EMPTY : undefined);
      if (label === null) missing.labels++;
      else if (numbers && !(numbers[i] >= 0 && numbers[i] < Infinity)) missing.weights++;
      else if (cell === undefined) missing.texts += numbers ? numbers[i] : 1;
      else {
        if (!labelsOf.has(label)) labelsOf.set(label, labelOf(label, target));
        texts.push(cell);
        labels.push(labelsOf.get(label) as Label);
        if (numbers) weights.push(numbers[i]);
        bytes += cell.length;
      }
    }
    if (bytes >= BYTES_AT_ONCE) yield taken();
  }
  if (missing.labels > 0) refuseLabel(missing.labels);
  if (missing.weights > 0) refuseWeights(missing.weights);
  if (missing.texts > 0) refuseAbsent(name, missing.texts);
  if (texts.length > 0) yield taken();
}

/** Throws for rows without a text. */
export function refuseAbsent(name: string, rows: number): never {
  return refuse('E_TYPE', `column ${show(name)} has ${rows} rows without a text; leave them out of the table`, {
    column: name,
    rows,
  });
}

/** The counted words of a text column. */
export interface CountedWords {
  /** A vectorizer with these words as vocabulary. */
  readonly vectorizer: CountVectorizer;
  readonly classes: readonly Label[];
  readonly stats: Sums;
}

/** Counts the words of a text column with the library's own counter. */
export async function streamWords(
  vectorizer: CountVectorizer,
  opened: Opened,
  text: EngineColumn,
  counts: 'tf' | 'df',
): Promise<CountedWords> {
  const options = vectorizer.getParams();
  requireDecoded(options);
  const own = counts === 'df' ? new BernoulliNB() : new MultinomialNB();
  const pipeline = makePipeline(new CountVectorizer(options), own);
  let rows = 0;
  for await (const { texts, labels, weights: sampleWeight } of textBatches(opened, text, false)) {
    pipeline.partialFit(texts, labels as never, { sampleWeight });
    rows += texts.length;
  }
  if (rows === 0) sortLabels([], opened.target);
  const rule = pruneRule(options);
  const isWhole = options.vocabulary !== null || keepsAll(rule);
  const [words, model] = (isWhole ? pipeline : pipeline.prune(rule)).steps;
  const { classes, classCount, featureCount } = model;
  const stats = sums.empty({ classes: classes.length, features: featureCount.cols });
  stats.n.set(classCount);
  stats.s.set(featureCount.data);
  return { vectorizer: words, classes, stats };
}
