import { refuse, show } from '../../errors.ts';

/** The dialects that run in the tests: those of the engines with an adapter. */
export const dialectNames = ['duckdb', 'clickhouse', 'postgres', 'spark'] as const;

/** A dialect with an adapter. */
export type DialectName = (typeof dialectNames)[number];

/** The names of all dialects; the last three are only checked with a parser. */
export const sqlDialects = [...dialectNames, 'bigquery', 'snowflake', 'trino'] as const;

/** A dialect of SQL for counting and scoring. */
export type SqlDialect = (typeof sqlDialects)[number];

/** How a dialect writes names and values. Every identifier and every value of a query is quoted here. */
interface Quoting {
  /** The quote character of identifiers. */
  readonly mark: '"' | '`';
  /** Whether a backslash escapes the next character inside identifiers, and inside strings. */
  readonly escapes: { readonly identifiers: boolean; readonly strings: boolean };
  /** The maximum length of an identifier in bytes of UTF-8: a longer one would be silently truncated. */
  readonly longest: number;
  /** The type of a 64-bit floating-point number. */
  readonly double: string;
  /** A finite number, given in the shortest form with an exponent that is read back to the same bits. */
  finite(digits: string): string;
}

const quotings: Readonly<Record<SqlDialect, Quoting>> = {
  duckdb: {
    mark: '"',
    escapes: { identifiers: false, strings: false },
    longest: Infinity,
    double: 'DOUBLE',
    finite: (digits) => digits, // without an exponent it would be a DECIMAL
  },
  clickhouse: {
    mark: '`',
    escapes: { identifiers: true, strings: true },
    longest: Infinity,
    double: 'Float64',
    finite: (digits) => digits,
  },
  postgres: {
    mark: '"',
    escapes: { identifiers: false, strings: false },
    longest: 63,
    double: 'DOUBLE PRECISION',
    finite: (digits) => `CAST('${digits}' AS DOUBLE PRECISION)`, // a bare number is NUMERIC, whatever its form
  },
  spark: {
    mark: '`',
    escapes: { identifiers: false, strings: true },
    longest: Infinity,
    double: 'DOUBLE',
    finite: (digits) => `${digits}D`,
  },
  bigquery: {
    mark: '`',
    escapes: { identifiers: true, strings: true },
    longest: 300,
    double: 'FLOAT64',
    finite: (digits) => digits,
  },
  snowflake: {
    mark: '"',
    escapes: { identifiers: false, strings: true },
    longest: 255,
    double: 'DOUBLE',
    finite: (digits) => `CAST('${digits}' AS DOUBLE)`, // a bare number is NUMBER(38, 37) at most
  },
  trino: {
    mark: '"',
    escapes: { identifiers: false, strings: false },
    longest: Infinity,
    double: 'DOUBLE',
    finite: (digits) => digits, // without an exponent it would be a DECIMAL
  },
};

/** The type of a 64-bit floating-point number. */
export function doubleType(dialect: SqlDialect): string {
  return quotings[dialect].double;
}

/**
 * A quoted identifier. Throws E_IDENTIFIER for names that no engine supports: empty, NUL, lone surrogates; and for
 * names that one engine would change silently: those that PostgreSQL truncates, and Spark's variables in `${…}`.
 */
export function quoteIdentifier(dialect: SqlDialect, name: string): string {
  const { mark, escapes, longest } = quotings[dialect];
  requireText(name, 'identifier');
  if (name === '') refuse('E_IDENTIFIER', 'an identifier cannot be empty', { name });
  if (new TextEncoder().encode(name).length > longest) {
    refuse('E_IDENTIFIER', `${dialect} would truncate the identifier ${show(name)} to ${longest} bytes`, {
      name,
      limit: longest,
    });
  }
  if (dialect === 'spark' && name.includes('${')) {
    refuse('E_IDENTIFIER', `Spark would take the identifier ${show(name)} for a variable`, { name });
  }
  const escaped = escapes.identifiers
    ? name.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`)
    : name.replaceAll(mark, mark + mark);
  return mark + escaped + mark;
}

/** A name of one or more parts, such as catalog, schema and table: each part is one identifier, including its dots. */
export function quotePath(dialect: SqlDialect, name: string | readonly string[]): string {
  const parts = typeof name === 'string' ? [name] : name;
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every((part) => typeof part === 'string')) {
    refuse('E_IDENTIFIER', `a name is a string or a list of strings, got ${show(name)}`);
  }
  return parts.map((part) => quoteIdentifier(dialect, part)).join('.');
}

/** A text literal; throws E_IDENTIFIER for NUL and lone surrogates. */
export function quoteString(dialect: SqlDialect, text: string): string {
  requireText(text, 'text');
  if (!quotings[dialect].escapes.strings) return `'${text.replaceAll("'", "''")}'`;
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `'${dialect === 'spark' ? escaped.replaceAll('$', '\\u0024') : escaped}'`;
}

/** A literal of a 64-bit floating-point number with the same bits, including infinities and NaN. */
export function numberLiteral(dialect: SqlDialect, value: number): string {
  const { finite, double } = quotings[dialect];
  if (Number.isFinite(value)) {
    const literal = finite(Math.abs(value).toExponential().replace('+', ''));
    return value < 0 ? `(-${literal})` : literal;
  }
  const word = Number.isNaN(value) ? 'NaN' : `${value > 0 ? '' : '-'}${dialect === 'snowflake' ? 'inf' : 'Infinity'}`;
  return `CAST(${quoteString(dialect, word)} AS ${double})`;
}

function requireText(text: string, what: string): void {
  const fault = text.includes('\0') ? 'a NUL character' : text.isWellFormed() ? undefined : 'half a surrogate pair';
  if (fault)
    refuse('E_IDENTIFIER', `the ${what} ${show(text)} holds ${fault}, which SQL does not support`, {
      name: text.slice(0, 100),
    });
}
