import type { PlanAnalysis, TermVector } from '../plan.ts';
import { cannotTranslate, type Graph } from './graph.ts';

/** The text input of a graph: counts of terms, lists of tokens, or the text itself. */
export type TextInput = 'counts' | 'tokens' | 'string';

/**
 * Whether the operators of onnxruntime find the same terms in every text: words as runs of letters, without a change of case,
 * accents or normal form, and with stop words only if terms are single words.
 */
function isFaithful(analysis: PlanAnalysis): boolean {
  return isSplittable(analysis) && !analysis.lowercase;
}

/** The same except for lower case, which operators do letter by letter: Σ at the end of a word and İ differ. */
function isSplittable({ unit, normalize, stripAccents, words, stopWords, ngrams }: PlanAnalysis): boolean {
  const plain = normalize === null && stripAccents === null && words.kind === 'runs';
  return unit === 'word' && plain && (stopWords.length === 0 || ngrams[1] === 1);
}

/** How a vector of terms is read: as asked for, or as text where that is faithful, and else as counts. */
export function textInputOf({ analysis, terms }: TermVector, asked: TextInput | undefined): TextInput {
  if (asked === undefined) return terms && isFaithful(analysis) ? 'string' : 'counts';
  if (asked === 'counts') return asked;
  if (!terms) return cannotTranslate('a hash of terms: give counts instead of text');
  const fits = asked === 'tokens' ? analysis.unit === 'word' : isSplittable(analysis);
  return fits ? asked : cannotTranslate(`this analysis of text from ${asked}: give counts instead`);
}

/** The counts of a vector of terms, as a table of doubles, of texts or of tokens. */
export function termCounts(
  graph: Graph,
  { analysis, terms, binary }: TermVector,
  mode: 'tokens' | 'string',
  given: string,
): string {
  let tokens = given;
  if (mode === 'string') {
    const lower = { case_change_action: 'LOWER', is_case_sensitive: 1 };
    const clean = analysis.lowercase ? graph.node('StringNormalizer', [given], lower) : given;
    const split = { mark: 0, mincharnum: 2, pad_value: PAD, tokenexp: '[\\p{L}\\p{N}_]+' };
    tokens = graph.node('Tokenizer', [clean], split, 'com.microsoft');
  }
  return count(graph, tokens, terms ?? [], analysis.ngrams, binary);
}

/** The padding of rows with fewer words than others; it has no letter, digit or underscore. */
const PAD = ' ';

/** Counts terms of one or several tokens; the vocabulary stands by the number of tokens. */
function count(
  graph: Graph,
  tokens: string,
  terms: readonly string[],
  range: readonly [number, number],
  binary: boolean,
): string {
  const [lowest, highest] = range;
  const pool: string[] = [];
  const starts: number[] = [];
  const columns: number[] = [];
  for (let n = 1; n <= highest; n++) {
    starts.push(pool.length);
    terms.forEach((term, j) => {
      const words = highest === 1 ? [term] : term.split(' ');
      if (words.length !== n) return;
      pool.push(...words);
      columns.push(j);
    });
  }
  const counts = graph.node('TfIdfVectorizer', [withPad(graph, tokens)], {
    mode: binary ? 'IDF' : 'TF',
    min_gram_length: lowest,
    max_gram_length: highest,
    max_skip_count: 0,
    ngram_counts: starts,
    ngram_indexes: columns,
    pool_strings: pool,
  });
  return graph.cast(counts, 'double');
}

/** One more column, so that a table of no tokens at all is still a table. */
function withPad(graph: Graph, tokens: string): string {
  const rows = graph.node('Gather', [graph.node('Shape', [tokens]), graph.integers(0)], { axis: 0 });
  const shape = graph.node('Concat', [rows, graph.integers(1)], { axis: 0 });
  const pad = graph.node('Expand', [graph.constant({ type: 'string', shape: [1, 1], values: [PAD] }), shape]);
  return graph.node('Concat', [tokens, pad], { axis: 1 });
}
