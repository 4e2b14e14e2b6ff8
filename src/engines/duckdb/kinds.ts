import type { ColumnKind } from '../engine.ts';

const INTEGERS = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM)$/;
const REALS = /^(FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/;
const TEXTS = /^(VARCHAR|ENUM\(.*\))$/s;

/** The kind of a DuckDB type. */
export function kindOfType(type: string): ColumnKind {
  if (INTEGERS.test(type)) return 'integer';
  if (REALS.test(type)) return 'real';
  if (TEXTS.test(type)) return 'text';
  return type === 'BOOLEAN' ? 'boolean' : 'other';
}
