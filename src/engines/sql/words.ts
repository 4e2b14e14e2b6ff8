import type { SqlDialect } from './dialect.ts';

/** The expressions in which the engines differ for counting and scoring. Arguments are SQL. */
export interface Words {
  /** A value as a 64-bit floating-point number. */
  double(value: string): string;
  /** A text as a number; NULL, if the engine supports it, when it is too large. */
  parsed(text: string): string;
  /** Whether a text contains a match of a pattern. */
  matches(text: string, pattern: string): string;
  /** Booleans, 1 and 0 as a number. */
  bit(value: string): string;
  /** A value as a text. */
  text(value: string): string;
  /** An integer as a label. */
  integer(value: string): string;
  isNaN(value: string): string;
  /** A product of numbers: 0 if it underflows, infinite or NaN if it is too large. */
  product(...factors: readonly string[]): string;
  /** A random number from 0 to 1, another one for each row. */
  readonly random: string;
  /** A text trimmed of these characters. */
  trim(text: string, characters: string): string;
  /** The type of a column of text in a new table. */
  readonly textType: string;
  readonly integerType: string;
  /** The clause after the columns of a new table. */
  readonly tableEnd: string;
}

const cast = (value: string, type: string) => `CAST(${value} AS ${type})`;

const times = (...factors: readonly string[]) => factors.join(' * ');

/**
 * PostgreSQL fails a whole query for one product that is too small or too large. So factors beyond the square root of
 * the limits become 0 or infinite before they are multiplied.
 */
function guardedTimes(...factors: readonly string[]): string {
  const [least, most] = [-322, 300].map(
    (digits) => `CAST('1e${Math.trunc(digits / factors.length)}' AS DOUBLE PRECISION)`,
  );
  return times(
    ...factors.map((factor) => {
      const far = `WHEN abs(${factor}) > ${most} THEN CAST('Infinity' AS DOUBLE PRECISION)`;
      return `CASE WHEN abs(${factor}) < ${least} THEN 0 ${far} ELSE ${factor} END`;
    }),
  );
}

const words: Readonly<Record<SqlDialect, Words>> = {
  duckdb: {
    double: (value) => cast(value, 'DOUBLE'),
    parsed: (text) => `TRY_CAST(${text} AS DOUBLE)`,
    matches: (text, pattern) => `regexp_matches(${text}, ${pattern})`,
    bit: (value) => cast(value, 'DOUBLE'),
    text: (value) => cast(value, 'VARCHAR'),
    integer: (value) => cast(value, 'BIGINT'),
    isNaN: (value) => `isnan(${value})`,
    product: times,
    random: 'random()',
    trim: (text, characters) => `trim(${text}, ${characters})`,
    textType: 'VARCHAR',
    integerType: 'INTEGER',
    tableEnd: '',
  },
  clickhouse: {
    double: (value) => cast(value, 'Nullable(Float64)'),
    parsed: (text) => `toFloat64OrNull(${text})`,
    matches: (text, pattern) => `match(${text}, ${pattern})`,
    bit: (value) => cast(value, 'Nullable(Float64)'),
    text: (value) => cast(value, 'Nullable(String)'),
    integer: (value) => cast(value, 'Int64'),
    isNaN: (value) => `isNaN(${value})`,
    product: times,
    random: 'rand() / 4294967296',
    // its trim takes bytes for characters, and would cut the end of à and 🎉
    trim: (text, characters) => {
      const blank = `[${characters.slice(1, -1)}]+`;
      return `replaceRegexpAll(${text}, '^${blank}|${blank}$', '')`;
    },
    textType: 'String',
    integerType: 'Int32',
    tableEnd: ' ENGINE = MergeTree ORDER BY tuple()',
  },
  postgres: {
    double: (value) => cast(value, 'DOUBLE PRECISION'),
    parsed: (text) => cast(text, 'DOUBLE PRECISION'),
    matches: (text, pattern) => `(${text} ~ ${pattern})`,
    bit: (value) => cast(cast(value, 'INTEGER'), 'DOUBLE PRECISION'),
    text: (value) => cast(value, 'TEXT'),
    integer: (value) => cast(value, 'BIGINT'),
    isNaN: (value) => `(${value} = CAST('NaN' AS DOUBLE PRECISION))`,
    product: guardedTimes,
    random: 'random()',
    trim: (text, characters) => `btrim(${text}, ${characters})`,
    textType: 'TEXT',
    integerType: 'INTEGER',
    tableEnd: '',
  },
  spark: {
    double: (value) => cast(value, 'DOUBLE'),
    parsed: (text) => `try_cast(${text} AS DOUBLE)`,
    matches: (text, pattern) => `regexp_like(${text}, ${pattern})`,
    bit: (value) => cast(value, 'DOUBLE'),
    text: (value) => cast(value, 'STRING'),
    integer: (value) => cast(value, 'BIGINT'),
    isNaN: (value) => `isnan(${value})`,
    product: times,
    random: 'rand()',
    trim: (text, characters) => `trim(BOTH ${characters} FROM ${text})`,
    textType: 'STRING',
    integerType: 'INT',
    tableEnd: ' USING parquet', // without Hive, Spark 3.5 makes no table of its own format
  },
  bigquery: {
    double: (value) => cast(value, 'FLOAT64'),
    parsed: (text) => `SAFE_CAST(${text} AS FLOAT64)`,
    matches: (text, pattern) => `REGEXP_CONTAINS(${text}, ${pattern})`,
    bit: (value) => cast(cast(value, 'INT64'), 'FLOAT64'),
    text: (value) => cast(value, 'STRING'),
    integer: (value) => cast(value, 'INT64'),
    isNaN: (value) => `IS_NAN(${value})`,
    product: times,
    random: 'RAND()',
    trim: (text, characters) => `TRIM(${text}, ${characters})`,
    textType: 'STRING',
    integerType: 'INT64',
    tableEnd: '',
  },
  snowflake: {
    double: (value) => cast(value, 'DOUBLE'),
    parsed: (text) => `TRY_TO_DOUBLE(${text})`,
    matches: (text, pattern) => `(REGEXP_INSTR(${text}, ${pattern}) > 0)`, // REGEXP_LIKE matches the whole text
    bit: (value) => cast(cast(value, 'INTEGER'), 'DOUBLE'),
    text: (value) => cast(value, 'VARCHAR'),
    integer: (value) => cast(value, 'BIGINT'),
    isNaN: (value) => `(${value} = CAST('NaN' AS DOUBLE))`,
    product: times,
    random: 'UNIFORM(0::DOUBLE, 1::DOUBLE, RANDOM())',
    trim: (text, characters) => `TRIM(${text}, ${characters})`,
    textType: 'VARCHAR',
    integerType: 'INTEGER',
    tableEnd: '',
  },
  trino: {
    double: (value) => cast(value, 'DOUBLE'),
    parsed: (text) => `TRY_CAST(${text} AS DOUBLE)`,
    matches: (text, pattern) => `regexp_like(${text}, ${pattern})`,
    bit: (value) => cast(value, 'DOUBLE'),
    text: (value) => cast(value, 'VARCHAR'),
    integer: (value) => cast(value, 'BIGINT'),
    isNaN: (value) => `is_nan(${value})`,
    product: times,
    random: 'random()',
    trim: (text, characters) => `trim(BOTH ${characters} FROM ${text})`,
    textType: 'VARCHAR',
    integerType: 'INTEGER',
    tableEnd: '',
  },
};

/** The expressions of a dialect. */
export function wordsOf(dialect: SqlDialect): Words {
  return words[dialect];
}
