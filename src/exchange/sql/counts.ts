import { numberLiteral, quoteIdentifier, quoteString, type SqlDialect } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import type { TermVector } from '../plan.ts';
import { fenceOf } from './sheet.ts';
import { lowerSteps, type WordRule, wordPattern } from './tokens.ts';

/** How an engine turns a text into rows of words with their places, and finds the word n places on. */
interface Rows {
  words(keys: string, text: string, pattern: string, from: string, q: Quote): string;
  lead(word: string, n: number, keys: string, place: string): string;
}

type Quote = (name: string) => string;

const leadOver = (word: string, n: number, keys: string, place: string) =>
  `lead(${word}, ${n}) OVER (PARTITION BY ${keys} ORDER BY ${place})`;

const rows: Readonly<Record<SqlDialect, Rows>> = {
  duckdb: {
    words: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, generate_subscripts(${q('a')}, 1) AS ${q('i')}, unnest(${q('a')}) AS ${q('term')}\n  FROM (SELECT ${keys}, regexp_extract_all(${text}, ${pattern}) AS ${q('a')} FROM ${from}) AS t`,
    lead: leadOver,
  },
  clickhouse: {
    words: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, ${q('i')}, ${q('term')}\n  FROM (SELECT ${keys}, extractAll(${text}, ${pattern}) AS ${q('a')} FROM ${from}) AS t\n  ARRAY JOIN ${q('a')} AS ${q('term')}, arrayEnumerate(${q('a')}) AS ${q('i')}`,
    lead: (word, n, keys, place) =>
      `leadInFrame(toNullable(${word}), ${n}) OVER (PARTITION BY ${keys} ORDER BY ${place} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,
  },
  postgres: {
    words: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, m.${q('i')}, m.${q('a')}[1] AS ${q('term')}\n  FROM ${from} AS t\n  CROSS JOIN LATERAL regexp_matches(t.${text}, ${pattern}, 'g') WITH ORDINALITY AS m(${q('a')}, ${q('i')})`,
    lead: leadOver,
  },
  spark: {
    words: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, ${q('i')}, ${q('term')}\n  FROM (SELECT ${keys}, regexp_extract_all(${text}, ${pattern}, 0) AS ${q('a')} FROM ${from}) AS t\n  LATERAL VIEW posexplode(${q('a')}) e AS ${q('i')}, ${q('term')}`,
    lead: leadOver,
  },
  bigquery: {
    words: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, ${q('i')}, ${q('term')}\n  FROM ${from}\n  CROSS JOIN UNNEST(REGEXP_EXTRACT_ALL(${text}, ${pattern})) AS ${q('term')} WITH OFFSET AS ${q('i')}`,
    lead: leadOver,
  },
  snowflake: {
    words: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, f.INDEX AS ${q('i')}, CAST(f.VALUE AS VARCHAR) AS ${q('term')}\n  FROM ${from} AS t\n  CROSS JOIN LATERAL FLATTEN(INPUT => REGEXP_SUBSTR_ALL(t.${text}, ${pattern})) AS f`,
    lead: leadOver,
  },
};

/** Common table expressions that count the terms of each text: keys, term, and v0, how often it occurs. */
export function countsCtes(
  dialect: SqlDialect,
  { analysis, binary }: TermVector,
  rule: WordRule,
  text: string,
  keyColumns: readonly string[],
  number: number,
): { readonly texts: readonly string[]; readonly last: string } {
  const q: Quote = (name) => quoteIdentifier(dialect, name);
  const keys = keyColumns.join(', ');
  const named = (what: string) => q(`polya_${what}_${number}`);
  const changes = [
    (own: string) => `COALESCE(${wordsOf(dialect).text(own)}, '')`,
    ...(analysis.lowercase ? lowerSteps(dialect) : []),
  ];
  let [from, column] = [q('polya_rows'), text];
  const texts = changes.map((change, k) => {
    const cte = `${named(`text${k}`)} AS (\n  SELECT ${keys}, ${change(column)} AS ${q(`t${k}`)}\n  FROM ${from}${fenceOf(dialect)}\n)`;
    [from, column] = [named(`text${k}`), q(`t${k}`)];
    return cte;
  });
  texts.push(`${named('words')} AS (\n  ${rows[dialect].words(keys, column, wordPattern(dialect, rule), from, q)}\n)`);
  from = named('words');
  const [lowest, highest] = analysis.ngrams;
  if (analysis.stopWords.length > 0) {
    const stops = analysis.stopWords.map((word) => quoteString(dialect, word)).join(', ');
    texts.push(`${named('kept')} AS (\n  SELECT * FROM ${from} WHERE ${q('term')} NOT IN (${stops})\n)`);
    from = named('kept');
  }
  if (highest > 1) {
    const grams = Array.from({ length: highest - lowest + 1 }, (_, k) => gramsOf(dialect, lowest + k, keys, from, q));
    texts.push(`${named('grams')} AS (\n  ${grams.join('\n  UNION ALL\n  ')}\n)`);
    from = named('grams');
  }
  const count = binary ? numberLiteral(dialect, 1) : wordsOf(dialect).double('count(*)');
  texts.push(
    `${named('counts')} AS (\n  SELECT ${keys}, ${q('term')}, ${count} AS ${q('v0')}\n  FROM ${from}\n  GROUP BY ${keys}, ${q('term')}\n)`,
  );
  return { texts, last: named('counts') };
}

/** Runs of n words, joined by one space. */
function gramsOf(dialect: SqlDialect, n: number, keys: string, from: string, q: Quote): string {
  if (n === 1) return `SELECT ${keys}, ${q('term')} FROM ${from}`;
  const parts = Array.from({ length: n }, (_, k) =>
    k === 0 ? q('term') : rows[dialect].lead(q('term'), k, keys, q('i')),
  );
  const space = quoteString(dialect, ' ');
  const gram = parts.join(` || ${space} || `);
  const inner = `SELECT ${keys}, ${gram} AS ${q('gram')} FROM ${from}`;
  return `SELECT ${keys}, ${q('gram')} AS ${q('term')} FROM (${inner}) AS g WHERE ${q('gram')} IS NOT NULL`;
}
