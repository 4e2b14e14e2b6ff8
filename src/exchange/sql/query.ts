import type { Label } from '../../data/labels.ts';
import { quoteIdentifier, quotePath, quoteString, type SqlDialect } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import type { ExpressionAlgebra } from '../lower/expressions.ts';
import { logOdds } from '../lower/scores.ts';
import type { SqlColumns } from './names.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import type { TextParts } from './text.ts';
import type { CellTensor } from './writer.ts';

/** The parts of a query. */
export interface QueryParts {
  readonly algebra: ExpressionAlgebra<Cell>;
  readonly builder: QueryBuilder;
  /** The names of the model's columns in the table. */
  readonly columns: ReadonlyMap<string, string>;
  readonly texts: TextParts;
  readonly table: string | readonly string[];
}

/** A query as its common table expressions, in order, and the SELECT behind them. */
export interface QueryText {
  readonly ctes: readonly string[];
  readonly select: string;
}

/** The text of a query. */
export const wholeText = ({ ctes, select }: QueryText): string => `WITH ${ctes.join(',\n')}\n${select}`;

/** The whole query: rows, sums of texts, stages, and the columns that come out. `logs` are ln p(c | x). */
export function queryText(
  { algebra, builder, columns, texts, table }: QueryParts,
  classes: readonly Label[],
  logs: CellTensor,
  names: SqlColumns,
): QueryText {
  const { dialect } = builder;
  const q = (name: string) => quoteIdentifier(dialect, name);
  const answers = answerCells(algebra, builder, classes, logs, names);
  const keys = names.key.map((name, k) => `${q(name)} AS ${q(`k${k}`)}`);
  const read = [...keys, ...Array.from(builder.read, ([name, short]) => `${q(columns.get(name) ?? name)} AS ${short}`)];
  const rows = `${q('polya_rows')} AS (\n  SELECT ${read.length > 0 ? read.join(', ') : '1 AS unused'}\n  FROM ${quotePath(dialect, table)}\n)`;
  const first = texts.sums.length > 0 ? q('polya_0') : q('polya_rows');
  const { texts: stages, last } = builder.ctes(first);
  const own = [...names.key.map((_, k) => q(`k${k}`)), ...builder.read.values()];
  const joined = texts.sums.length > 0 ? [joinText(builder, own, names.key.length, texts.sums)] : [];
  const out = [
    ...names.key.map((name, k) => `${q(`k${k}`)} AS ${q(name)}`),
    ...answers.map(({ cell, name }) => `${cell.text} AS ${q(name)}`),
  ];
  return { ctes: [rows, ...texts.ctes, ...joined, ...stages], select: `SELECT\n  ${out.join(',\n  ')}\nFROM ${last}` };
}

/** Rows with the sums of their texts; a row without a known term has none. */
function joinText(builder: QueryBuilder, own: readonly string[], keys: number, sums: TextParts['sums']): string {
  const q = (name: string) => quoteIdentifier(builder.dialect, name);
  const read = own.map((column) => `r.${column} AS ${column}`);
  const added = sums.flatMap(({ classes }, part) =>
    Array.from({ length: classes }, (_, c) => `t${part}.${q(`s${part}_${c}`)} AS ${q(`s${part}_${c}`)}`),
  );
  const joins = sums.map(({ name }, part) => {
    const equal = Array.from({ length: keys }, (_, k) => `t${part}.${q(`k${k}`)} = r.${q(`k${k}`)}`).join(' AND ');
    return `LEFT JOIN ${name} AS t${part} ON ${equal}`;
  });
  return `${q('polya_0')} AS (\n  SELECT ${[...read, ...added].join(', ')}\n  FROM ${q('polya_rows')} AS r\n  ${joins.join('\n  ')}\n)`;
}

interface Answer {
  readonly name: string;
  readonly cell: Cell;
}

/** Label, probabilities and log-odds; NULL in rows that the library would refuse. */
function answerCells(
  algebra: ExpressionAlgebra<Cell>,
  builder: QueryBuilder,
  classes: readonly Label[],
  logs: CellTensor,
  names: SqlColumns,
): Answer[] {
  const kept = algebra.expressions(algebra.keep(logs));
  const [top] = algebra.expressions(algebra.keep(algebra.reduce('max', algebra.of(kept), 0)));
  const odds = names.logOdds.length > 0 ? algebra.expressions(logOdds(algebra, logs)) : [];
  const probabilities = algebra.expressions(algebra.exp(algebra.of(kept)));
  const sound = builder.sound();
  const guarded = (cell: Cell) => (sound ? builder.cell`CASE WHEN ${sound} THEN ${cell} END` : cell);
  const cases = kept.map(
    (log, c) => builder.cell`WHEN ${log} = ${top} THEN ${labelText(builder.dialect, classes[c])}`.text,
  );
  const label = builder.cell`CASE ${{ ...top, simple: false, text: cases.join(' ') }} END`;
  return [
    { name: names.label, cell: guarded(label) },
    ...probabilities.map((cell, c) => ({ name: names.probabilities[c], cell: guarded(cell) })),
    ...odds.map((cell, c) => ({ name: names.logOdds[c], cell: guarded(cell) })),
  ];
}

function labelText(dialect: SqlDialect, label: Label): string {
  if (typeof label === 'string') return quoteString(dialect, label);
  if (typeof label === 'boolean') return label ? 'TRUE' : 'FALSE';
  return wordsOf(dialect).integer(String(label));
}
