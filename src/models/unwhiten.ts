import { drawNormal } from '../math/draws.ts';
import type { Generator } from '../math/generator.ts';
import type { Whitening } from './whitening.ts';

/**
 * Draws from N(0, Σ) into `row`: with g standard normal, ΣAᵀg has the covariance ΣAᵀAΣ = Σ.
 * Needs no other factor than the one that scores.
 */
export function unwhiten(
  covariance: Float64Array,
  { features, rank, rows }: Whitening,
  random: Generator,
  row: Float64Array,
): void {
  const mixed = new Float64Array(features);
  for (let k = 0; k < rank; k++) {
    const g = drawNormal(random);
    for (let j = 0; j < features; j++) mixed[j] += g * rows[k * features + j];
  }
  for (let j = 0; j < features; j++) {
    let sum = 0;
    for (let k = 0; k < features; k++) sum += covariance[j * features + k] * mixed[k];
    row[j] = sum;
  }
}
