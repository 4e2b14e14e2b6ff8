import { type DialectName, doubleType, quoteString } from '../../engines/sql/dialect.ts';
import { refuse } from '../../errors.ts';

/** The few words in which the engines differ where rows are scored. Arguments are SQL already. */
export interface Words {
  /** A value as a 64-bit floating-point number. */
  double(value: string): string;
  /** A text that spells a number as that number; NULL, where the engine can, if it is too large to be one. */
  parsed(text: string): string;
  /** Whether a text holds a match of a pattern. */
  matches(text: string, pattern: string): string;
  /** true and false, 1 and 0 as a number. */
  bit(value: string): string;
  /** A value as a text. */
  text(value: string): string;
  /** A whole number as a label. */
  integer(value: string): string;
  isNaN(value: string): string;
  /** A text without these characters at both ends. */
  trim(text: string, characters: string): string;
  /** The type of a column of text in a new table. */
  readonly textType: string;
  readonly integerType: string;
  /** What stands behind the columns of a new table. */
  readonly tableEnd: string;
}

const cast = (value: string, type: string) => `CAST(${value} AS ${type})`;

const words: Readonly<Record<DialectName, Words>> = {
  duckdb: {
    double: (value) => cast(value, 'DOUBLE'),
    parsed: (text) => `TRY_CAST(${text} AS DOUBLE)`,
    matches: (text, pattern) => `regexp_matches(${text}, ${pattern})`,
    bit: (value) => cast(value, 'DOUBLE'),
    text: (value) => cast(value, 'VARCHAR'),
    integer: (value) => cast(value, 'BIGINT'),
    isNaN: (value) => `isnan(${value})`,
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
    trim: (text, characters) => `trim(BOTH ${characters} FROM ${text})`,
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
    trim: (text, characters) => `trim(BOTH ${characters} FROM ${text})`,
    textType: 'STRING',
    integerType: 'INT',
    tableEnd: '',
  },
};

/** The words of a dialect. */
export function wordsOf(dialect: DialectName): Words {
  return words[dialect];
}

/** The type of a column of weights in a new table; ClickHouse says by a type of its own that NULL is one. */
export function weightType(dialect: DialectName): string {
  return dialect === 'clickhouse' ? 'Nullable(Float64)' : doubleType(dialect);
}

/** A value as a text without blanks around it, as JavaScript's `trim` has them. */
export function trimmed(dialect: DialectName, value: string): string {
  const signs =
    '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
  return words[dialect].trim(words[dialect].text(value), quoteString(dialect, signs));
}

/** Refuses what SQL would answer otherwise than the library, before anything is written. */
export function cannotSay(what: string, why: string): never {
  return refuse('E_ENGINE_CAPABILITY', `SQL cannot carry ${what}: ${why}`, { what });
}
