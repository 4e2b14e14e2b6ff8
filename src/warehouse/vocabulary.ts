import { grown } from '../data/grown.ts';
import { compareCodePoints } from '../data/order.ts';
import type { ColumnBatch } from '../engines/engine.ts';
import { refuse } from '../errors.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { readerOf } from '../text/analyze.ts';
import { Columns } from '../text/columns.ts';
import { encodeTerms } from '../text/encoded.ts';
import { keepsAll, keptColumns, pruneRule, toDocuments } from '../text/prune.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import type { Classes } from './classes.ts';
import type { Wanted } from './text-query.ts';

/** Terms by class as counted by an engine: entry k is the count of the term ids[k] in class places[k]. */
export interface Lexicon extends Omit<ReadTerms, 'values'> {
  readonly documents: number;
  readonly tf: Float64Array;
  readonly df: Float64Array;
  /** Whether pruned terms stayed in the engine. */
  readonly pruned: boolean;
}

/** A vocabulary, and the column of each term of the lexicon; −1 if it has none. */
export interface Columned {
  readonly vocabulary: Vocabulary;
  readonly columns: Int32Array;
}

/** Numbers of terms by class, as an engine returns them: entry k is about the term ids[k] in class places[k]. */
export interface ReadTerms {
  /** The terms in order; a term is identified by its index here. */
  readonly terms: readonly string[];
  readonly length: number;
  readonly ids: Uint32Array;
  readonly places: Int32Array;
  /** One array for each number of a row. */
  readonly values: readonly Float64Array[];
}

/** Reads rows of label, term and `count` numbers, in the order of the terms. Terms that are not `wanted` are skipped. */
export async function readTerms(
  batches: AsyncIterable<ColumnBatch>,
  count: number,
  placeOf: Classes['placeOf'],
  wanted?: ReadonlySet<string> | null,
): Promise<ReadTerms> {
  const terms: string[] = [];
  let [ids, places] = [new Uint32Array(1024), new Int32Array(1024)];
  let values = Array.from({ length: count }, () => new Float64Array(1024));
  let length = 0;
  for await (const { rows, columns } of batches) {
    const [labels, words, ...numbers] = columns as [string[], string[], ...Float64Array[]];
    [ids, places] = [grown(ids, length + rows), grown(places, length + rows)];
    values = values.map((own) => grown(own, length + rows));
    for (let i = 0; i < rows; i++) {
      if (wanted && !wanted.has(words[i])) continue;
      addTerm(terms, words[i]);
      ids[length] = terms.length - 1;
      places[length] = placeOf(labels[i]);
      for (let k = 0; k < count; k++) values[k][length] = numbers[k][i];
      length++;
    }
  }
  return { terms, length, ids, places, values };
}

/**
 * Reads the result of an engine: label, term, tf, df, in the order of the terms. `ask` runs the query for the terms that
 * are wanted; others never leave the engine.
 */
export async function readWords(
  vectorizer: CountVectorizer,
  { placeOf }: Classes,
  documents: number,
  ask: (wanted: Wanted) => AsyncIterable<ColumnBatch>,
): Promise<Lexicon> {
  const options = vectorizer.getParams();
  const given = options.vocabulary && new Set(options.vocabulary);
  const { minDf, maxDf, maxFeatures } = pruneRule(options);
  const least = given ? 0 : toDocuments(minDf, documents);
  const most = given || ('share' in maxDf && maxDf.share === 1) ? Infinity : toDocuments(maxDf, documents);
  const limit = given ? null : maxFeatures;
  const wanted: Wanted = { least, most, limit, by: options.binary ? 'df' : 'tf' };
  const { values, ...read } = await readTerms(ask(wanted), 2, placeOf, given);
  const pruned = least > 1 || most < Infinity || (limit !== null && read.terms.length >= limit);
  return { documents, ...read, tf: values[0], df: values[1], pruned };
}

/** Adds a term that differs from the last one; terms must be in order, or a term would get two columns. */
function addTerm(terms: string[], term: string): void {
  const last = terms[terms.length - 1];
  if (term === last) return;
  if (last !== undefined && compareCodePoints(last, term) > 0) {
    refuse(
      'E_ENGINE_QUERY',
      'the engine sorts texts by other rules than code points, so its terms cannot be identified',
    );
  }
  terms.push(term);
}

/** The vocabulary that the vectorizer would have learned from the same documents. */
export function vocabularyFrom(vectorizer: CountVectorizer, lexicon: Lexicon): Columned {
  const options = vectorizer.getParams();
  const { documents, terms, length, ids, pruned } = lexicon;
  const [df, tf] = [new Float64Array(terms.length), new Float64Array(terms.length)];
  for (let k = 0; k < length; k++) {
    df[ids[k]] += lexicon.df[k];
    tf[ids[k]] += options.binary ? lexicon.df[k] : lexicon.tf[k];
  }
  if (!options.vocabulary && terms.length === 0 && !pruned) {
    refuse('E_EMPTY_INPUT', 'the vocabulary is empty; perhaps the documents contain only stop words', { features: 0 });
  }
  const rule = pruneRule(options);
  const all = options.vocabulary !== null || keepsAll(rule);
  const kept = all ? Uint32Array.from(terms.keys()) : keptColumns(df, tf, documents, rule);
  const reader = readerOf(options);
  const listed = options.vocabulary ?? Array.from(kept, (id) => terms[id]);
  const columns = new Columns(reader, reader.idsOf(encodeTerms(listed)));
  const counts = { documents, df: new Float64Array(reader.size), tf: new Float64Array(reader.size) };
  const placed = new Int32Array(terms.length).fill(-1);
  const fixed = options.vocabulary && new Map(options.vocabulary.map((term, j) => [term, j]));
  kept.forEach((id, k) => {
    const j = fixed ? (fixed.get(terms[id]) as number) : k;
    placed[id] = j;
    counts.df[columns.ids[j]] = df[id];
    counts.tf[columns.ids[j]] = tf[id];
  });
  const dropped = !fixed && (pruned || kept.length < terms.length);
  return { vocabulary: new Vocabulary(reader, columns, fixed !== null, counts, dropped), columns: placed };
}
