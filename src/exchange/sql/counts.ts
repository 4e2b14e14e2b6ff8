import { numberLiteral, quoteIdentifier, quoteString, type SqlDialect } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import { range } from '../lower/algebra.ts';
import type { TermVector } from '../plan.ts';
import { fenceOf } from './query-builder.ts';
import { characterPattern, collapsed, hasLength, lowerSteps, piecePattern } from './tokens.ts';

/** How an engine turns a text into rows of tokens with their places, and finds the token n places on. */
interface Rows {
  tokens(keys: string, text: string, pattern: string, from: string, q: Quote): string;
  readonly lead?: typeof leadOver;
}

type Quote = (name: string) => string;

const leadOver = (word: string, n: number, keys: string, place: string) =>
  `lead(${word}, ${n}) OVER (PARTITION BY ${keys} ORDER BY ${place})`;

const rows: Readonly<Record<SqlDialect, Rows>> = {
  duckdb: {
    tokens: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, generate_subscripts(${q('a')}, 1) AS ${q('i')}, unnest(${q('a')}) AS ${q('term')}\n  FROM (SELECT ${keys}, regexp_extract_all(${text}, ${pattern}) AS ${q('a')} FROM ${from}) AS t`,
  },
  clickhouse: {
    tokens: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, ${q('i')}, ${q('term')}\n  FROM (SELECT ${keys}, extractAll(${text}, ${pattern}) AS ${q('a')} FROM ${from}) AS t\n  ARRAY JOIN ${q('a')} AS ${q('term')}, arrayEnumerate(${q('a')}) AS ${q('i')}`,
    lead: (word, n, keys, place) =>
      `leadInFrame(toNullable(${word}), ${n}) OVER (PARTITION BY ${keys} ORDER BY ${place} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,
  },
  postgres: {
    tokens: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, m.${q('i')}, m.${q('a')}[1] AS ${q('term')}\n  FROM ${from} AS t\n  CROSS JOIN LATERAL regexp_matches(t.${text}, ${pattern}, 'g') WITH ORDINALITY AS m(${q('a')}, ${q('i')})`,
  },
  spark: {
    tokens: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, ${q('i')}, ${q('term')}\n  FROM (SELECT ${keys}, regexp_extract_all(${text}, ${pattern}, 0) AS ${q('a')} FROM ${from}) AS t\n  LATERAL VIEW posexplode(${q('a')}) e AS ${q('i')}, ${q('term')}`,
  },
  bigquery: {
    tokens: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, ${q('i')}, ${q('term')}\n  FROM ${from}\n  CROSS JOIN UNNEST(REGEXP_EXTRACT_ALL(${text}, ${pattern})) AS ${q('term')} WITH OFFSET AS ${q('i')}`,
  },
  snowflake: {
    tokens: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, f.INDEX AS ${q('i')}, CAST(f.VALUE AS VARCHAR) AS ${q('term')}\n  FROM ${from} AS t\n  CROSS JOIN LATERAL FLATTEN(INPUT => REGEXP_SUBSTR_ALL(t.${text}, ${pattern})) AS f`,
  },
  trino: {
    tokens: (keys, text, pattern, from, q) =>
      `SELECT ${keys}, ${q('i')}, ${q('term')}\n  FROM ${from}\n  CROSS JOIN UNNEST(regexp_extract_all(${text}, ${pattern})) WITH ORDINALITY AS u(${q('term')}, ${q('i')})`,
    lead: leadOver,
  },
};

/**
 * Common table expressions that count the terms of each text: keys, term, and v0, how often it occurs. `words` is the
 * pattern of words; without it terms are made of characters.
 */
export function countsCtes(
  dialect: SqlDialect,
  { analysis, binary }: TermVector,
  words: string | undefined,
  text: string,
  keyColumns: readonly string[],
  number: number,
): { readonly texts: readonly string[]; readonly last: string } {
  const q: Quote = (name) => quoteIdentifier(dialect, name);
  const keys = keyColumns.join(', ');
  const { unit, lowercase, stopWords } = analysis;
  const [lowest, highest] = analysis.ngrams;
  const texts: string[] = [];
  let from = q('polya_rows');
  const add = (what: string, query: string) => {
    const name = q(`polya_${what}_${number}`);
    texts.push(`${name} AS (\n  ${query}\n)`);
    from = name;
  };
  let column = text;
  const changes = [
    (own: string) => `COALESCE(${wordsOf(dialect).text(own)}, '')`,
    ...(lowercase ? lowerSteps(dialect) : []),
    ...(unit === 'char' ? [(own: string) => collapsed(dialect, own)] : []),
  ];
  changes.forEach((change, k) => {
    add(`text${k}`, `SELECT ${keys}, ${change(column)} AS ${q(`t${k}`)}\n  FROM ${from}${fenceOf(dialect)}`);
    column = q(`t${k}`);
  });
  let within = keys; // an n-gram is of one text, or of one word
  const whole: string[] = [];
  if (unit === 'char_wb') {
    add('pieces', rows[dialect].tokens(keys, column, piecePattern(dialect), from, q));
    const space = quoteString(dialect, ' ');
    add(
      'padded',
      `SELECT ${keys}, ${q('i')} AS ${q('p')}, ${space} || ${q('term')} || ${space} AS ${q('w')} FROM ${from}`,
    );
    [within, column] = [`${keys}, ${q('p')}`, q('w')];
    // a padded word has three characters or more
    if (lowest > 3) whole.push(`SELECT ${keys}, ${column} AS ${q('term')} FROM ${from} WHERE NOT ${hasLength(dialect, column, lowest)}`); // biome-ignore format: one line
  }
  add('words', rows[dialect].tokens(within, column, words ?? characterPattern(dialect), from, q));
  if (stopWords.length > 0) {
    const stops = stopWords.map((word) => quoteString(dialect, word)).join(', ');
    add('kept', `SELECT * FROM ${from} WHERE ${q('term')} NOT IN (${stops})`);
  }
  if (highest > 1) {
    const joint = unit === 'word' ? ' ' : '';
    const grams = range(highest + 1, lowest).map((n) => gramsOf(dialect, n, keys, within, from, joint, q));
    add('grams', [...grams, ...whole].join('\n  UNION ALL\n  '));
  }
  const count = binary ? numberLiteral(dialect, 1) : wordsOf(dialect).double('count(*)');
  add(
    'counts',
    `SELECT ${keys}, ${q('term')}, ${count} AS ${q('v0')}\n  FROM ${from}\n  GROUP BY ${keys}, ${q('term')}`,
  );
  return { texts, last: from };
}

/** Runs of n tokens with `joint` between them, each within one text or word. */
function gramsOf(
  dialect: SqlDialect,
  n: number,
  keys: string,
  within: string,
  from: string,
  joint: string,
  q: Quote,
): string {
  if (n === 1) return `SELECT ${keys}, ${q('term')} FROM ${from}`;
  const parts = range(n).map((k) =>
    k === 0 ? q('term') : (rows[dialect].lead ?? leadOver)(q('term'), k, within, q('i')),
  );
  const gram = parts.join(joint === '' ? ' || ' : ` || ${quoteString(dialect, joint)} || `);
  const inner = `SELECT ${keys}, ${gram} AS ${q('gram')} FROM ${from}`;
  return `SELECT ${keys}, ${q('gram')} AS ${q('term')} FROM (${inner}) AS g WHERE ${q('gram')} IS NOT NULL`;
}
