import { lgamma } from '../math/gamma.ts';
import { logGammaRatio } from '../math/gamma-ratio.ts';
import type { Rates } from './poisson.ts';

/** ln p(0): −λ, or A ln(B / (B + 1)). */
export function logZero(count: number, exposure: number, predictive: boolean): number {
  if (!(exposure > 0)) return 0;
  return 0 - (predictive ? count * Math.log1p(1 / exposure) : count / exposure);
}

/** ln x! p(x) / p(0) by (3), for x > 0. */
export function logEvents(count: number, exposure: number, x: number): number {
  return count > 0 && exposure > 0 ? logGammaRatio(count, x) - x * Math.log1p(exposure) : -Infinity;
}

/** What a cell is scored with. */
type CellRates = Pick<Rates, 'classes' | 'cells' | 'predictive' | 'exposures' | 'missing'>;

/** The exposure B of a cell. */
export function exposureAt({ classes, exposures, missing }: CellRates, j: number, c: number): number {
  return exposures[missing ? j * classes + c : c];
}

/** ln p(0 | c) of one cell. */
export function zeroAt(rates: CellRates, j: number, c: number): number {
  const cell = rates.cells[j * rates.classes + c];
  return rates.predictive ? logZero(cell, exposureAt(rates, j, c), true) : 0 - Math.exp(cell);
}

/** What a cell that is not zero adds to the score of a row of zeros, but for ln x!; a missing one takes its zero away. */
export function aboveZero(rates: CellRates, j: number, c: number, x: number): number {
  if (Number.isNaN(x)) return 0 - zeroAt(rates, j, c);
  const cell = rates.cells[j * rates.classes + c];
  return rates.predictive ? logEvents(cell, exposureAt(rates, j, c), x) : x * cell;
}

/** ln p(x | c) of one cell; 0 for a missing one. */
export function logCell(rates: CellRates, j: number, c: number, x: number): number {
  return zeroAt(rates, j, c) + (x === 0 ? 0 : aboveZero(rates, j, c, x) - logFactorial(x));
}

/** ln x!, by Γ; nothing where x is missing. */
export function logFactorial(x: number): number {
  return Number.isNaN(x) ? 0 : lgamma(x + 1);
}
