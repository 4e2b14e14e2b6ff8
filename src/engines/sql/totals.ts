import { refuse } from '../../errors.ts';

/**
 * The weight of every class according to each query of a fit. They agree unless the table is changed, so a fit of several queries needs
 * no scan of its own to notice a change.
 */
export class Totals {
  /** Whether there was a query whose weights by class are not known. */
  unchecked = false;
  private known: ReadonlyMap<string, number> | undefined;

  /** Notes a query whose weights by class are not known. */
  skip(): void {
    this.unchecked = true;
  }

  /** Throws if a query has other weights than the first one. */
  compare(found: ReadonlyMap<string, number>): void {
    this.known ??= found;
    for (const label of new Set([...this.known.keys(), ...found.keys()])) {
      const [first, now] = [this.known.get(label) ?? 0, found.get(label) ?? 0];
      if (Math.abs(first - now) <= 1e-9 * Math.max(first, now)) continue;
      refuseChange('rows were added or removed', { expected: first, actual: now });
    }
  }
}

/** Throws because a table changed between two queries; `what` names the difference. */
export function refuseChange(what: string, details: Readonly<Record<string, string | number>> = {}): never {
  return refuse('E_ENGINE_QUERY', `the table changed while it was counted: ${what}; count it again`, details);
}
