import { numberLiteral, quoteIdentifier, quoteString, type SqlDialect } from '../../src/engines/sql/dialect.ts';
import { planOf } from '../../src/exchange/plan-of.ts';
import type { Case } from './draws.ts';

const typeOf = (cells: readonly unknown[]) => {
  const kinds = new Set(cells.filter((cell) => cell !== null && cell !== undefined).map((cell) => typeof cell));
  if (kinds.has('string') || kinds.has('object')) return 'VARCHAR';
  return kinds.has('boolean') ? 'BOOLEAN' : 'FLOAT8';
};

/** A table `t` of some rows: the statements that make it, and the names of its columns in the order of the model. */
export interface RowTable {
  readonly statements: readonly string[];
  readonly columns: readonly string[];
}

/** The rows of a case as a table with a key; columns are numbered in the table, whatever they are called in the model. */
export function tableOf({ rows, model }: Case, dialect: SqlDialect): RowTable {
  const { inputs, row } = planOf(model);
  const wide = inputs.flatMap((input) =>
    input.kind === 'number' && input.width > 1
      ? Array.from({ length: input.width }, (_, j) => input.column + j)
      : [input.column],
  );
  const places = [...new Set(wide)].sort((a, b) => a - b);
  const nameAt = new Map(inputs.map(({ column, name }) => [column, name]));
  const cellOf = (own: unknown, place: number): unknown => {
    if (row === 'value') return own;
    if (Array.isArray(own)) return own[place];
    return (own as Record<string, unknown>)[nameAt.get(place)!];
  };
  const cells = rows.map((own) => places.map((place) => cellOf(own, place) ?? null));
  const types = places.map((_, k) => typeOf(cells.map((own) => own[k])));
  const columns = places.map((place) => `column ${place}`);
  const literal = (cell: unknown, k: number): string => {
    if (cell === null) return 'NULL';
    if (types[k] === 'VARCHAR') return quoteString(dialect, String(cell));
    return typeof cell === 'boolean' ? String(cell) : numberLiteral(dialect, Number(cell));
  };
  const declared = columns.map((name, k) => `${quoteIdentifier(dialect, name)} ${types[k]}`);
  const values = cells.map((own, i) => `(${[i, ...own.map(literal)].join(', ')})`);
  return {
    columns,
    statements: [
      'DROP TABLE IF EXISTS t',
      `CREATE TABLE t ("key" INTEGER, ${declared.join(', ')})`,
      `INSERT INTO t VALUES ${values.join(', ')}`,
    ],
  };
}
