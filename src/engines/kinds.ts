import type { ColumnKind } from './engine.ts';
import type { DialectName } from './sql/dialect.ts';

type Kinds = Readonly<Partial<Record<Exclude<ColumnKind, 'other'>, RegExp>>>;

/** The kinds of the types of each dialect, in the order in which they are tried. */
const kinds: Readonly<Record<DialectName, Kinds>> = {
  duckdb: {
    integer: /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM|DECIMAL\(\d+,0\))$/,
    real: /^(FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/,
    text: /^(VARCHAR|UUID|ENUM\(.*\))$/s,
    date: /^(DATE|TIMESTAMP.*)$/,
    boolean: /^BOOLEAN$/,
  },
  clickhouse: {
    integer: /^(U?Int\d+|Decimal\(\d+, 0\))$/,
    real: /^(Float|BFloat|Decimal)/,
    boolean: /^Bool$/,
    date: /^Date/,
    text: /^(String|FixedString|Enum|UUID)/,
  },
  // behind the category of the catalog: N numbers, B booleans, D dates, S texts, E enumerations
  postgres: {
    integer: /^N (bigint|integer|smallint|oid|numeric\(\d+,0\))$/,
    real: /^N /,
    boolean: /^B /,
    date: /^D /,
    text: /^([SE] |. uuid$)/,
  },
  spark: {
    integer: /^(tinyint|smallint|int|bigint|decimal\(\d+,0\))$/,
    real: /^(float|double|decimal)/,
    boolean: /^boolean$/,
    date: /^(date|timestamp)/,
    text: /^(string|varchar|char)/,
  },
};

/** The kind of a type in the notation of an engine. */
export function kindOf(dialect: DialectName, type: string): ColumnKind {
  const inner = dialect === 'clickhouse' && /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)?.[1];
  if (inner) return kindOf(dialect, inner);
  const found = Object.entries(kinds[dialect]).find(([, pattern]) => pattern.test(type));
  return (found?.[0] as ColumnKind | undefined) ?? 'other';
}
