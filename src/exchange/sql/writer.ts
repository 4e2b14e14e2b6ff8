import { numberLiteral, quoteIdentifier } from '../../engines/sql/dialect.ts';
import { type Elementwise, range } from '../lower/algebra.ts';
import { ExpressionAlgebra, type ExpressionWriter, isExpression, type Places } from '../lower/expressions.ts';
import { type Cell, fenceOf, type Join, QueryBuilder } from './query-builder.ts';
import { cannotSay } from './words.ts';

/** Expressions of SQL, one for each place. */
export type CellTensor = Places<Cell>;

/** Below this, exp underflows in PostgreSQL; the loss is less than 1e-304. */
const LEAST_EXPONENT = -700;

/** Longer expressions become columns before others are made of them. */
const LONG = 240;

/** Every number of a table is in the query once and every point of a kernel several times; engines limit the length of queries. */
const MOST = { 'pairs of levels': 100_000, values: 5000 } as const;

/** The most columns of intermediate results that a query has for rows with missing cells. */
const MOST_COLUMNS = 4000;

/** Operations between their operands, and functions of them. */
const infix: Partial<Record<Elementwise, string>> = {
  ...{ add: '+', sub: '-', mul: '*', div: '/', less: '<', lessOrEqual: '<=', equal: '=', and: 'AND', or: 'OR' },
};
const functions: Partial<Record<Elementwise, string>> = {
  ...{ max: 'GREATEST', min: 'LEAST', ln: 'ln', sqrt: 'sqrt', abs: 'abs', floor: 'floor', sin: 'sin' },
};

/** Expressions of SQL over the columns of a builder; `keys` are those that identify its rows. */
export const sqlAlgebra = (builder: QueryBuilder, keys: readonly string[]): ExpressionAlgebra<Cell> =>
  new ExpressionAlgebra<Cell>(new SqlWriter(builder, keys));

class SqlWriter implements ExpressionWriter<Cell> {
  private builder: QueryBuilder; // that of copies, while they are scored
  private readonly keys: readonly string[];
  private copies = 0;

  constructor(builder: QueryBuilder, keys: readonly string[]) {
    this.builder = builder;
    this.keys = keys;
  }

  literal(value: number | boolean): Cell {
    if (typeof value === 'boolean') return this.builder.cell`${value ? 'TRUE' : 'FALSE'}`;
    return Number.isNaN(value) ? { ...this.builder.cell`NULL`, nullable: true } : this.builder.cell`${value}`;
  }

  write(op: Elementwise, x: Cell, y?: Cell): Cell {
    const { builder } = this;
    if (infix[op]) return builder.cell`(${x} ${infix[op]} ${y as Cell})`;
    if (functions[op]) return y ? builder.cell`${functions[op]}(${x}, ${y})` : builder.cell`${functions[op]}(${x})`;
    if (op === 'not') return builder.cell`(NOT ${x})`;
    const own = builder.keep(x);
    if (op === 'exp') return builder.cell`CASE WHEN ${own} > ${LEAST_EXPONENT} THEN exp(${own}) ELSE ${0} END`;
    // engines refuse the logarithm of 0
    return builder.cell`CASE WHEN ${own} > ${0} THEN ln(${own}) ELSE ${-Infinity} END`;
  }

  branch(test: Cell, yes: Cell, no: Cell): Cell {
    return this.builder.cell`CASE WHEN ${test} THEN ${yes} ELSE ${no} END`;
  }

  isMissing(x: Cell): Cell {
    return this.builder.cell`(${x} IS NULL)`;
  }

  column(x: Cell): Cell {
    return this.builder.keep(x);
  }

  brief(x: Cell): Cell {
    return x.text.length > LONG ? this.builder.keep(x) : x;
  }

  /**
   * Rows are joined with the numbers of their copies, scored copy by copy, and what comes out is joined by the key. Without a key, rows
   * that would have to be copied are not answered.
   */
  sumOver(
    a: ExpressionAlgebra<Cell>,
    times: CellTensor,
    most: number,
    carried: readonly CellTensor[],
    score: (copy: CellTensor, carried: readonly CellTensor[]) => CellTensor,
  ): CellTensor {
    if (this.keys.length === 0) {
      a.require(a.lessOrEqual(times, 1));
      return score(a.constant([0]), carried);
    }
    const outer = this.builder;
    const all = [times, ...carried].map((own) => a.keep(own));
    const columns = [
      ...new Map(
        all.flatMap(({ entries }) => entries.filter((own) => isExpression(own))).map((own) => [own.text, own]),
      ).values(),
    ];
    const stage = Math.max(0, ...columns.map((own) => own.stage));
    const name = `copies${this.copies++}`;
    const inner = new QueryBuilder(outer.dialect, `${name}_`);
    const q = (own: string) => quoteIdentifier(outer.dialect, own);
    this.builder = inner;
    const rows = all.slice(1).map(({ shape, entries }) => ({
      shape,
      entries: entries.map((own) => (isExpression(own) ? { ...own, stage: 0 } : own)),
    }));
    const copy = a.of([{ text: q('copy'), stage: 0, nullable: false, simple: true }]);
    const scores = a.expressions(a.keep(score(copy, rows)));
    this.builder = outer;
    const made = scores.map((_, k) => q(`${name}_s${k}`));
    const [count] = a.expressions(all[0]);
    outer.join(stage, copiesOf({ builder: inner, name, most, keys: this.keys, columns, count, scores, made }));
    return a.of(made.map((text) => ({ text, stage, nullable: false, simple: true })));
  }

  require(condition: Cell): void {
    this.builder.require(this.builder.cell`COALESCE(${condition}, FALSE)`);
  }

  afford(what: string, unit: keyof typeof MOST, count: number): void {
    if (count <= MOST[unit]) return;
    cannotSay(
      `${what} over ${count} ${unit}`,
      `all of them would be parts of the query, and ${MOST[unit]} are the most`,
    );
  }

  canKeep(count: number): boolean {
    return count <= MOST_COLUMNS;
  }
}

/** Copies of rows: how many of each there are, and the scores of one. */
interface Copies {
  readonly builder: QueryBuilder;
  readonly name: string;
  readonly most: number;
  readonly keys: readonly string[];
  readonly columns: readonly Cell[];
  readonly count: Cell;
  readonly scores: readonly Cell[];
  readonly made: readonly string[];
}

/** Scores every copy of a row, and joins ln Σ exp of the scores to the row. */
function copiesOf({ builder, name, most, keys, columns, count, scores, made }: Copies): Join {
  const q = (own: string) => quoteIdentifier(builder.dialect, own);
  const number = (value: number) => numberLiteral(builder.dialect, value);
  const base = Math.ceil(Math.sqrt(most));
  const digits = range(base).map((digit) => `SELECT ${number(digit)} AS ${q('d')}`).join(' UNION ALL '); // biome-ignore format: short
  const numbers = `(SELECT a.${q('d')} * ${number(base)} + b.${q('d')} AS ${q('copy')} FROM (${digits}) AS a CROSS JOIN (${digits}) AS b)`;
  const named = (what: string) => q(`polya_${name}_${what}`);
  return (from) => {
    const carried = [...keys, ...columns.map(({ text }) => text)].map((column) => `r.${column} AS ${column}`);
    const { texts, last } = builder.ctes(named('rows'));
    const list = keys.join(', ');
    const tops = scores.map(
      ({ text }, k) => `${text} AS ${q(`s${k}`)}, max(${text}) OVER (PARTITION BY ${list}) AS ${q(`m${k}`)}`,
    );
    const sums = made.map((column, k) => {
      const [top, apart] = [`max(${q(`m${k}`)})`, `${q(`s${k}`)} - ${q(`m${k}`)}`];
      const parts = `CASE WHEN ${apart} > ${number(LEAST_EXPONENT)} THEN exp(${apart}) ELSE ${number(0)} END`;
      const log = `${top} + ln(GREATEST(${number(1)}, sum(${parts})))`;
      return `CASE WHEN ${top} = ${number(-Infinity)} THEN ${top} ELSE ${log} END AS ${column}`;
    });
    const equal = keys.map((key) => `s.${key} = r.${key}`).join(' AND ');
    const added = made.map((column) => `s.${column} AS ${column}`).join(', ');
    return {
      texts: [
        `${named('rows')} AS (\n  SELECT ${carried.join(', ')}, n.${q('copy')} AS ${q('copy')}\n  FROM ${from} AS r CROSS JOIN ${numbers} AS n\n  WHERE n.${q('copy')} < r.${count.text}\n)`,
        ...texts,
        `${named('tops')} AS (\n  SELECT ${list}, ${tops.join(', ')}\n  FROM ${last}${fenceOf(builder.dialect)}\n)`,
        `${named('sums')} AS (\n  SELECT ${list}, ${sums.join(', ')}\n  FROM ${named('tops')}\n  GROUP BY ${list}\n)`,
        `${named('joined')} AS (\n  SELECT r.*, ${added}\n  FROM ${from} AS r LEFT JOIN ${named('sums')} AS s ON ${equal}\n)`,
      ],
      last: named('joined'),
    };
  };
}
