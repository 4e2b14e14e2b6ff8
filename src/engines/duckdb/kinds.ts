import type { ColumnKind } from '../engine.ts';

const INTEGERS = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM|DECIMAL\(\d+,0\))$/;
const REALS = /^(FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/;
const TEXTS = /^(VARCHAR|UUID|ENUM\(.*\))$/s;

/** The kind of a DuckDB type. */
export function kindOfType(type: string): ColumnKind {
  if (INTEGERS.test(type)) return 'integer';
  if (REALS.test(type)) return 'real';
  if (TEXTS.test(type)) return 'text';
  if (/^(DATE|TIMESTAMP.*)$/.test(type)) return 'date';
  return type === 'BOOLEAN' ? 'boolean' : 'other';
}
