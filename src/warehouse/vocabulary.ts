import { grown } from '../data/grown.ts';
import { compareCodePoints } from '../data/order.ts';
import type { ColumnBatch } from '../engines/engine.ts';
import { refuse } from '../errors.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { readerOf } from '../text/analyze.ts';
import { Columns } from '../text/columns.ts';
import { encodeTerms } from '../text/encoded.ts';
import { keepsAll, keptColumns, pruneRule, toDocuments } from '../text/prune.ts';
import type { Reader } from '../text/reader.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import type { Classes } from './classes.ts';
import type { Wanted } from './text-query.ts';

/** Terms by class as counted by an engine: the values of a part are tf and df. */
export interface Lexicon extends ReadTerms {
  readonly documents: number;
  readonly reader: Reader;
  /** Whether pruned terms stayed in the engine. */
  readonly pruned: boolean;
}

/** A vocabulary, and the column of each term of the lexicon; −1 if it has none. */
export interface Columned {
  readonly vocabulary: Vocabulary;
  readonly columns: Int32Array;
}

/** Numbers of terms by class, as an engine returns them. */
export interface ReadTerms {
  /** The id of each term in the reader, in the order of the terms. */
  readonly terms: Uint32Array;
  /** The rows in parts, because arrays that grow would be twice as large. */
  readonly parts: readonly TermPart[];
}

/** Some rows: entry k is about the term terms[ids[k]] in class places[k], with one array for each number. */
export interface TermPart {
  readonly ids: Uint32Array;
  readonly places: Int32Array;
  readonly values: readonly Float64Array[];
}

/**
 * Reads rows of label, term and numbers, in the order of the terms, which the reader learns: millions of them are kept as bytes. Terms that
 * are not `wanted` are skipped.
 */
export async function readTerms(
  batches: AsyncIterable<ColumnBatch>,
  placeOf: Classes['placeOf'],
  reader: Reader,
  wanted?: ReadonlySet<string> | null,
): Promise<ReadTerms> {
  let terms = new Uint32Array(1024);
  let size = 0;
  let last: string | undefined;
  const parts: TermPart[] = [];
  for await (const { columns } of batches) {
    const [labels, words, ...numbers] = columns as [string[], string[], ...Float64Array[]];
    const rows = [...words.keys()].filter((i) => !wanted || wanted.has(words[i]));
    const fresh: string[] = [];
    const ids = Uint32Array.from(rows, (i) => {
      if (words[i] !== last) {
        requireOrder(last, words[i]);
        last = words[i];
        fresh.push(last);
      }
      return size + fresh.length - 1;
    });
    const places = Int32Array.from(rows, (i) => placeOf(labels[i]));
    parts.push({ ids, places, values: numbers.map((own) => Float64Array.from(rows, (i) => own[i])) });
    terms = grown(terms, size + fresh.length);
    terms.set(reader.idsOf(encodeTerms(fresh)), size);
    size += fresh.length;
  }
  return { terms: terms.subarray(0, size), parts };
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
  const reader = readerOf(options);
  const given = options.vocabulary && new Set(options.vocabulary);
  const { minDf, maxDf, maxFeatures } = pruneRule(options);
  const least = given ? 0 : toDocuments(minDf, documents);
  const most = given || ('share' in maxDf && maxDf.share === 1) ? Infinity : toDocuments(maxDf, documents);
  const limit = given ? null : maxFeatures;
  const wanted: Wanted = { least, most, limit, by: options.binary ? 'df' : 'tf' };
  const read = await readTerms(ask(wanted), placeOf, reader, given);
  const pruned = least > 1 || most < Infinity || (limit !== null && read.terms.length >= limit);
  return { documents, reader, ...read, pruned };
}

/** Throws for terms that are not in order, because a term would get two columns. */
function requireOrder(last: string | undefined, term: string): void {
  if (last === undefined || compareCodePoints(last, term) <= 0) return;
  refuse('E_ENGINE_QUERY', 'the engine sorts texts by other rules than code points, so its terms cannot be identified');
}

/** The vocabulary that the vectorizer would have learned from the same documents. */
export function vocabularyFrom(vectorizer: CountVectorizer, lexicon: Lexicon): Columned {
  const options = vectorizer.getParams();
  const { documents, reader, terms, parts, pruned } = lexicon;
  const [df, tf] = [new Float64Array(terms.length), new Float64Array(terms.length)];
  for (const { ids, values } of parts) {
    ids.forEach((id, k) => {
      df[id] += values[1][k];
      tf[id] += values[options.binary ? 1 : 0][k];
    });
  }
  const fixed = options.vocabulary;
  if (!fixed && terms.length === 0 && !pruned) {
    refuse('E_EMPTY_INPUT', 'the vocabulary is empty; perhaps the documents contain only stop words', { features: 0 });
  }
  const rule = pruneRule(options);
  const kept = fixed || keepsAll(rule) ? Uint32Array.from(terms.keys()) : keptColumns(df, tf, documents, rule);
  const columns = new Columns(reader, fixed ? reader.idsOf(encodeTerms(fixed)) : kept.map((k) => terms[k]));
  const counts = { documents, df: new Float64Array(reader.size), tf: new Float64Array(reader.size) };
  for (const k of kept) {
    counts.df[terms[k]] = df[k];
    counts.tf[terms[k]] = tf[k];
  }
  const dropped = !fixed && (pruned || kept.length < terms.length);
  const vocabulary = new Vocabulary(reader, columns, fixed !== null, counts, dropped);
  return { vocabulary, columns: Int32Array.from(terms, (id) => columns.place(id)) };
}
