import { quoteIdentifier, type SqlDialect } from '../../engines/sql/dialect.ts';
import { refuse } from '../../errors.ts';
import { isWholeRow } from '../names.ts';
import type { Plan, PlanInput } from '../plan.ts';
import type { Cell } from './query-builder.ts';

/** The columns of the scored table that a query reads, under short names of its own. */
export class Columns {
  private readonly dialect: SqlDialect;
  private readonly names = new Map<string, string>();
  private readonly read = new Map<string, string>();

  /** `given` are the names of the columns in the table, in the order of the model. */
  constructor(dialect: SqlDialect, plan: Plan, given: readonly string[] | undefined) {
    this.dialect = dialect;
    const places = new Map(plan.inputs.flatMap((input) => placesOf(plan, input)));
    if (given && given.length !== places.size) {
      refuse('E_PARAM', `there are ${given.length} names for ${places.size} columns`, {
        name: 'columns',
        expected: places.size,
        actual: given.length,
      });
    }
    const order = [...places.keys()].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    order.forEach((name, k) => void this.names.set(name, given?.[k] ?? name));
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

/** The names of the columns of an input, with their places. */
function placesOf(plan: Plan, input: PlanInput): [string, number][] {
  const { name, column } = input;
  if (input.kind !== 'number' || !isWholeRow(plan, input)) return [[name, column]];
  return Array.from({ length: input.width }, (_, j) => [`${name}${column + j}`, column + j]);
}
