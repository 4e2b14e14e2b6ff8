import type { Form } from '../core/form.ts';
import type { Shape } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { remainder } from '../math/arrays.ts';
import { lgamma } from '../math/gamma.ts';
import { logGammaRatio } from '../math/gamma-ratio.ts';
import { logRatio } from '../math/logs.ts';
import type { Sums } from '../stats/sums.ts';

/** How rates follow from counts, with a Gamma(shape, rate) prior on each; `predictive` integrates over what is not known. */
export type RatePrior =
  | { readonly rule: 'mle' }
  | { readonly rule: 'map'; readonly shape: number; readonly rate: number }
  | { readonly rule: 'bayes'; readonly shape: number; readonly rate: number; readonly predictive?: boolean };

/** What each cell is drawn from, feature-major, and what a row of zeros scores. */
export interface Rates extends Shape {
  readonly logPrior: Float64Array;
  readonly zeros: Float64Array; // by class: Σⱼ ln p(0 | c)
  readonly predictive: boolean;
  readonly cells: Float64Array; // cells[j * classes + c]: ln λ, or the count A of (3)
  readonly exposures: Float64Array; // B of (3), by class, or like the cells where some may be missing; else empty
}

/** Log-rates, or the counts and exposures that are integrated over: what is not in use is empty. */
export const ratesForm: Form<Rates, { readonly prior: RatePrior }> = {
  arrays: {
    logPrior: ['log', 'classes'],
    zeros: ['log', 'classes'],
    logRates: ['log', 'any'],
    counts: ['weight', 'any'],
    exposures: ['weight', 'any'],
  },
  pack: ({ logPrior, zeros, predictive, cells, exposures }) => {
    const none = new Float64Array(0);
    return { logPrior, zeros, logRates: predictive ? none : cells, counts: predictive ? cells : none, exposures };
  },
  unpack({ logPrior, zeros, logRates, counts, exposures }, { classes, features, missing }, { prior }) {
    const { predictive } = readPrior(prior);
    const [cells, none] = predictive ? [counts, logRates] : [logRates, counts];
    const looked = !predictive ? 0 : missing ? classes * features : classes;
    if (cells.length !== classes * features || none.length > 0 || exposures.length !== looked) return undefined;
    return { classes, features, ...(missing && { missing }), logPrior, zeros, predictive, cells, exposures };
  },
};

/** What a prior adds to every count and to the rows that were looked at for it. */
export interface Added {
  readonly count: number;
  readonly exposure: number;
}

/** What a prior adds; refuses one that the rule has no use for. */
export function readPrior(prior: RatePrior): Added & { readonly predictive: boolean } {
  if (prior.rule === 'mle') return { count: 0, exposure: 0, predictive: false };
  const { rule, shape, rate } = prior;
  const least = rule === 'map' ? 1 : 0;
  if (!(shape >= least && shape < Infinity && rate >= 0 && rate < Infinity)) {
    const sentence = `the prior is Gamma(${shape}, ${rate}); the rule ${rule} needs a shape ≥ ${least} and a rate ≥ 0`;
    refuse('E_PARAM', sentence, { name: 'shape', least });
  }
  return { count: shape - least, exposure: rate, predictive: rule === 'bayes' && prior.predictive === true };
}

/** Count and exposure of a cell, the prior included. */
export function counted(
  { features, n, s, m }: Sums,
  added: Added,
  c: number,
  j: number,
): [count: number, exposure: number] {
  const cell = c * features + j;
  const seen = m.length > 0 ? remainder(n[c], m[cell]) : n[c];
  return [s[cell] + added.count, seen + added.exposure];
}

/** ln λ; without exposure nothing is known to happen. */
export function logRate(count: number, exposure: number): number {
  return exposure > 0 ? logRatio(count, exposure) : -Infinity;
}

/** ln p(0): −λ, or A ln(B / (B + 1)). */
export function logZero(count: number, exposure: number, predictive: boolean): number {
  if (!(exposure > 0)) return 0;
  return 0 - (predictive ? count * Math.log1p(1 / exposure) : count / exposure);
}

/** ln x! p(x) / p(0) by (3), for x > 0. */
export function logEvents(count: number, exposure: number, x: number): number {
  return count > 0 && exposure > 0 ? logGammaRatio(count, x) - x * Math.log1p(exposure) : -Infinity;
}

/** The exposure B of a cell. */
export function exposureAt({ classes, exposures, missing }: Rates, j: number, c: number): number {
  return exposures[missing ? j * classes + c : c];
}

/** ln p(0 | c) of one cell. */
export function zeroAt(rates: Rates, j: number, c: number): number {
  const cell = rates.cells[j * rates.classes + c];
  return rates.predictive ? logZero(cell, exposureAt(rates, j, c), true) : 0 - Math.exp(cell);
}

/** What a cell that is not zero adds to the score of a row of zeros, but for ln x!; a missing one takes its zero away. */
export function aboveZero(rates: Rates, j: number, c: number, x: number): number {
  if (Number.isNaN(x)) return 0 - zeroAt(rates, j, c);
  const cell = rates.cells[j * rates.classes + c];
  return rates.predictive ? logEvents(cell, exposureAt(rates, j, c), x) : x * cell;
}

/** ln x!, by Γ; nothing where x is missing. */
export function logFactorial(x: number): number {
  return Number.isNaN(x) ? 0 : lgamma(x + 1);
}
