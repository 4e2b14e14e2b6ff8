import { readFileSync } from 'node:fs';

const tables = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8')) as Record<string, unknown>;

/** A table of golden.json: rows of arguments followed by results, made by golden.py with mpmath 1.4.1. */
export function golden<Row = number[]>(name: string): Row[] {
  return tables[name] as Row[];
}

/** |got − wanted| / |wanted|; 0 if both are the same, also 0 or infinite. */
export function relativeError(got: number, wanted: number): number {
  return Object.is(got, wanted) || got === wanted ? 0 : Math.abs(got - wanted) / Math.abs(wanted);
}

/** The greatest relative error of a function of `arity` arguments over a table; NaN counts as infinite. */
export function worstError(
  rows: readonly number[][],
  arity: number,
  compute: (...given: number[]) => number,
  column: number = arity,
): number {
  let worst = 0;
  for (const row of rows) {
    const error = relativeError(compute(...row.slice(0, arity)), row[column]);
    if (!(error <= worst)) worst = Number.isNaN(error) ? Infinity : error;
  }
  return worst;
}
