import { type DialectName, quoteString } from '../engines/sql/dialect.ts';

/**
 * How an engine splits a text into an array of words, transforms the array, and converts it to rows. Arguments are SQL.
 */
interface Arrays {
  /** The words of a text. */
  words(text: string, pattern: string): string;
  /** The words that are not on a list. */
  without(array: string, stops: readonly string[]): string;
  /** Runs of n words, joined by one space. */
  grams(array: string, n: number): string;
  concat(arrays: readonly string[]): string;
  /**
   * Rows of terms from rows with the column `a`: the columns `keys`, `term`, `n`, and `d`. For each term of a document,
   * the values of n add up to its number of occurrences, and those of d to 1.
   */
  rows(keys: string, from: string, q: Quote): string;
}

type Quote = (name: string) => string;

const arrays: Readonly<Record<DialectName, Arrays>> = {
  duckdb: {
    words: (text, pattern) => `regexp_extract_all(${text}, ${pattern})`,
    without: (array, stops) => `list_filter(${array}, lambda t: t NOT IN (${stops.join(', ')}))`,
    grams: (array, n) =>
      `list_transform(range(1, len(${array}) - ${n - 2}), lambda i: array_to_string(${array}[i:i + ${n - 1}], ' '))`,
    concat: (list) => list.reduce((all, next) => `list_concat(${all}, ${next})`),
    rows: (keys, from, q) =>
      `SELECT ${keys}, e.key AS ${q('term')}, e.value AS ${q('n')}, 1 AS ${q('d')} FROM (SELECT ${keys}, unnest(map_entries(list_histogram(${q('a')}))) AS e FROM ${from}) AS h`,
  },
  clickhouse: {
    words: (text, pattern) => `extractAll(assumeNotNull(${text}), ${pattern})`,
    without: (array, stops) => `arrayFilter(t -> NOT has([${stops.join(', ')}], t), ${array})`,
    grams: (array, n) =>
      `arrayMap(i -> arrayStringConcat(arraySlice(${array}, i, ${n}), ' '), arrayEnumerate(arraySlice(${array}, ${n})))`,
    concat: (list) => `arrayConcat(${list.join(', ')})`,
    rows: (keys, from, q) =>
      `SELECT ${keys}, ${q('term')}, 1 AS ${q('n')}, ${q('k')} = 1 AS ${q('d')} FROM (SELECT ${keys}, ${q('a')}, arrayEnumerateUniq(${q('a')}) AS ${q('u')} FROM ${from}) AS h ARRAY JOIN ${q('a')} AS ${q('term')}, ${q('u')} AS ${q('k')}`,
  },
  postgres: {
    words: (text, pattern) =>
      `ARRAY(SELECT m.a[1] FROM regexp_matches(${text}, ${pattern}, 'g') WITH ORDINALITY AS m(a, i) ORDER BY m.i)`,
    without: (array, stops) =>
      `ARRAY(SELECT t FROM unnest(${array}) WITH ORDINALITY AS u(t, i) WHERE t NOT IN (${stops.join(', ')}) ORDER BY u.i)`,
    grams: (array, n) =>
      `ARRAY(SELECT array_to_string((${array})[i:i + ${n - 1}], ' ') FROM generate_series(1, cardinality(${array}) - ${n - 1}) AS s(i) ORDER BY i)`,
    concat: (list) => list.join(' || '),
    rows: (keys, from, q) =>
      `SELECT ${keys}, c.term AS ${q('term')}, c.n AS ${q('n')}, 1 AS ${q('d')} FROM ${from} CROSS JOIN LATERAL (SELECT t AS term, count(*) AS n FROM unnest(${q('a')}) AS u(t) GROUP BY t) AS c`,
  },
  spark: {
    words: (text, pattern) => `regexp_extract_all(${text}, ${pattern}, 0)`,
    without: (array, stops) => `filter(${array}, t -> t NOT IN (${stops.join(', ')}))`,
    grams: (array, n) =>
      `transform(slice(${array}, ${n}, size(${array})), (t, i) -> array_join(slice(${array}, i + 1, ${n}), ' '))`,
    concat: (list) => `concat(${list.join(', ')})`,
    // each row carries its own word, not the whole array, which would be quadratic in the length of a document
    rows: (keys, from, q) =>
      `SELECT ${keys}, p.t AS ${q('term')}, 1 AS ${q('n')}, p.d AS ${q('d')} FROM (SELECT ${keys}, sort_array(${q('a')}) AS ${q('s')} FROM ${from}) AS h LATERAL VIEW explode(transform(${q('s')}, (t, i) -> struct(t AS t, IF(i > 0 AND element_at(${q('s')}, i) = t, 0, 1) AS d))) e AS p`,
  },
};

/** How the terms of texts are found inside an engine. */
export interface TermRules {
  /** Transformations of a text before words are found, in order. */
  readonly changes: readonly ((text: string) => string)[];
  /** The pattern of a word, quoted. */
  readonly pattern: string;
  readonly stopWords: readonly string[];
  readonly ngrams: readonly [lowest: number, highest: number];
}

/** The sort key for the order of code points; only PostgreSQL has a different default order. */
export const byCodePoint = (dialect: DialectName, term: string): string =>
  dialect === 'postgres' ? `${term} COLLATE "C"` : term;

/**
 * A query for rows of terms, from rows with the columns `keys` and a text `text`: see `Arrays.rows`. `q` quotes our own
 * names.
 */
export function termRows(
  dialect: DialectName,
  { changes, pattern, stopWords, ngrams: [lowest, highest] }: TermRules,
  keyColumns: readonly string[],
  text: string,
  rows: string,
  q: Quote,
): string {
  const { words, without, grams, concat, rows: explode } = arrays[dialect];
  const keys = keyColumns.join(', ');
  const a = q('a');
  let from = rows;
  const stage = (value: string, name: string, number: number) => {
    from = `(SELECT ${keys}, ${value} AS ${name} FROM ${from}) AS s${number}`;
  };
  let column = text;
  changes.forEach((change, k) => {
    stage(change(column), q(`t${k}`), k);
    column = q(`t${k}`);
  });
  stage(words(column, pattern), a, changes.length);
  const stops = stopWords.map((word) => quoteString(dialect, word));
  if (stops.length > 0) stage(without(a, stops), a, changes.length + 1);
  if (highest > 1) {
    const runs = Array.from({ length: highest - lowest + 1 }, (_, k) => (lowest + k === 1 ? a : grams(a, lowest + k)));
    stage(concat(runs), a, changes.length + 2);
  }
  return explode(keys, from, q);
}
