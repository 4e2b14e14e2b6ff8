import { refuse, show } from '../../errors.ts';
import { numberLiteral, quoteString } from './dialect.ts';
import { column, type Frame } from './frame.ts';
import { byClass, sumOf } from './grouped.ts';
import { wordsOf } from './words.ts';

/** The conditions on the numbers of a column. */
export interface Demand {
  readonly name: string;
  /** The number over the relation, as in the table. */
  readonly sql: string;
  /** Whether missing cells and NaN are allowed. */
  readonly missing: boolean;
  readonly nonNegative: boolean;
  /** The largest magnitude. */
  readonly limit: number;
}

/** Searches every column for the cause of unusable sums, and throws for the first one, with the number of rows. */
export async function refuseFaults(frame: Frame, demands: readonly Demand[]): Promise<void> {
  const { dialect } = frame.engine;
  const { isNaN } = wordsOf(dialect);
  const number = (value: number) => numberLiteral(dialect, value);
  const rows = (condition: string) => sumOf(frame, `CASE WHEN ${condition} THEN 1 ELSE 0 END`);
  for (const demand of demands) {
    const x = column(frame, 'x0');
    const there = `${x} IS NOT NULL AND NOT ${isNaN(x)}`;
    const bare: Frame = { ...frame, label: quoteString(dialect, ''), totals: undefined };
    const { values } = await byClass(
      bare,
      [demand.sql],
      [
        rows(`${x} IS NULL`),
        rows(`${x} IS NOT NULL AND ${isNaN(x)}`),
        rows(`${there} AND (${x} > ${number(Number.MAX_VALUE)} OR ${x} < ${number(-Number.MAX_VALUE)})`),
        rows(`${there} AND (${x} > ${number(demand.limit)} OR ${x} < ${number(-demand.limit)})`),
        rows(`${there} AND ${x} < ${number(0)}`),
      ],
    );
    const [, absent, notNumbers, infinite, large, negative] = values.map((list) => list[0] ?? 0);
    refuseWhere(demand, { absent, notNumbers, infinite, large, negative });
  }
}

/** Throws if a column has rows with cells that are not allowed, by what was found of each kind. */
export function refuseWhere(
  { name, missing, nonNegative, limit }: Omit<Demand, 'sql'>,
  found: { absent: number; notNumbers: number; infinite: number; large: number; negative: number },
): void {
  const { absent, notNumbers, infinite, large, negative } = found;
  const where = `column ${show(name)}`;
  const blanks = missing ? 0 : absent + notNumbers;
  if (blanks + infinite > 0) {
    refuse(
      'E_NOT_FINITE',
      `${where} has ${blanks + infinite} rows without a finite number; leave them out, or take missing: 'ignore' where the estimator has it`,
      { column: name, rows: blanks + infinite },
    );
  }
  if (large > 0) {
    refuse('E_VALUE_RANGE', `${where} has ${large} rows with a number beyond ${limit}`, {
      column: name,
      rows: large,
      limit,
    });
  }
  if (nonNegative && negative > 0) {
    refuse('E_NEGATIVE', `${where} has ${negative} rows with a negative number; counts are not`, {
      column: name,
      rows: negative,
    });
  }
}
