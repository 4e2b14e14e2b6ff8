import type { UrnFit } from './urn-likelihood.ts';

/** What an urn gets of words that its documents never had. */
export interface UrnSmoothing {
  /** How: see `smoothUrns`. */
  readonly smoothing: 'background' | 'floor' | 'add';
  /** How much of it. */
  readonly epsilon: number;
  /** The precision of an urn about which nothing is known. */
  readonly cap: number;
}

/** How much of the background is spread evenly, for words that no class has. */
const EVEN = 1e-3;

/**
 * Gives every urn some of the words it lacks, in place, and returns s[c] = Σⱼ α[c,j] anew:
 *
 *   background   α ← (1 − ε) α + ε s b,  b the mean of α/s over the classes, a thousandth of it spread evenly
 *   floor        α ← ε · (the smallest α > 0 of the class)  where α = 0
 *   add          α ← α + ε
 *
 * An urn of which no word is known draws from the background, and as a die: it has shown no bursts.
 */
export function smoothUrns(
  alpha: Float64Array,
  fits: readonly Omit<UrnFit, 'alpha'>[],
  features: number,
  { smoothing, epsilon, cap }: UrnSmoothing,
): Float64Array {
  const urns = fits.map((_, c) => alpha.subarray(c * features, (c + 1) * features));
  const background = backgroundOf(urns, fits, features);
  urns.forEach((urn, c) => {
    const s = fits[c].precision;
    if (s === 0) urn.set(background.map((share) => cap * share));
    else if (smoothing === 'background') {
      for (let j = 0; j < features; j++) urn[j] = (1 - epsilon) * urn[j] + epsilon * s * background[j];
    } else if (smoothing === 'floor') {
      const least = urn.reduce((low, a) => (a > 0 && a < low ? a : low), Infinity);
      for (let j = 0; j < features; j++) if (urn[j] === 0) urn[j] = epsilon * least;
    } else for (let j = 0; j < features; j++) urn[j] += epsilon;
  });
  return Float64Array.from(urns, (urn) => urn.reduce((sum, a) => sum + a, 0));
}

/** The mean of α/s over the urns that have words, with a little of everything. */
function backgroundOf(
  urns: readonly Float64Array[],
  fits: readonly Omit<UrnFit, 'alpha'>[],
  features: number,
): Float64Array {
  const known = urns.filter((_, c) => fits[c].precision > 0).length;
  const background = new Float64Array(features).fill((known > 0 ? EVEN : 1) / features);
  urns.forEach((urn, c) => {
    const { precision } = fits[c];
    if (precision === 0) return;
    for (let j = 0; j < features; j++) background[j] += ((1 - EVEN) * urn[j]) / precision / known;
  });
  return background;
}
