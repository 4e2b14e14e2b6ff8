import type { Model } from '../core/model.ts';
import { type Batch, type Shape, sliceBatch } from '../data/batch.ts';

/** Scores row i by the model of all other rows: the row is subtracted and parameters are estimated anew. */
export function scoreWithout<S extends Shape, P extends Shape, O>(
  model: Model<S, P, O>,
  stats: S,
  options: O,
  batch: Batch,
  i: number,
  out: Float64Array,
): void {
  const { statistic } = model;
  const row = sliceBatch(batch, i, i + 1);
  const alone = statistic.empty(batch);
  statistic.add(alone, row);
  const rest = statistic.reshape(stats, batch, {});
  statistic.subtract(rest, alone);
  model.score(model.estimate(rest, options), row, out.subarray(i * batch.classes, (i + 1) * batch.classes));
}

/** Scores every row by the model of all other rows, one after the other: for models that know no shorter way. */
export function leaveOneOutBySubtraction<S extends Shape, P extends Shape, O>(
  stats: S,
  options: O,
  batch: Batch,
  out: Float64Array,
  model: Model<S, P, O>,
): void {
  for (let i = 0; i < batch.rows; i++) scoreWithout(model, stats, options, batch, i, out);
}

/** Of a leverage this near 1, too few digits of 1 − h are left. */
const LEAST_ROOM = 1e-3;

/** A whitened space and what leaving out one row does to it, or undefined where rounding would show. */
export interface Downdate {
  /** ‖A'e‖² from ‖Ae‖² and the product (Ae)ᵀ(Ad). */
  readonly distance: (square: number, product: number) => number;
  /** ln |Σ'| − ln |Σ|. */
  readonly logVolume: number;
}

/**
 * Σ = W/m becomes Σ' = (W − κ ddᵀ)/m' when a row is left out; with h = κ ‖Ad‖² / m, by Sherman & Morrison,
 *
 *   eᵀΣ'⁻¹e = (m'/m) (‖Ae‖² + (κ/m) ((Ae)ᵀAd)² / (1 − h)),    |Σ'| = |Σ| (m/m')ʳ (1 − h)        (1)
 *
 * `margin` tells how far Σ is from counting as singular, `least` how far Σ' must stay from it.
 */
export function downdate(
  { rank, margin }: { readonly rank: number; readonly margin: number },
  least: number,
  kappa: number,
  before: number,
  after: number,
  leverage: number,
): Downdate | undefined {
  const h = (kappa / before) * leverage;
  const room = 1 - h;
  if (!(room > LEAST_ROOM && room * margin > 4 * least && after > 0)) return undefined;
  return {
    distance: (square, product) => (after / before) * (square + ((kappa / before) * product * product) / room),
    logVolume: rank * Math.log(before / after) + Math.log(room),
  };
}
