import { numberLiteral, quoteIdentifier, type SqlDialect } from '../../engines/sql/dialect.ts';

/** An expression of SQL over the columns of a stage; `stage` is the number of stages after which all of them exist. */
export interface Cell {
  readonly text: string;
  readonly stage: number;
  /** Whether NULL is a legal value: a missing number. */
  readonly nullable: boolean;
  /** Whether it is a column or a number, which need not be kept. */
  readonly simple?: boolean;
}

/** What an expression is made of: cells, numbers, and text that is SQL already. */
type Part = Cell | number | string;

/**
 * A query as stages: each has the columns of the one before it and some more. A value that is used more than once becomes a
 * column (`keep`), so that expressions stay short and flat.
 */
export class QueryBuilder {
  readonly dialect: SqlDialect;
  private readonly prefix: string;
  private readonly stages: string[][] = [];
  private readonly joins: { readonly stage: number; readonly join: Join }[] = [];
  private readonly conditions: Cell[] = [];
  private readonly known = new Map<string, Cell>();
  private readonly reads = new Map<string, string>();
  private count = 0;

  /** Builders of one query differ in the prefix of their names. */
  constructor(dialect: SqlDialect, prefix = '') {
    this.dialect = dialect;
    this.prefix = prefix;
  }

  /** A column of the table that is read, under a short name. */
  readonly column = (name: string): Cell => {
    let short = this.reads.get(name);
    if (short === undefined) this.reads.set(name, (short = this.name(`i${this.reads.size}`)));
    return { text: short, stage: 0, nullable: true, simple: true };
  };

  /** The columns that were read, and their short names. */
  get read(): ReadonlyMap<string, string> {
    return this.reads;
  }

  private name(own: string): string {
    return quoteIdentifier(this.dialect, `${this.prefix}${own}`);
  }

  /** An expression from a template. Its cells keep their stage, its numbers become exact literals. */
  cell(strings: TemplateStringsArray, ...parts: readonly Part[]): Cell {
    const cells = parts.filter((part): part is Cell => typeof part === 'object');
    const texts = parts.map((part) => (typeof part === 'object' ? part.text : this.plain(part)));
    return {
      text: String.raw({ raw: strings.map((text) => text) }, ...texts),
      stage: cells.reduce((most, { stage }) => Math.max(most, stage), 0),
      nullable: cells.some(({ nullable }) => nullable),
      simple: cells.length === 0,
    };
  }

  private plain(part: number | string): string {
    return typeof part === 'number' ? numberLiteral(this.dialect, part) : part;
  }

  /** The same value as a column of the next stage; columns and numbers are returned as they are. */
  keep(cell: Cell): Cell {
    if (cell.simple) return cell;
    const before = this.known.get(cell.text);
    if (before) return before;
    while (this.stages.length <= cell.stage) this.stages.push([]);
    const name = this.name(`c${this.count++}`);
    this.stages[cell.stage].push(`${cell.text} AS ${name}`);
    const kept = { text: name, stage: cell.stage + 1, nullable: cell.nullable, simple: true };
    this.known.set(cell.text, kept);
    return kept;
  }

  /** Rows for which this is false get no result. */
  require(condition: Cell): void {
    this.conditions.push(condition);
  }

  /** Whether all requirements on a row hold; undefined if there are none. */
  sound(): Cell | undefined {
    if (this.conditions.length === 0) return undefined;
    const kept = this.conditions.map((condition) => this.keep(condition));
    return this.keep(kept.reduce((all, one) => this.cell`${all} AND ${one}`));
  }

  /** Joins columns that other expressions make to the rows after stage `stage`; later expressions can use them. */
  join(stage: number, join: Join): void {
    while (this.stages.length < stage) this.stages.push([]);
    this.joins.push({ stage, join });
  }

  /** The stages as common table expressions behind one called `first`, and the name of the last. */
  ctes(first: string): { readonly texts: readonly string[]; readonly last: string } {
    const texts: string[] = [];
    let from = first;
    for (let k = 0; k <= this.stages.length; k++) {
      for (const { join } of this.joins.filter(({ stage }) => stage === k)) {
        const joined = join(from);
        texts.push(...joined.texts);
        from = joined.last;
      }
      const columns = this.stages[k];
      if (!columns || columns.length === 0) continue;
      const name = quoteIdentifier(this.dialect, `polya_${this.prefix}${k + 1}`);
      texts.push(
        `${name} AS (\n  SELECT *,\n    ${columns.join(',\n    ')}\n  FROM ${from}${fenceOf(this.dialect)}\n)`,
      );
      from = name;
    }
    return { texts, last: from };
  }
}

/** Common table expressions that add columns to the rows of the one that they are given. */
export type Join = (from: string) => { readonly texts: readonly string[]; readonly last: string };

/**
 * A clause behind a stage that keeps its expressions from being inlined into the next one. PostgreSQL and ClickHouse would repeat an
 * expression wherever its column is used: three calibrated classifiers of two columns exhausted the memory of PostgreSQL and took a
 * hundred times as long in ClickHouse. PostgreSQL does not inline past an OFFSET, ClickHouse not past a function of earlier rows.
 */
const FENCES: Partial<Readonly<Record<SqlDialect, string>>> = {
  clickhouse: ' WHERE rowNumberInAllBlocks() >= 0',
  postgres: ' OFFSET 0',
};

/** See `FENCES`. */
export function fenceOf(dialect: SqlDialect): string {
  return FENCES[dialect] ?? '';
}
