import { quoteIdentifier, type SqlDialect } from '../../engines/sql/dialect.ts';
import type { Cell } from './query-builder.ts';

/** The columns of the scored table that a query reads, under short names of its own. */
export class Columns {
  private readonly dialect: SqlDialect;
  private readonly names: ReadonlyMap<string, string>;
  private readonly read = new Map<string, string>();

  constructor(dialect: SqlDialect, names: ReadonlyMap<string, string>) {
    this.dialect = dialect;
    this.names = names;
  }

  /** A column of the model, as a cell. */
  readonly of = (name: string): Cell => {
    let short = this.read.get(name);
    if (short === undefined) this.read.set(name, (short = quoteIdentifier(this.dialect, `i${this.read.size}`)));
    return { text: short, stage: 0, nullable: true, simple: true };
  };

  /** The short names of the columns that are read. */
  shorts(): string[] {
    return [...this.read.values()];
  }

  /** The columns that are read, as a list behind SELECT. */
  list(): string[] {
    return [...this.read].map(
      ([name, short]) => `${quoteIdentifier(this.dialect, this.names.get(name) ?? name)} AS ${short}`,
    );
  }
}
