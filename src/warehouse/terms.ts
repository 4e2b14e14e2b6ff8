import { numberLiteral, quoteString, type SqlDialect } from '../engines/sql/dialect.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { fenceOf } from '../exchange/sql/query-builder.ts';

/**
 * How an engine splits a text into an array of words, transforms the array, and converts it to rows. Arguments are SQL.
 */
interface Arrays {
  /** The words of a text. */
  words(text: string, pattern: string): string;
  /** The words that are not on a list. */
  without(array: string, stops: readonly string[]): string;
  /** Runs of n tokens with a text between them. */
  grams(array: string, n: number, joint: string): string;
  /** The n-grams of the characters of each text of an array, which has a space put before and behind it. */
  inside(array: string, n: number): string;
  /** The texts of an array that have fewer characters than this, with the spaces, and with them. */
  shorter(array: string, length: number): string;
  concat(arrays: readonly string[]): string;
  /**
   * Rows of terms from rows with the column `a`: the columns `keys`, `term`, `n`, `d` and `r`. For each term of a
   * document, the values of n add up to its number of occurrences, those of d to 1, and those of r to the rounded square
   * root of its share of the document.
   */
  rows(keys: string, from: string, q: Quote): string;
}

/** Square roots of shares are multiples of 1 over this, so that their sums do not depend on the order of the rows. */
const GRID = 2 ** 20;

/** The square root of a share, rounded to the grid as in memory. */
function root(dialect: SqlDialect, count: string, total: string): string {
  const [grid, half] = [GRID, 0.5].map((value) => numberLiteral(dialect, value));
  const { double } = wordsOf(dialect);
  return `floor(sqrt(${double(count)} / ${double(total)}) * ${grid} + ${half}) / ${grid}`;
}

type Quote = (name: string) => string;

/** The dialects that count texts in SQL; those of DuckDB are read here. */
export type TextDialect = Exclude<SqlDialect, 'duckdb' | 'snowflake'>;

const clickHouseGrams: Arrays['grams'] = (array, n, joint) =>
  `arrayMap(i -> arrayStringConcat(arraySlice(${array}, i, ${n}), ${joint}), arrayEnumerate(arraySlice(${array}, ${n})))`;

const arrays: Readonly<Record<TextDialect, Arrays>> = {
  clickhouse: {
    words: (text, pattern) => `extractAll(assumeNotNull(${text}), ${pattern})`,
    without: (array, stops) => `arrayFilter(t -> NOT has([${stops.join(', ')}], t), ${array})`,
    grams: clickHouseGrams,
    inside: (array, n) =>
      `arrayReduce('groupArrayArray', arrayMap(p -> ${clickHouseGrams("extractAll(concat(' ', p, ' '), '(?s).')", n, "''")}, ${array}))`,
    shorter: (array, length) =>
      `arrayMap(p -> concat(' ', p, ' '), arrayFilter(p -> lengthUTF8(p) < ${length - 2}, ${array}))`,
    concat: (list) => `arrayConcat(${list.join(', ')})`,
    // the rows of a term in a document carry 1, 2, …, of which each adds what its root has more than the one before
    rows: (keys, from, q) => {
      const [k, l] = [q('k'), q('l')];
      const more = `${root('clickhouse', k, l)} - ${root('clickhouse', `${k} - 1`, l)}`;
      return `SELECT ${keys}, ${q('term')}, 1 AS ${q('n')}, ${k} = 1 AS ${q('d')}, ${more} AS ${q('r')} FROM (SELECT ${keys}, ${q('a')}, length(${q('a')}) AS ${l}, arrayEnumerateUniq(${q('a')}) AS ${q('u')} FROM ${from}) AS h ARRAY JOIN ${q('a')} AS ${q('term')}, ${q('u')} AS ${k}`;
    },
  },
  postgres: {
    words: (text, pattern) =>
      `ARRAY(SELECT m.a[1] FROM regexp_matches(${text}, ${pattern}, 'g') WITH ORDINALITY AS m(a, i) ORDER BY m.i)`,
    without: (array, stops) =>
      `ARRAY(SELECT t FROM unnest(${array}) WITH ORDINALITY AS u(t, i) WHERE t NOT IN (${stops.join(', ')}) ORDER BY u.i)`,
    grams: (array, n, joint) =>
      `ARRAY(SELECT array_to_string((${array})[i:i + ${n - 1}], ${joint}) FROM generate_series(1, cardinality(${array}) - ${n - 1}) AS s(i) ORDER BY i)`,
    inside: (array, n) =>
      `ARRAY(SELECT substr(' ' || p || ' ', i, ${n}) FROM unnest(${array}) AS u(p) CROSS JOIN LATERAL generate_series(1, length(p) + ${3 - n}) AS s(i))`,
    shorter: (array, length) =>
      `ARRAY(SELECT ' ' || p || ' ' FROM unnest(${array}) AS u(p) WHERE length(p) < ${length - 2})`,
    concat: (list) => list.join(' || '),
    rows: (keys, from, q) =>
      `SELECT ${keys}, c.term AS ${q('term')}, c.n AS ${q('n')}, 1 AS ${q('d')}, ${root('postgres', 'c.n', `cardinality(${q('a')})`)} AS ${q('r')} FROM ${from} CROSS JOIN LATERAL (SELECT t AS term, count(*) AS n FROM unnest(${q('a')}) AS u(t) GROUP BY t) AS c`,
  },
  spark: {
    words: (text, pattern) => `regexp_extract_all(${text}, ${pattern}, 0)`,
    without: (array, stops) => `filter(${array}, t -> t NOT IN (${stops.join(', ')}))`,
    grams: (array, n, joint) =>
      `transform(slice(${array}, ${n}, size(${array})), (t, i) -> array_join(slice(${array}, i + 1, ${n}), ${joint}))`,
    inside: (array, n) =>
      `flatten(transform(filter(${array}, p -> length(p) > ${n - 3}), p -> transform(sequence(1, length(p) + ${3 - n}), i -> substring(concat(' ', p, ' '), i, ${n}))))`,
    shorter: (array, length) => `transform(filter(${array}, p -> length(p) < ${length - 2}), p -> concat(' ', p, ' '))`,
    concat: (list) => `concat(${list.join(', ')})`,
    // each row carries its own word, not the whole array, which would be quadratic in the length of a document; the
    // sorted words of a document are cut where a new one begins
    rows: (keys, from, q) => {
      const [s, u] = [q('s'), q('u')];
      const begins = `filter(transform(${s}, (t, i) -> IF(i > 0 AND element_at(${s}, i) = t, 0, i + 1)), i -> i > 0)`;
      const each = `transform(${u}, (b, i) -> struct(element_at(${s}, b) AS t, COALESCE(get(${u}, i + 1), size(${s}) + 1) - b AS n, size(${s}) AS l))`;
      return `SELECT ${keys}, p.t AS ${q('term')}, p.n AS ${q('n')}, 1 AS ${q('d')}, ${root('spark', 'p.n', 'p.l')} AS ${q('r')} FROM (SELECT ${keys}, ${s}, ${begins} AS ${u} FROM (SELECT ${keys}, sort_array(${q('a')}) AS ${s} FROM ${from}) AS h) AS g LATERAL VIEW explode(${each}) e AS p`;
    },
  },
  bigquery: {
    words: (text, pattern) => `REGEXP_EXTRACT_ALL(${text}, ${pattern})`,
    without: (array, stops) =>
      `ARRAY(SELECT t FROM UNNEST(${array}) AS t WITH OFFSET AS i WHERE t NOT IN (${stops.join(', ')}) ORDER BY i)`,
    grams: (array, n, joint) =>
      `ARRAY(SELECT ARRAY_TO_STRING(ARRAY(SELECT t FROM UNNEST(${array}) AS t WITH OFFSET AS j WHERE j BETWEEN i AND i + ${n - 1} ORDER BY j), ${joint}) FROM UNNEST(GENERATE_ARRAY(0, ARRAY_LENGTH(${array}) - ${n})) AS i ORDER BY i)`,
    inside: (array, n) =>
      `ARRAY(SELECT SUBSTR(CONCAT(' ', p, ' '), i, ${n}) FROM UNNEST(${array}) AS p CROSS JOIN UNNEST(GENERATE_ARRAY(1, CHAR_LENGTH(p) + ${3 - n})) AS i)`,
    shorter: (array, length) =>
      `ARRAY(SELECT CONCAT(' ', p, ' ') FROM UNNEST(${array}) AS p WHERE CHAR_LENGTH(p) < ${length - 2})`,
    concat: (list) => `ARRAY_CONCAT(${list.join(', ')})`,
    rows: (keys, from, q) =>
      `SELECT ${keys}, c.term AS ${q('term')}, c.n AS ${q('n')}, 1 AS ${q('d')}, ${root('bigquery', 'c.n', `ARRAY_LENGTH(${q('a')})`)} AS ${q('r')} FROM ${from} CROSS JOIN UNNEST(ARRAY(SELECT AS STRUCT t AS term, COUNT(*) AS n FROM UNNEST(${q('a')}) AS t GROUP BY t)) AS c`,
  },
  trino: {
    words: (text, pattern) => `regexp_extract_all(${text}, ${pattern})`,
    without: (array, stops) => `filter(${array}, t -> t NOT IN (${stops.join(', ')}))`,
    grams: (array, n, joint) =>
      `IF(cardinality(${array}) >= ${n}, transform(ngrams(${array}, ${n}), g -> array_join(g, ${joint})), ARRAY[])`,
    inside: (array, n) =>
      `flatten(transform(filter(${array}, p -> length(p) > ${n - 3}), p -> transform(sequence(1, length(p) + ${3 - n}), i -> substr(' ' || p || ' ', i, ${n}))))`,
    shorter: (array, length) => `transform(filter(${array}, p -> length(p) < ${length - 2}), p -> ' ' || p || ' ')`,
    concat: (list) => `concat(${list.join(', ')})`,
    rows: (keys, from, q) =>
      `SELECT ${keys}, c.term AS ${q('term')}, c.n AS ${q('n')}, 1 AS ${q('d')}, ${root('trino', 'c.n', `cardinality(${q('a')})`)} AS ${q('r')} FROM ${from} CROSS JOIN LATERAL (SELECT t AS term, count(*) AS n FROM UNNEST(${q('a')}) AS u(t) GROUP BY t) AS c`,
  },
};

/** How the terms of texts are found inside an engine. */
export interface TermRules {
  /** Terms are runs of words, of characters, or of characters within each word. */
  readonly unit: 'word' | 'char' | 'char_wb';
  /** Transformations of a text before tokens are found, in order. */
  readonly changes: readonly ((text: string) => string)[];
  /** The pattern of a word, of a character, or of what is between white space; quoted. */
  readonly pattern: string;
  readonly stopWords: readonly string[];
  readonly ngrams: readonly [lowest: number, highest: number];
}

/** The sort key for the order of code points; only PostgreSQL has a different default order. */
export const byCodePoint = (dialect: SqlDialect, term: string): string =>
  dialect === 'postgres' ? `${term} COLLATE "C"` : term;

/**
 * A query for rows of terms, from rows with the columns `keys` and a text `text`: see `Arrays.rows`. `q` quotes our own
 * names.
 */
export function termRows(
  dialect: TextDialect,
  { unit, changes, pattern, stopWords, ngrams: [lowest, highest] }: TermRules,
  keyColumns: readonly string[],
  text: string,
  rows: string,
  q: Quote,
): string {
  const { words, without, grams, inside, shorter, concat, rows: explode } = arrays[dialect];
  const keys = keyColumns.join(', ');
  const a = q('a');
  const fence = dialect === 'postgres' ? fenceOf(dialect) : ''; // without it, each step is repeated wherever its result is used
  let from = rows;
  const stage = (value: string, name: string, number: number) => {
    from = `(SELECT ${keys}, ${value} AS ${name} FROM ${from}${fence}) AS s${number}`;
  };
  let column = text;
  changes.forEach((change, k) => {
    stage(change(column), q(`t${k}`), k);
    column = q(`t${k}`);
  });
  stage(words(column, pattern), a, changes.length);
  const stops = stopWords.map((word) => quoteString(dialect, word));
  if (stops.length > 0) stage(without(a, stops), a, changes.length + 1);
  const joint = quoteString(dialect, unit === 'word' ? ' ' : '');
  const runsOf = (n: number) => {
    if (unit === 'char_wb') return inside(a, n);
    return n === 1 ? a : grams(a, n, joint);
  };
  if (highest > 1 || unit === 'char_wb') {
    const runs = Array.from({ length: highest - lowest + 1 }, (_, k) => runsOf(lowest + k));
    if (unit === 'char_wb' && lowest > 3) runs.push(shorter(a, lowest)); // with its spaces a word has three characters or more
    stage(runs.length > 1 ? concat(runs) : runs[0], a, changes.length + 2);
  }
  return explode(keys, from, q);
}
